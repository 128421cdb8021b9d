"""`steersman dev`: the whole product in one command, and all of it gone when it is asked to end."""

import asyncio
import os
import re
import signal
from collections.abc import Iterator

import pytest
from live_process import LiveProcess, children, is_there

import steersman

PARTS = {"serve", "mock-model", "runner"}
DEVS = ("--demo", "--json")
# What the demo tells, in this order.
SHOWN = (
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
)


@pytest.fixture(scope="module")
def devs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, LiveProcess]]:
    """One that plays the demo and one that does not, side by side; none of their children stays."""
    running = {
        option: LiveProcess("dev", "--listen", "127.0.0.1:0", "--data-dir", str(folder), option)
        for option, folder in ((each, tmp_path_factory.mktemp("dev")) for each in DEVS)
    }
    try:
        yield running
    finally:
        for process in running.values():
            close(process)


def close(process: LiveProcess) -> None:
    left = children(process.pid) if process.alive() else {}
    process.close()
    for pid in left.values():
        if is_there(pid):
            os.kill(pid, signal.SIGKILL)


async def ends_with_its_children(process: LiveProcess) -> None:
    """SIGTERM ends all of it, and it exits 0."""
    pids = children(process.pid)
    assert set(pids) == PARTS
    process.signal(signal.SIGTERM)
    assert await asyncio.to_thread(process.ended) == 0
    assert not [name for name, pid in pids.items() if is_there(pid)]


async def test_it_brings_everything_up_and_sigterm_ends_everything(
    devs: dict[str, LiveProcess],
) -> None:
    process = devs["--json"]
    up = await asyncio.to_thread(process.said, "ready")
    async with steersman.Client(up["server"], token_file=up["token_files"]["client"]) as client:
        (runner,) = [one async for one in client.runners.list()]
        assert steersman.short(runner, "state") == "connected"
        assert [agent.name async for agent in client.agents.list()] == ["assistant"]
    await ends_with_its_children(process)


async def test_the_demo_shows_its_stages_the_marker_and_the_follow_up(
    devs: dict[str, LiveProcess],
) -> None:
    process = devs["--demo"]
    await asyncio.to_thread(process.line, lambda line: "tokens   " in line)
    told = process.told()
    places = [told.find(words) for words in SHOWN]
    assert -1 not in places, SHOWN[places.index(-1)]
    assert places == sorted(places)
    # The story was cut off: it was to be told twelve times over.
    assert told.count("The keeper had counted every storm") < 12
    session_id = re.findall(r"sess_\w+", told)[0]
    server = found(r"server +(127\.0\.0\.1:\d+)", told)
    token_file = found(r"tokens +(\S+/admin)", told)
    async with steersman.Client(server, token_file=token_file) as client:
        items = [one async for one in client.sessions.handle(session_id).items()]
    assert [item.marker for item in items if item.marker] == ["interrupted"]
    await ends_with_its_children(process)


def found(pattern: str, told: str) -> str:
    """What the banner says in this place."""
    match = re.search(pattern, told)
    assert match is not None, told
    return match[1]
