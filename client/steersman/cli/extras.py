"""Commands that other parts of the distribution bring, and what to say when they are missing."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import NoReturn

import typer

ENTRY_POINTS = "steersman.commands"
# Each command, and the extra (and entry point) that brings it.
EXTRAS = {"serve": "server", "token": "server", "runner": "runner", "mock-model": "runner"}


def register(app: typer.Typer, extra: str) -> None:
    """Let an extra add its commands; stand in for them when it is not installed."""
    entry = next(iter(entry_points(group=ENTRY_POINTS, name=extra)), None)
    if entry is None:
        stand_in(app, extra, None)
        return
    try:
        entry.load()(app)
    except ModuleNotFoundError as missing:
        stand_in(app, extra, missing.name)


def stand_in(app: typer.Typer, extra: str, missing: str | None) -> None:
    """Add commands that only say what to install."""

    def say() -> NoReturn:
        refuse(extra, missing)

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    for name in (name for name, of in EXTRAS.items() if of == extra):
        help_text = f"Needs the extra `{extra}`, which is not installed."
        app.command(name, help=help_text, context_settings=anything)(say)


@contextmanager
def announced(asked: str | None) -> Iterator[None]:
    """Say what to install when a command of an extra finds a module missing as it runs."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if asked not in EXTRAS:
            raise
        refuse(EXTRAS[asked], missing.name)


def refuse(extra: str, missing: str | None) -> NoReturn:
    """Name the extra, and exit 1."""
    because = f" (no module {missing})" if missing else ""
    typer.echo(f"this command needs the extra `{extra}`{because}", err=True)
    typer.echo(f"what to do: pip install 'steersman[{extra}]'", err=True)
    raise SystemExit(1)
