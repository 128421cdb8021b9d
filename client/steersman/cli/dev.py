"""The command `dev`: the whole product in one terminal."""

import asyncio
import shlex
import shutil
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

from steersman.cli import demo
from steersman.cli.children import ChildDied, unless
from steersman.cli.output import Output
from steersman.cli.stack import Running, Stack, ensure_agent
from steersman.client import Client
from steersman.errors import SteersmanError
from steersman.settings import DEFAULT_SERVER, data_directory, server_address

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dev")(dev)


def dev(
    listen: Annotated[str, typer.Option(help="Where the server listens.")] = DEFAULT_SERVER,
    data_dir: Annotated[
        Path | None, typer.Option(help="Else STEERSMAN_DATA_DIR, ~/.local/share/steersman.")
    ] = None,
    with_demo: Annotated[bool, typer.Option("--demo", help="Show a session running.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Start a server, a runner and, without a model endpoint, a scripted model; Ctrl+C stops."""
    out = Output(json)
    stack = Stack(data_directory(data_dir), listen)
    try:
        asyncio.run(until_stopped(stack, stay_up(stack, out, with_demo)))
    except ChildDied as death:
        tell_death(out, death)
        raise typer.Exit(1) from None
    except SteersmanError as error:
        out.error(error)
        raise typer.Exit(1) from None
    except demo.DemoFailed as failure:
        out.errors.print(f"the demo failed: {failure}", style="red", markup=False)
        raise typer.Exit(1) from None


async def until_stopped(stack: Stack, work: Coroutine[Any, Any, None]) -> None:
    """Work until a signal asks to stop, or the work fails; either way no child stays."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOPS:
        loop.add_signal_handler(number, asked.set)
    working = asyncio.create_task(work)
    stopping = asyncio.create_task(asked.wait())
    try:
        await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
    finally:
        stopping.cancel()
        working.cancel()
        await asyncio.wait([working])
        await stack.stop()


async def stay_up(stack: Stack, out: Output, with_demo: bool) -> None:
    """Bring everything up, show it, and stay until a child dies."""
    out.say("starting …", "dim")
    running = await stack.start()
    await unless(stack.death(), show(running, out, with_demo))
    await stack.death()


async def show(running: Running, out: Output, with_demo: bool) -> None:
    """Make the agent, play the demo, and tell where everything is."""
    async with Client(running.server, token_file=running.token_file("admin")) as client:
        agent = await ensure_agent(client)
        if with_demo:
            await demo.play(client, agent, out.console, running.mock)
    out.result(addresses(running), banner(running))


def addresses(running: Running) -> dict[str, Any]:
    """Where everything is, as JSON."""
    return {
        "event": "ready",
        "server": running.server,
        "mock_model": running.mock,
        "data_dir": str(running.data_dir),
        "token_files": {
            name: str(running.token_file(name)) for name in ("admin", "client", "runner")
        },
    }


def banner(running: Running) -> str:
    """Where everything is, and lines to try, for people."""
    token = running.token_file("client")
    cat = f"cat {shlex.quote(str(token))}"
    grpcurl = f'{grpcurl_program()} -plaintext -H "authorization: Bearer $({cat})" {running.server}'
    model = f"scripted, at http://{running.mock}/v1" if running.mock else "your endpoint"
    return f"""\

Steersman is up; Ctrl+C stops it.
  server   {running.server}
  model    {model}
  tokens   {token.parent}/admin, {token.name}
  logs     {running.data_dir / "logs"}

Try, in another terminal:
  {program()} chat{flags(running)}
  {grpcurl} list
  {grpcurl} steersman.v1.SessionService/ListSessions
"""


def program() -> str:
    """How this program is called from the shell that called it."""
    return "steersman" if shutil.which("steersman") else f"{sys.executable} -m steersman"


def flags(running: Running) -> str:
    """The options that lead another command here, where the defaults do not."""
    given = []
    if running.server != server_address():
        given += ["--server", running.server]
    if running.data_dir != data_directory():
        given += ["--data-dir", str(running.data_dir)]
    return "".join(f" {shlex.quote(word)}" for word in given)


def tell_death(out: Output, death: ChildDied) -> None:
    """Why everything stopped: the last lines of the child that ended."""
    out.errors.print(f"{death}; its last lines:", style="red", markup=False)
    for line in death.last_lines:
        out.errors.print(f"  {line}", markup=False)
    out.errors.print(f"what to do: read {death.log}", markup=False)


def grpcurl_program() -> str:
    """The program as this shell finds it: on the path, or beside this Python."""
    beside = Path(sys.executable).with_name("grpcurl")
    if shutil.which("grpcurl") is None and beside.exists():
        return shlex.quote(str(beside))
    return "grpcurl"
