"""The command `doctor`: what works from here, and what does not."""

from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import Any

import typer

from steersman.cli.advice import advice
from steersman.cli.command import Cli, command
from steersman.errors import SteersmanError
from steersman.words import short

# A module that only the extra brings.
EXTRAS = {"server": "sqlmodel", "runner": "openai"}

Check = Callable[[Cli], Awaitable[str]]


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "doctor")(doctor)


async def doctor(cli: Cli) -> None:
    """Check the installation, the server, the runners and the agents; exits 1 on a fault."""
    checks: dict[str, Check] = {"server": server, "runners": runners, "agents": agents}
    found: list[dict[str, Any]] = [installed(extra) for extra in EXTRAS]
    for name, check in checks.items():
        try:
            found.append(finding(name, True, await check(cli)))
        except SteersmanError as error:
            found.append(finding(name, False, f"{error}; {advice(error) or ''}".rstrip("; ")))
            break
    human = "\n".join(sentence(one) for one in found)
    cli.out.result({"checks": found}, human)
    if not found[-1]["ok"]:
        raise typer.Exit(1)


def finding(check: str, ok: bool, found: str) -> dict[str, Any]:
    """What one check found."""
    return {"check": check, "ok": ok, "found": found}


def sentence(one: dict[str, Any]) -> str:
    """A finding for people."""
    return f"{'ok' if one['ok'] else '--'}  {one['check']}: {one['found']}"


def installed(extra: str) -> dict[str, Any]:
    """Whether an extra is there; a client needs none."""
    there = find_spec(EXTRAS[extra]) is not None
    return finding(f"steersman[{extra}]", there, "installed" if there else "not installed")


async def server(cli: Cli) -> str:
    """Reaches the server with the token that was found."""
    await cli.client.sessions.list(limit=1).page()
    return f"{cli.client.server} answers, and the token is good"


async def runners(cli: Cli) -> str:
    """Counts the runners that are connected."""
    states = [short(runner, "state") async for runner in cli.client.runners.list()]
    return f"{states.count('connected')} connected, {len(states)} known"


async def agents(cli: Cli) -> str:
    """Names the agents."""
    names = [agent.name async for agent in cli.client.agents.list()]
    return ", ".join(names) or "none; `steersman agents create NAME --model MODEL` makes one"
