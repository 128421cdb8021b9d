"""The command `watch`: a session's log as it grows."""

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from steersman.cli.command import Cli, command
from steersman.cli.describe import event_line
from steersman.cli.output import visible
from steersman.cli.stream import Show, frame_document
from steersman.frames import Delta, Gap, Lagging, SessionFrame, Snapshot
from steersman.v1.event_pb2 import Event
from steersman.words import short


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "watch")(watch)


async def watch(
    cli: Cli,
    session: Annotated[str, typer.Argument(metavar="SESSION")],
    *,
    after: Annotated[int, typer.Option(help="Start after this sequence.", min=0)] = 0,
    now: Annotated[bool, typer.Option("--now", help="Start with what happens next.")] = False,
    deltas: Annotated[bool, typer.Option(help="Show text as it streams.")] = True,
) -> None:
    """Print every event, and text as it streams, until Ctrl+C; resumes by itself."""
    handle = cli.client.sessions.handle(session)
    show = lines(cli) if cli.out.as_json else Log(cli.out.console).show
    async with handle.watch(None if now else after, include_deltas=deltas) as frames:
        async for frame in frames:
            show(frame)


def lines(cli: Cli) -> Show:
    """Frames as JSON lines."""
    return lambda frame: cli.out.line(frame_document(frame))


class Log:
    """A line for each event, and streamed text between them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._in_text = False

    def show(self, frame: SessionFrame) -> None:
        """Print one frame."""
        if isinstance(frame, Delta):
            start = "" if self._in_text else "       ~ "
            self._console.print(Text(start + visible(frame.text), "dim"), end="")
        else:
            if self._in_text:
                self._console.print()
            self._console.print(Text(log_line(frame)))
        self._in_text = isinstance(frame, Delta)


def log_line(frame: Snapshot | Event | Lagging | Gap) -> str:
    """What is told about a frame that is not text."""
    match frame:
        case Event():
            return event_line(frame)
        case Snapshot():
            again = "reconnected; " if frame.resumed else ""
            status = short(frame.session, "status")
            return f"     - {again}{frame.session.id} is {status}, head {frame.head_sequence}"
        case Lagging():
            return "     - too slow for live text; events follow from the store"
        case Gap():
            return f"     - events before {frame.first_available} are no longer there"
