"""The command `version`. Asks no server."""

import platform
from importlib.metadata import version
from typing import Annotated

import typer

from steersman.cli.output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("version")(show_version)


def show_version(
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the version of steersman and of what it stands on."""
    names = ("steersman", "grpcio", "protobuf")
    versions = {name: version(name) for name in names} | {"python": platform.python_version()}
    human = "\n".join(f"{name} {number}" for name, number in versions.items())
    Output(json).result(versions, human)
