"""An interrupt of a real runner: in the model call, between chunks, in tools and process trees."""

from pathlib import Path

import pytest
from idle import closed_requests, follow_up_at_idle, interrupted_turn
from live_history import outputs
from live_process import PATIENCE, is_there
from live_scene import Stage, calling, playing
from process_tree import next_ids, told_ids

from steersman import short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")

APIS = pytest.mark.parametrize("api", ["responses", "chat_completions"])
STORY = "Es war einmal … 🌍 a lighthouse, and its keeper wrote letters."
SEEN = 24


@APIS
async def test_blocked_at_a_gate_the_models_request_is_closed(stage: Stage, api: str) -> None:
    async with playing(stage, f"gate-{api[0]}", options={"api": api}) as scene:
        await scene.begin({"text": "never said", "block": True}, {"text": "here"})
        await stage.mock.wait_for_pending(timeout=PATIENCE)
        asked = await scene.session.interrupt(wait="settled", wait_timeout=30)
        assert short(asked, "state") == "confirmed"
        # Confirmed means closed: the model knows it already, or learns it from the socket now.
        assert await closed_requests(scene) == ["disconnected"]
        assert await stage.mock.pending() == 0
        items = await interrupted_turn(scene, asked.turn_id)
        assert [item.marker for item in items] == ["", "interrupted"]
        await follow_up_at_idle(scene)


@APIS
async def test_between_chunks_the_partial_text_stays_exactly_as_watchers_saw_it(
    stage: Stage, api: str
) -> None:
    async with playing(stage, f"chunks-{api[0]}", options={"api": api}) as scene:
        await scene.begin({"text": STORY, "deltas": 12, "block_after": SEEN}, {"text": "here"})
        await scene.watcher.until_text(SEEN)
        asked = await scene.session.interrupt()
        items = await interrupted_turn(scene, asked.turn_id)
        assert await closed_requests(scene) == ["disconnected"]
        partial = items[1]
        assert text(partial) == scene.watcher.text() == STORY[:SEEN]
        assert (short(partial, "status"), partial.truncated) == ("incomplete", False)
        assert [item.marker for item in items] == ["", "", "interrupted"]
        body = await follow_up_at_idle(scene)
        assert STORY[:SEEN] in str(body["input" if api == "responses" else "messages"])


@pytest.mark.parametrize(("tool", "processes"), [("plain_tree", 2), ("tree", 4)])
async def test_of_a_tool_that_runs_a_process_tree_nothing_is_left_when_it_is_confirmed(
    stage: Stage, tool: str, processes: int, tmp_path: Path
) -> None:
    fifo = tmp_path / "ids"
    call = {"name": tool, "arguments": {"fifo": str(fifo)}}
    name = tool.replace("_", "-")
    async with told_ids(fifo) as reader, playing(stage, name, tools=[tool]) as scene:
        await scene.begin({"tool_calls": [call]}, {"text": "here"})
        ids = await next_ids(reader, processes)
        assert all(map(is_there, ids))
        await scene.session.interrupt()
        confirmed = await scene.watcher.until("interrupt_confirmed")
        assert [pid for pid in ids if is_there(pid)] == []
        items = await interrupted_turn(scene, confirmed.turn_id)
        assert len(outputs(items)) == 1
        await follow_up_at_idle(scene)


async def test_programs_that_tools_start_beside_a_busy_link_all_begin(stage: Stage) -> None:
    """A child that is forked while the link's threads work would die before its program."""
    async with playing(stage, "many", tools=["many"]) as scene:
        call = {"name": "many", "arguments": {"times": 60}}
        await scene.begin({"tool_calls": [call]}, {"text": "here"})
        turn = await scene.sent[0].turn.wait()
        assert short(turn, "state") == "completed"
        assert outputs(await scene.items())["many"].output == "[7]"


async def test_of_two_tools_the_finished_ones_output_stays_and_the_other_gets_one(
    stage: Stage,
) -> None:
    async with playing(stage, "two-tools") as scene:
        await scene.begin(calling(("again", "quick"), ("once", "slow")), {"text": "here"})
        await stage.desk.visit("slow")
        (await stage.desk.visit("quick")).answer("done it")
        await scene.watcher._wait(
            lambda: any(event.item.output == "done it" for event in scene.watcher.events)
        )
        asked = await scene.session.interrupt(wait="settled", wait_timeout=30)
        assert short(asked, "state") == "confirmed"
        found = outputs(await interrupted_turn(scene, asked.turn_id))
        assert (found["again"].output, found["again"].synthetic) == ("done it", False)
        assert "interrupted" in found["once"].output
        assert found["once"].synthetic
        await follow_up_at_idle(scene)


async def test_rolled_back_text_is_gone_and_the_next_request_does_not_know_of_it(
    stage: Stage,
) -> None:
    async with playing(stage, "rollback") as scene:
        await scene.begin({"text": STORY, "deltas": 12, "block_after": SEEN}, {"text": "here"})
        await scene.watcher.until_text(SEEN)
        asked = await scene.session.interrupt(mode="rollback", wait="settled", wait_timeout=30)
        assert short(asked, "state") == "confirmed"
        assert await closed_requests(scene) == ["disconnected"]
        turn = await (await scene.say("again")).turn.wait()
        assert short(turn, "state") == "completed"
        told = str((await stage.mock.requests("rollback"))[-1]["body"]["input"])
        assert STORY[:SEEN] not in told
        assert "interrupted" not in told
