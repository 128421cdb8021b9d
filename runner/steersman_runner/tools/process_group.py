"""Ends a process group and knows when it is gone. Starting processes lives in process.py."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

_LOOK_EVERY = 0.02


async def end_group(group: int, grace: float) -> None:
    """TERM to the whole group, KILL after `grace` seconds; returns when nobody is left."""
    _signal(group, signal.SIGTERM)
    with suppress(TimeoutError):
        async with asyncio.timeout(grace):
            await _gone(group)
    _signal(group, signal.SIGKILL)
    await _gone(group)


async def _gone(group: int) -> None:
    # Grandchildren are not ours to wait for: no signal tells their end.
    while group_alive(group):  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_EVERY)


def group_alive(group: int) -> bool:
    """Whether a process of the group still runs; zombies, which nobody may reap, do not."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    if not Path("/proc/self/stat").exists():
        return True
    return any(_runs_in(group, entry) for entry in Path("/proc").glob("[0-9]*"))


def _runs_in(group: int, entry: Path) -> bool:
    try:
        # The name in parentheses may hold anything, spaces and parentheses too.
        state, _parent, of_group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False
    return state not in "ZX" and int(of_group) == group


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
