"""The command `mock-model`. What it starts is imported when it runs."""

import asyncio
import json
import signal
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command("mock-model")(mock_model)


def mock_model(
    listen: Annotated[str, typer.Option(help="HOST:PORT; port 0 takes a free one.")] = (
        "127.0.0.1:8090"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """A model endpoint that answers from a script, for tests without a model."""
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise typer.BadParameter(f"{listen!r} is not HOST:PORT", param_hint="--listen")
    try:
        asyncio.run(_serve(host.strip("[]"), int(port), as_json))
    except OSError as error:
        typer.echo(f"cannot listen on {listen}: {error.strerror or error}", err=True)
        raise typer.Exit(1) from None


async def _serve(host: str, port: int, as_json: bool) -> None:
    from steersman_runner.mock.server import running_mock_model

    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with running_mock_model(host, port) as base_url:
        typer.echo(_ready_line(base_url, as_json))
        await stopped.wait()


def _ready_line(base_url: str, as_json: bool) -> str:
    address = base_url.removeprefix("http://").removesuffix("/v1")
    if as_json:
        ready = {"event": "mock_model_ready", "address": address, "base_url": base_url}
        return json.dumps(ready)
    return f"mock-model is ready: {base_url}"
