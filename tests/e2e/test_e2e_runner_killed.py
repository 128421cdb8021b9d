"""SIGKILL of a runner in the middle of a turn: what moves, what runs again, and what must not."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from live_history import outputs
from live_house import House
from live_scene import Stage, calling, playing, set_up

from steersman import short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    with House(tmp_path_factory.mktemp("lost"), disconnect_grace=0.2) as house:
        async with set_up(house) as opened:
            yield opened


async def connected(stage: Stage, name: str) -> None:
    runner = stage.house.runner(name)
    await asyncio.to_thread(runner.said, "runner_connected")


async def test_a_turn_moves_and_only_what_may_run_twice_runs_twice(stage: Stage) -> None:
    await connected(stage, "first")
    async with playing(stage, "mover") as scene:
        calls = calling(("again", "ended"), ("again", "open"), ("once", "started"))
        await scene.begin(calls, {"text": "done"})
        (await stage.desk.visit("ended")).answer("kept")
        await stage.desk.visit("open")
        await stage.desk.visit("started")
        await scene.watcher.until("call_started")
        while len(outputs([event.item for event in scene.watcher.events])) < 1:
            await scene.watcher.up_to(len(scene.watcher.events) + 1)
        stage.house.runners["first"].kill()
        await connected(stage, "second")
        (await stage.desk.visit("open", number=2)).answer("ran again")
        turn = await scene.sent[0].turn.wait()
        assert short(turn, "state") == "completed"
        assert (turn.attempt, getattr(turn, "try"), turn.runner_id) == (1, 2, "second")
        assert stage.desk.runs("ended") == ["again"]
        assert stage.desk.runs("open") == ["again", "again"]
        assert stage.desk.runs("started") == ["once"]
        answers = [text(item) for item in await scene.items() if item.call_item_id]
        assert {"kept", "ran again"} < set(answers)
        assert "unknown" in outputs(await scene.items())["once"].output
        # The round that was durable was not asked for again.
        assert len(await stage.mock.requests("mover")) == 2
        await scene.follow_up()


async def test_what_is_not_durable_is_asked_again_or_ends_as_the_agent_says(stage: Stage) -> None:
    await connected(stage, "third")
    story = {"text": "Once upon a time", "block_after": 4}
    async with (
        playing(stage, "moves") as moves,
        playing(stage, "fails", on_runner_loss="fail") as fails,
    ):
        if "second" in stage.house.runners:
            stage.house.runners["second"].kill()
        await moves.begin(story, {"text": "Once more"})
        await fails.begin(story, {"text": "never asked"})
        await moves.watcher.until_text(4)
        await fails.watcher.until_text(4)
        stage.house.runners["third"].kill()
        failed = await fails.sent[0].turn.wait()
        assert (short(failed, "state"), failed.error.code) == ("failed", "runner_lost")
        assert len(await stage.mock.requests("fails")) == 1
        await connected(stage, "fourth")
        turn = await moves.sent[0].turn.wait()
        assert (short(turn, "state"), getattr(turn, "try"), turn.runner_id) == (
            "completed",
            2,
            "fourth",
        )
        said = [text(item) for item in await moves.items()]
        assert said == ["begin", "Once more"]
        await moves.follow_up()
        await fails.follow_up()
