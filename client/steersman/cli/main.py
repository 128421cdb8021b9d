"""The program `steersman`: loads the file of the command asked for. No command lives here."""

import sys
from collections.abc import Iterable
from importlib import import_module

import typer

from steersman.cli import extras

GROUPS = {
    "dev": "steersman.cli.dev",
    "chat": "steersman.cli.chat",
    "send": "steersman.cli.send",
    "watch": "steersman.cli.watch",
    "interrupt": "steersman.cli.interrupt",
    "items": "steersman.cli.items",
    "sessions": "steersman.cli.sessions",
    "agents": "steersman.cli.agents",
    "runners": "steersman.cli.runners",
    "doctor": "steersman.cli.doctor",
    "version": "steersman.cli.version",
}


def main() -> None:
    """Run the command of this process's arguments, and exit as it says."""
    asked = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
    with extras.announced(asked):
        build(asked)()


def build(asked: str | None) -> typer.Typer:
    """The program with the command that was asked for, or with all when that is none of ours."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, callback=about)
    if asked in GROUPS:
        register(app, [asked])
    elif asked in extras.EXTRAS:
        extras.register(app, extras.EXTRAS[asked])
    else:
        register(app, GROUPS)
        for extra in dict.fromkeys(extras.EXTRAS.values()):
            extras.register(app, extra)
    return app


def about() -> None:
    """Steersman: a control plane for agent sessions that can be watched and stopped."""


def register(app: typer.Typer, names: Iterable[str]) -> None:
    """Let the files of these commands add themselves."""
    for name in names:
        import_module(GROUPS[name]).register(app)
