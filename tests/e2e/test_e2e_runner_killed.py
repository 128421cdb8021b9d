"""SIGKILL of a runner in the middle of turns: what moves, what runs again, and what must not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import NamedTuple

import pytest
import pytest_asyncio
from live_history import outputs
from live_house import House
from live_scene import Scene, Stage, calling, playing, set_up

from steersman import short, text
from steersman.v1.turn_pb2 import Turn

pytestmark = pytest.mark.asyncio(loop_scope="module")

STORY = {"text": "Once upon a time", "block_after": 4}


class Left(NamedTuple):
    """What the runner `first` left behind. `second` is there."""

    stage: Stage
    # Three calls of one round: one had ended, one may run twice, one must not.
    calls: Scene
    # In the middle of an answer, of agents that want a lost turn moved, and failed.
    moves: Scene
    fails: Scene


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def left(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Left]:
    async with AsyncExitStack() as stack:
        house = House(tmp_path_factory.mktemp("lost"), disconnect_grace=0.2)
        stage = await stack.enter_async_context(set_up(stack.enter_context(house)))
        await connected(stage, "first")
        calls, moves, fails = [
            await stack.enter_async_context(playing(stage, name, on_runner_loss=policy))
            for name, policy in {"calls": "move", "moves": "move", "fails": "fail"}.items()
        ]
        round_ = calling(("again", "ended"), ("again", "open"), ("once", "started"))
        await calls.begin(round_, {"text": "done"})
        await moves.begin(STORY, {"text": "Once more"})
        await fails.begin(STORY, {"text": "never asked"})
        (await stage.desk.visit("ended")).answer("kept")
        await calls.watcher.until_outputs(1)
        await stage.desk.visit("open")
        await stage.desk.visit("started")
        await moves.watcher.until_text(4)
        await fails.watcher.until_text(4)
        house.runners["first"].kill()
        await connected(stage, "second")
        yield Left(stage, calls, moves, fails)


async def connected(stage: Stage, name: str) -> None:
    runner = stage.house.runner(name)
    await asyncio.to_thread(runner.said, "runner_connected")


def moved(turn: Turn) -> bool:
    """Whether it completed in its second try, on the second runner."""
    where = (turn.attempt, getattr(turn, "try"), turn.runner_id)
    return short(turn, "state") == "completed" and where == (1, 2, "second")


async def test_only_what_may_run_twice_runs_twice(left: Left) -> None:
    desk, scene = left.stage.desk, left.calls
    (await desk.visit("open", number=2)).answer("ran again")
    assert moved(await scene.sent[0].turn.wait())
    assert desk.runs("ended") == ["again"]
    assert desk.runs("open") == ["again", "again"]
    assert desk.runs("started") == ["once"]
    history = await scene.items()
    assert {"kept", "ran again"} < {text(item) for item in history if item.call_item_id}
    assert "unknown" in outputs(history)["once"].output
    # The round that was durable was not asked for again.
    assert len(await scene.mock.requests(scene.name)) == 2
    await scene.follow_up()


async def test_a_turn_moves_and_its_answer_is_asked_for_again(left: Left) -> None:
    scene = left.moves
    assert moved(await scene.sent[0].turn.wait())
    assert [text(item) for item in await scene.items()] == ["begin", "Once more"]
    await scene.follow_up()


async def test_a_turn_of_an_agent_that_wants_it_so_fails_with_its_runner(left: Left) -> None:
    scene = left.fails
    turn = await scene.sent[0].turn.wait()
    assert (short(turn, "state"), turn.error.code) == ("failed", "runner_lost")
    assert len(await scene.mock.requests(scene.name)) == 1
    await scene.follow_up()
