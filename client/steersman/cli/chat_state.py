"""What a line or a Ctrl+C means in a chat, by where the turn is. No I/O and no clock."""

from dataclasses import dataclass
from enum import Enum


class Phase(Enum):
    """Where the chat is."""

    READY = "ready"
    RUNNING = "running"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True)
class Say:
    """Send this and follow its turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Interrupt the turn that runs."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave; what is in the session stays there."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell the person something; nothing else happens."""

    text: str


@dataclass(frozen=True, slots=True)
class Ignore:
    """Nothing happens."""


Action = Say | Stop | Quit | Tell | Ignore

HELP = """\
Write a message and press Enter. While an answer streams, Ctrl+C interrupts it.
/help  shows this
/quit  leaves (so does Ctrl+D); the session stays"""
LEAVE = "/quit or Ctrl+D leaves"

COMMANDS: dict[str, Action] = {"/quit": Quit(), "/help": Tell(HELP)}


class ChatState:
    """Decides; the chat does it and reports back with `began`, `not_stopped` and `ended`."""

    def __init__(self) -> None:
        self.phase = Phase.READY

    def line(self, line: str) -> Action:
        """What a line that was entered asks for."""
        words = line.strip()
        if not words:
            return Ignore()
        if words.startswith("/"):
            return COMMANDS.get(words, Tell(f"no such command: {words}\n{HELP}"))
        return Say(words)

    def ctrl_c(self) -> Action:
        """What Ctrl+C asks for: one stop a turn, and never the end of the program."""
        match self.phase:
            case Phase.READY:
                return Tell(LEAVE)
            case Phase.RUNNING:
                self.phase = Phase.STOPPING
                return Stop()
            case Phase.STOPPING:
                return Ignore()

    def began(self) -> None:
        """A message is on its way."""
        self.phase = Phase.RUNNING

    def not_stopped(self) -> None:
        """The stop could not be asked for; Ctrl+C may ask again."""
        if self.phase is Phase.STOPPING:
            self.phase = Phase.RUNNING

    def ended(self) -> None:
        """The turn has ended, however it did."""
        self.phase = Phase.READY
