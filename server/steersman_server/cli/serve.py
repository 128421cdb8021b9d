"""`steersman serve`: settings from flags and the environment, logs, signals."""

import asyncio
import os
import signal
import sys
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from steersman_server.settings import Settings


def data_dir_default() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "steersman"


def serve(
    listen: Annotated[
        str, typer.Option(envvar="STEERSMAN_LISTEN", help="HOST:PORT; port 0 takes a free one.")
    ] = "127.0.0.1:50051",
    data_dir: Annotated[
        Path | None,
        typer.Option(envvar="STEERSMAN_DATA_DIR", help="Database, tokens, logs."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(envvar="STEERSMAN_DATABASE", help="SQLAlchemy URL; unset is SQLite."),
    ] = None,
    log_level: Annotated[str, typer.Option(envvar="STEERSMAN_LOG_LEVEL")] = "info",
    as_json: Annotated[bool, typer.Option("--json", help="Logs as JSON lines.")] = False,
) -> None:
    """Run the server until SIGTERM or Ctrl+C."""
    from steersman_server.logs import configure

    configure(level=log_level, as_json=as_json or not sys.stderr.isatty())
    settings = Settings(
        data_dir=data_dir or data_dir_default(),
        listen=listen,
        database=database,
        **_numbers(),
    )
    raise typer.Exit(_run(settings))


def _numbers() -> dict[str, float]:
    """STEERSMAN_LEASE, STEERSMAN_INTERRUPT_GRACE, …: every time is a setting, in seconds."""
    numbers = {}
    for field in fields(Settings):
        text = os.environ.get(f"STEERSMAN_{field.name.upper()}")
        if field.type is float and text is not None:
            try:
                numbers[field.name] = float(text)
            except ValueError:
                raise typer.BadParameter(f"STEERSMAN_{field.name.upper()}={text}") from None
    return numbers


def _run(settings: Settings) -> int:
    """Exit status: 0 after a signal, 1 when it could not start or a part died."""
    import uvloop
    from sqlalchemy.exc import DBAPIError

    from steersman_server.lock import DirectoryInUse
    from steersman_server.store.engine import NewerDatabase, UnsupportedDatabase

    try:
        uvloop.run(_serve(settings))
    except (DirectoryInUse, NewerDatabase, UnsupportedDatabase, OSError) as problem:
        typer.echo(f"steersman serve: {problem}", err=True)
        return 1
    except DBAPIError as problem:
        typer.echo(f"steersman serve: cannot open the database: {problem.orig}", err=True)
        return 1
    return 0


async def _serve(settings: Settings) -> None:
    from steersman_server.app import serving

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    async with serving(settings) as server:
        server.failed.add_done_callback(lambda _: stop.set())
        await stop.wait()
        if server.failed.done():
            server.failed.result()
