"""The command `interrupt`, and the truth about what it did."""

from typing import Annotated

import typer

from steersman.cli.command import Cli, command, word
from steersman.cli.describe import interrupt_lines
from steersman.json_form import to_json
from steersman.v1.interrupt_pb2 import InterruptMode, InterruptWait, QueuedInputs


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "interrupt")(interrupt)


async def interrupt(
    cli: Cli,
    session: Annotated[str, typer.Argument(metavar="SESSION")],
    *,
    turn: Annotated[str, typer.Option(help="The turn; else the active one.")] = "",
    attempt: Annotated[int | None, typer.Option(help="Its attempt; else the newest.")] = None,
    wait: Annotated[
        str | None, word(InterruptWait, "--wait", "none (default), delivered or settled.")
    ] = None,
    wait_timeout: Annotated[
        float | None, typer.Option(help="Seconds; then the state reached is told. Default 6.")
    ] = None,
    reason: Annotated[str, typer.Option(help="For people; kept with the interrupt.")] = "",
    mode: Annotated[
        str | None, word(InterruptMode, "--mode", "keep (default) or rollback.")
    ] = None,
    queued: Annotated[
        str | None, word(QueuedInputs, "--queued", "Waiting messages: drop (default) or keep.")
    ] = None,
) -> None:
    """Stop a turn, and say what really happened."""
    answer = await cli.client.sessions.handle(session).interrupt(
        turn,
        attempt=attempt,
        wait=wait,
        wait_timeout=wait_timeout,
        reason=reason,
        mode=mode,
        queued=queued,
    )
    cli.out.result(to_json(answer), "\n".join(interrupt_lines(answer)))
