"""Two things at once, put in an order by holding the store still. What is slow lives elsewhere."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from raw_runner import RawRunner, raw_runner
from server_house import House, fresh, within
from server_watching import Watching, dense, watching

from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.notices import SessionAdvanced
from steersman_server.hub.link import Link
from steersman_server.store.store import READERS

pytestmark = pytest.mark.asyncio(loop_scope="module")


@asynccontextmanager
async def standing_still(house: House, what: str) -> AsyncIterator[None]:
    """What is handed to the store's writer, or to its readers, waits inside the context."""
    work = house.serving.store.write if what == "writer" else house.serving.store.read
    gate, loop, held = threading.Event(), asyncio.get_running_loop(), asyncio.Event()
    count = 1 if what == "writer" else READERS
    left = [None] * count

    def hold(_: Any) -> None:
        left.pop()
        if not left:
            loop.call_soon_threadsafe(held.set)
        gate.wait(10)

    holding = [asyncio.create_task(work(hold)) for _ in range(count)]
    try:
        await within(held.wait())
        yield
    finally:
        gate.set()
        await asyncio.gather(*holding)


async def attached(house: House, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once the next runner has said hello and waits for its welcome."""
    seen, attach = asyncio.Event(), house.serving.hub.attach

    def noticing(link: Link) -> None:
        attach(link)
        seen.set()

    monkeypatch.setattr(house.serving.hub, "attach", noticing)
    return seen


async def test_nothing_is_sent_before_the_welcome_not_even_a_turn_that_waits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = fresh("greedy")
    session = await house.session(await house.agent(harness), "go")
    seen = await attached(house, monkeypatch)
    runner = RawRunner(house.runner, harness=harness)
    async with standing_still(house, "writer"):
        await runner.hello()
        await within(seen.wait())
        house.serving.hub.capacity.set()  # as if a slot had become free elsewhere
        await house.client.GetSession(session_id=session.id)
    assert (await runner.next()).HasField("welcome")
    assert (await runner.start()).session_id == session.id
    await runner.silent()
    await runner.close()


async def test_an_interrupt_that_meets_a_hello_is_one_stop_behind_the_welcome(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        runner.cut()
    seen = await attached(house, monkeypatch)
    back = RawRunner(house.runner, runner.runner_id)
    async with standing_still(house, "writer"):
        asking = asyncio.create_task(house.client.Interrupt(session_id=session.id))
        await house.client.GetSession(session_id=session.id)
        claim = {"turn_id": held.turn_id, "epoch": held.epoch, "acknowledged": 1}
        await back.hello(working_on=[claim])
        await within(seen.wait())
        await house.client.GetSession(session_id=session.id)
    asked = await within(asking)
    assert (await back.next()).HasField("welcome")
    assert (await back.stop()).interrupt_id == asked.id
    await back.silent()
    await back.close()


async def test_an_event_committed_while_a_watch_begins_is_told_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await house.session(await house.agent("nobody"), "go")
    listening, subscribe = asyncio.Event(), LocalBus.subscribe

    def noticing(bus: LocalBus, topic: str, handler: Any) -> Any:
        if topic == topics.session(session.id):
            listening.set()
        return subscribe(bus, topic, handler)

    monkeypatch.setattr(LocalBus, "subscribe", noticing)
    call = house.client.WatchSession(session_id=session.id, after_sequence=0)
    async with standing_still(house, "readers"):
        await within(listening.wait())
        await house.send(session.id, "between")
    watch = Watching(call)
    await watch.up_to(4)
    await house.send(session.id, "after")
    await watch.up_to(5)
    call.cancel()
    assert watch.snapshot.head_sequence == 4
    assert dense(watch.events)


async def test_a_ring_that_is_lost_costs_no_event(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await house.session(await house.agent("nobody"), "go")
    async with watching(house.client, session.id) as watch:
        await watch.up_to(3)
        with monkeypatch.context() as deaf:
            publish = LocalBus.publish

            def losing(bus: LocalBus, topic: str, message: object) -> None:
                if not isinstance(message, SessionAdvanced):
                    publish(bus, topic, message)

            deaf.setattr(LocalBus, "publish", losing)
            await house.send(session.id, "unheard")
        await house.send(session.id, "heard")
        await watch.up_to(5)
    assert dense(watch.events)
