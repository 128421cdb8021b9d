"""The command `dev` with the real server, runner and scripted model as its children."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cli_process import MODULE, environment

import steersman

TIME = 60


@asynccontextmanager
async def dev(
    data_dir: Path, *options: str, **env: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """`steersman dev` on a free port; ended with its children when the test is."""
    process = await asyncio.create_subprocess_exec(
        *(*MODULE, "dev", "--listen", "127.0.0.1:0", "--data-dir", str(data_dir), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment() | env,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.communicate()


async def ready(process: asyncio.subprocess.Process) -> dict[str, Any]:
    """Where everything is, once it is up."""
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), TIME)
    document: dict[str, Any] = json.loads(line)
    return document


def children(process: asyncio.subprocess.Process) -> dict[str, int]:
    """The children of a process, by their command."""
    found = {}
    for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        found[arguments[4].decode()] = int(pid)
    return found


def is_alive(pid: int) -> bool:
    """Whether a process is there."""
    return Path(f"/proc/{pid}").exists()


async def test_dev_starts_everything_and_ctrl_c_stops_everything(tmp_path: Path) -> None:
    async with dev(tmp_path, "--json") as process:
        up = await ready(process)
        pids = children(process)
        assert set(pids) == {"serve", "mock-model", "runner"}
        async with steersman.Client(up["server"], data_dir=tmp_path) as client:
            session = await client.sessions.create("assistant", "hello")
            turn = await session.turn(session.resource.active_turn.id).wait()
        assert steersman.short(turn, "state") == "completed"
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), TIME) == 0
        assert not [pid for pid in pids.values() if is_alive(pid)]
    assert {log.name for log in (tmp_path / "logs").iterdir()} == {
        "serve.log",
        "mock-model.log",
        "runner.log",
    }


async def test_a_child_that_dies_ends_dev_with_its_last_lines(tmp_path: Path) -> None:
    async with dev(tmp_path, "--json") as process:
        await ready(process)
        os.kill(children(process)["runner"], signal.SIGKILL)
        _, err = await asyncio.wait_for(process.communicate(), TIME)
        assert process.returncode == 1
        assert "runner ended with code -9" in err.decode()
        assert "runner_connected" in err.decode()


async def test_a_second_dev_on_one_data_directory_says_why_it_cannot(tmp_path: Path) -> None:
    async with dev(tmp_path, "--json") as first:
        await ready(first)
        async with dev(tmp_path, "--json") as second:
            _, err = await asyncio.wait_for(second.communicate(), TIME)
        assert second.returncode == 1
        assert "serve ended" in err.decode()
        assert first.returncode is None


async def test_the_demo_shows_a_tool_an_interrupt_its_marker_and_the_follow_up(
    tmp_path: Path,
) -> None:
    async with dev(tmp_path, "--demo") as process:
        assert process.stdout is not None
        told = (await asyncio.wait_for(process.stdout.readuntil(b"Try, in"), TIME)).decode()
        lines = (await process.stdout.readuntil(b"ListSessions\n")).decode().splitlines()
        for shown in ("→ word_count(", "← 9", "confirmed: ", "■ ", "interrupted"):
            assert shown in told
        assert told.index("■ ") < told.index("is idle") < told.index("I was telling you")
        calls = [line.strip() for line in lines if "grpcurl" in line]
        answers = [await shell(call) for call in calls]
        assert "steersman.v1.SessionService" in answers[0]
        assert '"demo"' in answers[1]


async def shell(line: str) -> str:
    """What a line from the screen answers in a shell."""
    process = await asyncio.create_subprocess_shell(
        line, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), TIME)
    assert process.returncode == 0, err
    return out.decode()


async def test_a_real_model_of_a_later_start_replaces_the_scripted_one(tmp_path: Path) -> None:
    async with dev(tmp_path, "--json") as process:
        await ready(process)
    real = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "real-model"}
    async with dev(tmp_path, "--json", **real) as process:
        up = await ready(process)
        assert up["mock_model"] is None
        async with steersman.Client(up["server"], data_dir=tmp_path) as client:
            agent = await client.agents.get("assistant")
        assert (agent.model, agent.version) == ("real-model", 2)
