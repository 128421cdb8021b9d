"""The command `send`: a message to a session, or to a new one."""

from typing import Annotated, Any, NamedTuple

import typer

from steersman.cli.command import Cli, command, word
from steersman.cli.stream import follow, shower
from steersman.session import Session
from steersman.v1.session_service_pb2 import WhenBusy
from steersman.words import short


class Taken(NamedTuple):
    """A message that was taken, whichever way it was sent."""

    session: Session
    turn_id: str
    document: dict[str, Any]
    # Nothing about the turn stands in the log up to here.
    before: int


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "send")(send)


async def send(
    cli: Cli,
    words: Annotated[list[str], typer.Argument(metavar="[SESSION] TEXT", show_default=False)],
    *,
    agent: Annotated[str, typer.Option(help="Create a session with this agent instead.")] = "",
    wait: Annotated[bool, typer.Option("--wait", help="Stream until the turn ends.")] = False,
    when_busy: Annotated[
        str | None, word(WhenBusy, "--when-busy", "enqueue (default), reject or interrupt.")
    ] = None,
) -> None:
    """Send a message; exits 1 when it waited and the turn did not complete."""
    if len(words) != (1 if agent else 2):
        raise typer.BadParameter("give SESSION TEXT, or --agent NAME TEXT")
    if agent:
        taken = await send_to_new(cli, agent, words[0])
    else:
        session = cli.client.sessions.handle(words[0])
        if wait:
            await session.refresh()
        taken = await send_to(session, words[1], when_busy)
    cli.out.result(taken.document, sentence(taken.document))
    if wait:
        turn = await follow(taken.session, taken.turn_id, taken.before, shower(cli.out))
        cli.out.say(f"{short(turn, 'state')} {turn.id}", "dim")
        if short(turn, "state") != "completed":
            raise typer.Exit(1)


async def send_to(session: Session, text: str, when_busy: str | None) -> Taken:
    """Send to a session that is there."""
    before = session.resource.head_sequence
    sent = await session.send(text, when_busy=when_busy)
    document = described(session.id, sent.outcome, sent.response.item_id, sent.turn.id)
    return Taken(session, sent.turn.id, document, before)


async def send_to_new(cli: Cli, agent: str, text: str) -> Taken:
    """Create a session and send to it in the same call."""
    session = await cli.client.sessions.create(agent, text)
    turn = session.resource.active_turn
    document = described(session.id, "started", turn.input_item_id, turn.id)
    return Taken(session, turn.id, document, before=0)


def described(session_id: str, outcome: str, item_id: str, turn_id: str) -> dict[str, Any]:
    """What became of the message, as JSON."""
    return {
        "session_id": session_id,
        "outcome": outcome,
        "queued": outcome != "started",
        "item_id": item_id,
        "turn_id": turn_id,
    }


def sentence(document: dict[str, Any]) -> str:
    """What became of the message, for people."""
    return "{outcome} {turn_id} in {session_id}".format_map(document)
