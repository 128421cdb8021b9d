"""SIGKILL of the server between any two steps of a turn, with the runners alive."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from kill_points import LIVES, Point
from live_history import each_once, items_of, markers
from live_house import House
from live_proxy import proxy_to
from live_scene import Scene, Stage, playing, set_up

from steersman import kind, short

pytestmark = pytest.mark.asyncio(loop_scope="module")

# No clock decides here: a slow start of the server ends no lease and forces no interrupt.
NEVER = {"lease": 60, "isolation_limit": 60, "interrupt_grace": 60}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    with House(tmp_path_factory.mktemp("killed"), **NEVER) as house:
        async with proxy_to(house.address) as (proxy, address), set_up(house) as opened:
            house.ways["narrow"] = proxy
            house.runner("wide", "--slots", "16")
            house.runner("narrow", "--slots", "2", "--server", address)
            for runner in house.runners.values():
                await asyncio.to_thread(runner.said, "runner_connected")
            yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def life(stage: Stage, request: pytest.FixtureRequest) -> AsyncIterator[dict[str, Scene]]:
    """The scenes of one life of the server, after its end and the start of the next one."""
    points = LIVES[request.param]
    async with AsyncExitStack() as stack:
        scenes = {
            point.name: await stack.enter_async_context(
                playing(stage, point.name, runner_id=point.runner_id)
            )
            for point in points
        }
        await live(stage, points, scenes, answers_while_down=request.param == "while down")
        yield scenes


async def live(
    stage: Stage, points: Sequence[Point], scenes: dict[str, Scene], *, answers_while_down: bool
) -> None:
    """Reach every point, kill the server, start it again, and let the turns go on."""
    gates = 0
    plays = [(point, point.steps(scenes[point.name])) for point in points]
    for point, steps in plays:
        scenes[point.name].gates_before = gates
        await anext(steps)
        gates += point.gates
        await stage.mock.wait_for_pending(gates, timeout=30)
    stage.house.crash()
    for scene in scenes.values():
        scene.acknowledged = list(scene.watcher.events)
    if answers_while_down:
        await stage.mock.release()
    for _, steps in plays:
        await anext(steps)
    runners = {runner: len(runner.lines) for runner in stage.house.runners.values()}
    await asyncio.to_thread(stage.house.serve)
    for runner, said in runners.items():
        await asyncio.to_thread(runner.said, "runner_connected", said)
    for scene in scenes.values():
        await scene.watcher.until_resumed()
    await stage.mock.release()
    for _, steps in plays:
        await anext(steps, None)


@pytest.mark.parametrize(
    ("life", "point"),
    [
        pytest.param(life, point, id=point.name)
        for life, points in LIVES.items()
        for point in points
    ],
    indirect=["life"],
    scope="module",
)
async def test_a_server_killed_in_a_turn_loses_nothing_and_doubles_nothing(
    life: dict[str, Scene], point: Point
) -> None:
    scene = life[point.name]
    turns = [await sent.turn.wait() for sent in scene.sent]
    log = await scene.log()
    history = items_of(log)
    assert [short(turn, "state") for turn in turns] == [point.ends] * len(turns)
    # What OK was said to is there, and once.
    assert {sent.response.item_id for sent in scene.sent} <= {item.id for item in history}
    assert each_once(history)
    # The runner went on with what it had: no second try, no second run, no second request.
    for turn in turns:
        assert (getattr(turn, "try"), turn.runner_id) == (1, point.runner_id)
    assigned = [event.turn_id for event in log if kind(event) == "turn_assigned"]
    assert sorted(assigned) == sorted(turn.id for turn in turns)
    assert len(scene.desk.runs(scene.name)) <= 1
    assert len(await scene.mock.requests(scene.name)) == point.asked
    await scene.follow_up()


@pytest.mark.parametrize(
    ("life", "point"),
    [
        pytest.param(life, point, id=point.name)
        for life, points in LIVES.items()
        for point in points
        if point.ends == "interrupted"
    ],
    indirect=["life"],
    scope="module",
)
async def test_an_interrupt_survives_the_server_and_is_confirmed_once(
    life: dict[str, Scene], point: Point
) -> None:
    scene = life[point.name]
    turn = await scene.sent[0].turn.wait()
    interrupts = [one async for one in scene.session.interrupts()]
    assert [(one.turn_id, short(one, "state")) for one in interrupts] == [(turn.id, "confirmed")]
    history = await scene.items()
    of_turn = [item for item in history if item.turn_id == turn.id]
    assert len(markers(history)) == 1
    assert of_turn[-1].marker == "interrupted"
