"""What a cancelled turn of the chat harness leaves behind: nothing that runs, nothing lost."""

import asyncio
import os
from pathlib import Path

import pytest
from model_desk import Bench, RecordingDesk, bench, text_of, user

from steersman.v1.item_pb2 import ITEM_STATUS_COMPLETED, ITEM_STATUS_INCOMPLETE
from steersman_runner.harness.base import Answer
from steersman_runner.tools import Tool, tool
from steersman_runner.tools.process import run_process
from steersman_runner.tools.process_group import group_alive

APIS = pytest.mark.parametrize("api", ["responses", "chat_completions"])


async def stop(turn: asyncio.Task[Answer]) -> None:
    turn.cancel()
    await asyncio.wait({turn})
    assert turn.cancelled()


def start(b: Bench, desk: RecordingDesk, *tools: Tool) -> asyncio.Task[Answer]:
    work = b.work(user("hi"), tools=[each.name for each in tools])
    return asyncio.create_task(b.harness.run(work, desk))


def calling(*tools: Tool) -> dict[str, object]:
    return {"tool_calls": [{"name": each.name} for each in tools]}


@APIS
async def test_a_stop_at_the_gate_closes_the_request(api: str) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"block": True})
        turn = start(b, RecordingDesk())
        await b.mock.wait_for_pending()
        await stop(turn)
        [record] = await b.mock.wait_for_closed()
        assert record["closed"] == "disconnected"
        assert await b.mock.pending() == 0


@APIS
async def test_a_stop_between_chunks_closes_the_request_and_the_text_was_told(api: str) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"text": "partial text", "block_after": 7})
        desk = RecordingDesk()
        turn = start(b, desk)
        await desk.said.wait()
        await b.mock.wait_for_pending()
        await stop(turn)
        assert (await b.mock.wait_for_closed())[0]["closed"] == "disconnected"
    assert desk.text == "partial"
    assert desk.log == []


@APIS
async def test_the_next_turn_after_a_stop_is_answered(api: str) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"block": True}, {"text": "here"})
        turn = start(b, RecordingDesk())
        await b.mock.wait_for_pending()
        await stop(turn)
        assert text_of(await b.answer(user("again"))) == "here"


@APIS
async def test_of_two_tools_the_finished_ones_output_is_kept(api: str) -> None:
    entered = asyncio.Event()
    ended = asyncio.Event()

    @tool
    async def quick() -> str:
        return "done"

    @tool
    async def slow() -> str:
        entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            ended.set()
        return "never"

    async with bench(api, quick, slow) as b:
        await b.mock.configure("m", calling(quick, slow))
        desk = RecordingDesk()
        turn = start(b, desk, quick, slow)
        await entered.wait()
        while not desk.outputs:
            desk.reported.clear()
            await desk.reported.wait()
        await stop(turn)
        assert ended.is_set()
    assert [item.output for item in desk.outputs] == ["done"]


async def test_a_tool_that_ends_in_the_instant_of_the_stop_loses_no_output() -> None:
    """The stop comes when the tool has returned and nobody has looked yet."""
    turns: list[asyncio.Task[Answer]] = []

    @tool
    async def last() -> str:
        asyncio.get_running_loop().call_soon(turns[0].cancel)
        return "made it"

    async with bench("responses", last) as b:
        await b.mock.configure("m", calling(last))
        desk = RecordingDesk()
        turns.append(start(b, desk, last))
        await asyncio.wait(turns)
    assert turns[0].cancelled()
    assert [item.output for item in desk.outputs] == ["made it"]


async def test_a_stop_does_not_wait_for_the_acknowledgement_of_an_output() -> None:
    @tool
    async def last() -> str:
        desk.acknowledges.clear()
        asyncio.get_running_loop().call_soon(turn.cancel)
        return "made it"

    async with bench("responses", last) as b:
        await b.mock.configure("m", calling(last))
        desk = RecordingDesk()
        turn = start(b, desk, last)
        async with asyncio.timeout(5):
            await asyncio.wait({turn})
    assert turn.cancelled()
    assert len(desk.outputs) == 1


async def test_a_plain_function_is_awaited_and_what_it_did_is_reported() -> None:
    loop = asyncio.get_running_loop()
    entered = asyncio.Event()
    read_end, write_end = os.pipe()

    @tool
    def write_down() -> str:
        loop.call_soon_threadsafe(entered.set)
        return os.read(read_end, 10).decode()

    async with bench("responses", write_down) as b:
        await b.mock.configure("m", calling(write_down))
        desk = RecordingDesk()
        turn = start(b, desk, write_down)
        await entered.wait()
        turn.cancel()
        done, _ = await asyncio.wait({turn}, timeout=0.05)
        assert not done
        os.write(write_end, b"written")
        await asyncio.wait({turn})
    os.close(read_end)
    os.close(write_end)
    assert turn.cancelled()
    assert [(item.output, item.status) for item in desk.outputs] == [
        ("written", ITEM_STATUS_COMPLETED)
    ]


@APIS
async def test_a_process_tree_is_gone_before_the_stop_is_confirmed(
    api: str, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    os.mkfifo(ready)

    @tool
    async def build() -> str:
        script = f"echo started; (trap '' TERM; sleep 60) & echo $$ > {ready}; sleep 60"
        return (await run_process(["sh", "-c", script], term_grace=0.1)).output

    async with bench(api, build) as b:
        await b.mock.configure("m", calling(build))
        desk = RecordingDesk()
        turn = start(b, desk, build)
        group = int(await asyncio.to_thread(ready.read_text))
        assert group_alive(group)
        await stop(turn)
        assert not group_alive(group)
    [output] = desk.outputs
    assert output.output == "started\n[stopped before it ended]"
    assert output.status == ITEM_STATUS_INCOMPLETE


async def test_a_stop_while_a_round_is_not_acknowledged_runs_no_tool() -> None:
    ran = asyncio.Event()

    @tool
    async def mark() -> str:
        ran.set()
        return "marked"

    async with bench("responses", mark) as b:
        await b.mock.configure("m", calling(mark))
        desk = RecordingDesk()
        desk.acknowledges.clear()
        turn = start(b, desk, mark)
        await desk.reported.wait()
        await stop(turn)
    assert not ran.is_set()
    assert desk.outputs == []
