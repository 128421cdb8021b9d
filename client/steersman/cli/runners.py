"""The commands `runners list|show`."""

from typing import Annotated

import typer

from steersman.cli.command import Cli, command
from steersman.cli.tables import outline, table
from steersman.json_form import to_json
from steersman.v1.fleet_pb2 import Runner
from steersman.words import short

COLUMNS = ("runner", "state", "slots", "harnesses", "tools", "version", "address")


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(no_args_is_help=True, help="Which runners there are.")
    command(group, "list")(list_runners)
    command(group, "show")(show)
    app.add_typer(group, name="runners")


async def list_runners(cli: Cli) -> None:
    """List the runners that are, or were, connected."""
    found = [runner async for runner in cli.client.runners.list()]
    document = {"data": [to_json(runner) for runner in found]}
    cli.out.result(document, table(COLUMNS, [row(runner) for runner in found]))


async def show(cli: Cli, runner: Annotated[str, typer.Argument(metavar="RUNNER")]) -> None:
    """Show one runner and what it works on."""
    document = to_json(await cli.client.runners.get(runner))
    cli.out.result(document, outline(document))


def row(runner: Runner) -> tuple[str, ...]:
    """One runner of the list."""
    return (
        runner.id,
        short(runner, "state"),
        f"{runner.slots_used}/{runner.slots}",
        ", ".join(runner.harnesses),
        ", ".join(runner.tools),
        runner.version,
        runner.address,
    )
