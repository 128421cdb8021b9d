"""SIGKILL of the server between the request and the settle: it settles once, after the start."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from idle import follow_up_at_idle, interrupted_turn
from live_house import House
from live_scene import Scene, Stage, calling, playing, set_up

from steersman import kind, short

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fragile(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """A server that is killed. However slow its start is, no clock ends anything."""
    folder = tmp_path_factory.mktemp("fragile")
    with House(folder, lease=60, isolation_limit=60, interrupt_grace=60) as house:
        house.runner("busy", "--slots", "4").said("runner_connected")
        async with set_up(house) as opened:
            yield opened


async def restarted(stage: Stage, scene: Scene, *, grace: float = 60) -> None:
    stage.house.crash()
    stage.house._settings["STEERSMAN_INTERRUPT_GRACE"] = str(grace)
    scene.acknowledged = list(scene.watcher.events)
    await asyncio.to_thread(stage.house.serve)
    await scene.watcher.until_resumed()


async def test_killed_after_the_runner_has_the_stop_it_is_confirmed_by_the_runner(
    fragile: Stage,
) -> None:
    async with playing(fragile, "confirmed-later") as scene:
        await scene.begin(calling(("stubborn", "slow")), {"text": "here"})
        visit = await fragile.desk.visit("slow")
        asked = await scene.session.interrupt(wait="delivered")
        await visit.stopping()
        await restarted(fragile, scene)
        visit.answer()
        await interrupted_turn(scene, asked.turn_id)
        await follow_up_at_idle(scene)
        done = await scene.session.get_interrupt(asked.id)
        assert short(done, "state") == "confirmed"
        assert done.delivered_at == asked.delivered_at
        assert [i.id async for i in scene.session.interrupts()] == [asked.id]


async def test_killed_and_the_runner_never_confirms_it_is_forced_after_a_new_grace(
    fragile: Stage,
) -> None:
    async with playing(fragile, "forced-later") as scene:
        await scene.begin(calling(("stubborn", "deaf")), {"text": "here"})
        visit = await fragile.desk.visit("deaf")
        asked = await scene.session.interrupt()
        await visit.stopping()
        await restarted(fragile, scene, grace=1)
        await interrupted_turn(scene, asked.turn_id)
        await follow_up_at_idle(scene)
        done = await scene.session.get_interrupt(asked.id)
        assert short(done, "state") == "forced"
        assert done.may_run_until.ToMicroseconds() > done.settled_at.ToMicroseconds()
        # What the dropped work says at last changes nothing.
        head = (await scene.session.refresh()).head_sequence
        visit.answer("too late")
        await visit.gone()
        assert (await scene.session.refresh()).head_sequence == head
        settled = [e for e in await scene.log() if kind(e) == "interrupt_forced"]
        assert len(settled) == 1
