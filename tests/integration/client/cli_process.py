"""Runs the command line as a process of its own, against a server that a test controls."""

import asyncio
import json
import os
import sys
from typing import Any, NamedTuple

from fake_steersman import FakeServer

MODULE = (sys.executable, "-P", "-m", "steersman")


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def documents(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def environment() -> dict[str, str]:
    """This process's, without what would lead a command elsewhere."""
    elsewhere = ("STEERSMAN_", "OPENAI_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(elsewhere)}
    return {**kept, "STEERSMAN_TOKEN": "secret", "PROMPT_TOOLKIT_NO_CPR": "1"}


async def run(server: FakeServer | None, *arguments: str, stdin: str = "") -> Ran:
    """Run `steersman` with these arguments to its end."""
    at = ("--server", server.address) if server else ()
    process = await asyncio.create_subprocess_exec(
        *(*MODULE, *arguments, *at),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    out, err = await asyncio.wait_for(process.communicate(stdin.encode()), 30)
    return Ran(process.returncode or 0, out.decode(), err.decode())
