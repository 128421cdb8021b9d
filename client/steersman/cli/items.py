"""The command `items`: a session's history."""

from typing import Annotated

import typer
from rich.text import Text

from steersman.cli.command import Cli, command, word
from steersman.cli.describe import item_line
from steersman.json_form import to_json
from steersman.v1.session_service_pb2 import Order

Limit = Annotated[int, typer.Option(help="How many at most; 0 means all.", min=0)]


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "items")(items)


async def items(
    cli: Cli,
    session: Annotated[str, typer.Argument(metavar="SESSION")],
    *,
    order: Annotated[str | None, word(Order, "--order", "asc or desc.")] = None,
    limit: Limit = 0,
    after: Annotated[str, typer.Option(help="The item id after which to start.")] = "",
    withdrawn: Annotated[bool, typer.Option(help="Show withdrawn items too.")] = False,
) -> None:
    """Print a session's history, item by item."""
    listed = cli.client.sessions.handle(session).items(
        order=order, limit=limit or None, after=after, include_withdrawn=withdrawn
    )
    shown = 0
    async for item in listed:
        if cli.out.as_json:
            cli.out.line(to_json(item))
        else:
            cli.out.console.print(Text(item_line(item)))
        shown += 1
        if shown == limit:
            break
