"""A session as people read it: text as it streams, calls, outputs, markers. Decides nothing."""

from rich.console import Console
from rich.text import Text

from steersman.cli.describe import body, call, failure_line
from steersman.cli.output import visible
from steersman.frames import Delta, Lagging, SessionFrame
from steersman.v1.event_pb2 import Event, EventKind
from steersman.v1.item_pb2 import Item, ItemRole, ItemStatus, ItemType
from steersman.words import text


class Transcript:
    """Prints the frames of a watch. With `echo` also what users said."""

    def __init__(self, console: Console, *, echo: bool) -> None:
        self._console = console
        self._echo = echo
        self._round: tuple[str, int, int, int] | None = None
        # The text of that round which is on the screen, and whether its line is open.
        self._shown = ""
        self._open = False

    def show(self, frame: SessionFrame) -> None:
        """Print what is new in a frame."""
        match frame:
            case Delta():
                self._delta(frame)
            case Event(kind=EventKind.EVENT_KIND_ITEM_ADDED):
                self._item(frame.item)
            case Event(kind=EventKind.EVENT_KIND_TURN_FAILED):
                self.line(f"✗ failed: {failure_line(frame.turn.error)}", "red")
            case Lagging():
                self.line("(too slow for live text; it follows from the store)", "dim")

    def line(self, words: str, style: str = "") -> None:
        """A line of its own."""
        self.end_text()
        self._console.print(Text(words, style))

    def end_text(self) -> None:
        """End the line of streamed text, where there is one."""
        if self._open:
            self._console.print()
        self._open = False

    def _delta(self, delta: Delta) -> None:
        of_round = (delta.turn_id, delta.attempt, delta.try_number, delta.round)
        if of_round != self._round:
            self.end_text()
            self._round, self._shown = of_round, ""
        self._shown += delta.text
        self._write(delta.text)

    def _write(self, words: str) -> None:
        if words:
            self._console.print(Text(visible(words)), end="")
            self._open = True

    def _item(self, item: Item) -> None:
        match item.type:
            case ItemType.ITEM_TYPE_FUNCTION_CALL:
                self.line(f"  → {call(item)}", "cyan")
            case ItemType.ITEM_TYPE_FUNCTION_CALL_OUTPUT:
                self.line(f"  ← {body(item)}", "cyan dim" if item.synthetic else "cyan")
            case ItemType.ITEM_TYPE_MESSAGE:
                self._message(item)

    def _message(self, item: Item) -> None:
        if item.marker:
            self.line(f"■ {body(item)}", "yellow")
        elif item.role == ItemRole.ITEM_ROLE_ASSISTANT:
            self._answer(item)
        elif self._echo:
            self.line(f"> {visible(text(item))}", "bold")

    def _answer(self, item: Item) -> None:
        """The committed text; what of it has streamed is on the screen already."""
        whole, shown = text(item), self._shown
        self._shown = ""
        if not whole.startswith(shown):
            self.end_text()
        self._write(whole.removeprefix(shown))
        self.end_text()
        if item.status == ItemStatus.ITEM_STATUS_INCOMPLETE:
            self.line("(incomplete)", "dim")
