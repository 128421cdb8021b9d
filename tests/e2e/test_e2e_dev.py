"""`steersman dev`: the whole product in one command, and all of it gone when it is asked to end."""

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from live_process import LiveProcess, children, is_there

import steersman

PARTS = {"serve", "mock-model", "runner"}


@contextmanager
def dev(data_dir: Path, *options: str) -> Iterator[LiveProcess]:
    """It, on a free port; whatever becomes of the test, none of its children stays."""
    process = LiveProcess("dev", "--listen", "127.0.0.1:0", "--data-dir", str(data_dir), *options)
    try:
        yield process
    finally:
        left = children(process.pid) if process.alive() else {}
        process.close()
        for pid in left.values():
            if is_there(pid):
                os.kill(pid, signal.SIGKILL)


def is_up(line: str) -> bool:
    return "Steersman is up" in line


async def test_it_brings_everything_up_and_sigterm_ends_everything(tmp_path: Path) -> None:
    with dev(tmp_path, "--json") as process:
        up = await asyncio.to_thread(process.said, "ready")
        pids = children(process.pid)
        assert set(pids) == PARTS
        async with steersman.Client(up["server"], token_file=up["token_files"]["client"]) as client:
            (runner,) = [one async for one in client.runners.list()]
            assert steersman.short(runner, "state") == "connected"
            assert [agent.name async for agent in client.agents.list()] == ["assistant"]
        process.signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.ended) == 0
        assert not [name for name, pid in pids.items() if is_there(pid)]


async def test_the_demo_shows_its_stages_the_marker_and_the_follow_up(tmp_path: Path) -> None:
    with dev(tmp_path, "--demo") as process:
        await asyncio.to_thread(process.line, is_up)
        pids = children(process.pid)
        told = process.told()
        shown = [
            "1. A message starts a turn in sess_",
            "→ word_count(",
            "← 9",
            "That sentence has 9 words",
            "2. Another message; the answer streams",
            "The keeper had counted every storm",
            "■ [interrupted]",
            "confirmed: turn_",
            "3. The session is idle, and takes the follow-up.",
            "I was telling you about a lighthouse keeper",
            "The session stays; its history can be read at any time.",
            "Steersman is up",
        ]
        places = [told.find(words) for words in shown]
        assert -1 not in places, shown[places.index(-1)]
        assert places == sorted(places)
        # The story was cut off: it was to be told twelve times over.
        assert told.count("The keeper had counted every storm") < 12
        session_id = re.findall(r"sess_\w+", told)[0]
        async with steersman.Client(address(told), data_dir=tmp_path) as client:
            items = [one async for one in client.sessions.handle(session_id).items()]
        assert [item.marker for item in items if item.marker] == ["interrupted"]
        process.signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.ended) == 0
        assert not [name for name, pid in pids.items() if is_there(pid)]


def address(told: str) -> str:
    """Where the server is, as the banner says."""
    found = re.search(r"server +(127\.0\.0\.1:\d+)", told)
    assert found is not None
    return found[1]
