"""The runner as a process: its one line when connected, its signals, its exit, its complaints."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from fake_server import PATIENCE, FakeServer, running_server

from steersman.v1.runner_pb2 import TURN_OUTCOME_ABANDONED

COMMAND = "import typer; from steersman_runner.commands import runner; typer.run(runner)"
BLOCKING = {"script": [{"text": "a", "block": True}]}


@asynccontextmanager
async def process(
    server: FakeServer, *arguments: str, token: str = "t0ken"
) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STEERSMAN_")}
    environment |= {"STEERSMAN_SERVER": server.address, "STEERSMAN_TOKEN": token}
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, *arguments),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def line_of(started: asyncio.subprocess.Process, event: str) -> dict[str, object]:
    assert started.stdout is not None
    async with asyncio.timeout(PATIENCE):
        async for line in started.stdout:
            said: dict[str, object] = json.loads(line)
            if said["event"] == event:
                return said
    raise AssertionError(f"the runner ended without {event}")


async def end_of(started: asyncio.subprocess.Process) -> tuple[int | None, str]:
    async with asyncio.timeout(PATIENCE):
        _, complaints = await started.communicate()
    return started.returncode, complaints.decode()


async def test_one_line_tells_when_it_is_connected_and_no_line_tells_the_token() -> None:
    async with (
        running_server() as server,
        process(server, "--id", "r7", "--label", "zone=a", "--slots", "2", "--json") as runner,
    ):
        connection = await server.connection()
        hello = await connection.greet()
        line = await line_of(runner, "runner_connected")
        assert (line["runner_id"], line["server"]) == ("r7", server.address)
        assert "t0ken" not in json.dumps(line)
    assert (hello.slots, dict(hello.labels)) == (2, {"zone": "a"})
    assert list(hello.harnesses) == ["scripted", "chat"]
    assert connection.token == "Bearer t0ken"


async def test_sigterm_drains() -> None:
    async with running_server() as server, process(server) as runner:
        connection = await server.greeted()
        await line_of(runner, "runner_connected")
        runner.send_signal(signal.SIGTERM)
        assert (await connection.next()).goodbye.message == "drained"
        await line_of(runner, "runner_left")
        assert (await end_of(runner))[0] == 0


async def test_a_second_sigterm_aborts_and_reports() -> None:
    async with running_server() as server, process(server) as runner:
        connection = await server.greeted()
        await connection.start("turn_1", harness="scripted", options=BLOCKING)
        await connection.next_acknowledged("turn_1")
        runner.send_signal(signal.SIGTERM)
        await line_of(runner, "runner_draining")
        runner.send_signal(signal.SIGTERM)
        ended = (await connection.next_acknowledged("turn_1")).turn_ended
        assert ended.outcome == TURN_OUTCOME_ABANDONED
        assert (await connection.next()).goodbye.message == "aborted"
        assert (await end_of(runner))[0] == 0


async def test_a_bad_token_ends_it_with_what_to_do_and_without_the_token() -> None:
    async with running_server() as server:
        server.refuse(grpc.StatusCode.UNAUTHENTICATED, "unauthenticated")
        async with process(server, token="s3cret") as runner:
            code, complaints = await end_of(runner)
    assert code == 1
    assert "unauthenticated" in complaints
    assert "--token-file" in complaints
    assert "s3cret" not in complaints


async def test_no_token_at_all_is_said_before_anything_is_tried(tmp_path: Path) -> None:
    async with (
        running_server() as server,
        process(server, "--data-dir", str(tmp_path), token="") as runner,
    ):
        code, complaints = await end_of(runner)
    assert code == 1
    assert "no token" in complaints


async def test_tools_of_a_module_beside_the_user_are_told_in_hello(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "from steersman_runner.tools import tool\n@tool\ndef mine(text: str) -> str: ...\n"
    (tmp_path / "my_tools.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    async with running_server() as server, process(server, "--tools", "my_tools"):
        assert list((await (await server.connection()).greet()).tools) == ["mine"]
