"""Tools for a runner under test: each call goes to the test's desk and answers what it says."""

import asyncio
import os

from steersman_runner.tools import tool


@tool
async def again(name: str) -> str:
    """May run twice."""
    return await _visit("again", name)


@tool(repeatable=False)
async def once(name: str) -> str:
    """Must not run twice."""
    return await _visit("once", name)


@tool
def count(text: str) -> int:
    """Counts words, at once."""
    return len(text.split())


@tool
async def stubborn(name: str) -> str:
    """Stopped, it says so, and ends when the desk lets it."""
    return await _visit("stubborn", name, takes_its_time=True)


async def _visit(tool_name: str, name: str, *, takes_its_time: bool = False) -> str:
    reader, writer = await asyncio.open_unix_connection(os.environ["DESK"])
    try:
        writer.write(f"{tool_name} {name}\n".encode())
        return (await reader.readline()).decode().rstrip("\n")
    except asyncio.CancelledError:
        if takes_its_time:
            writer.write(b"stopping\n")
            await reader.readline()
        raise
    finally:
        writer.close()
