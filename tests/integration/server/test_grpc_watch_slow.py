"""A watcher that does not read: bounded, told so, and then told exactly everything; alone in it."""

import grpc
import pytest
from raw_runner import raw_runner
from server_house import CHANNEL, Door, House
from server_watching import Watching, dense, watching

from steersman_server.rpc import watch_inbox
from steersman_server.wire import events as wire_events

pytestmark = pytest.mark.asyncio(loop_scope="module")

NARROW = (*CHANNEL, ("grpc.http2.bdp_probe", 0))
MESSAGES = 40
BIG = "x" * 100_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_inbox, "WAITING", 4)
    monkeypatch.setattr(watch_inbox, "TEXT", 200_000)


async def catch_up(slow: Watching, head: int) -> None:
    await slow.up_to(head)
    assert dense(slow.events)
    assert slow.lagging
    assert all(sequence < head for sequence in slow.lagging)


@pytest.mark.usefixtures("small")
async def test_a_slow_watcher_lags_and_then_gets_everything_while_another_never_notices(
    house: House,
) -> None:
    session = await house.session(await house.agent("nobody"), "go")
    async with grpc.aio.insecure_channel(house.address, options=NARROW) as channel:
        door = Door(channel, house.tokens["client"])
        async with watching(door, session.id) as slow, watching(house.client, session.id) as quick:
            for _ in range(MESSAGES):
                await house.send(session.id, BIG)
                await quick.up_to(len(quick.events) + 1 if quick.events else 4)
            head = quick.events[-1].sequence
            assert head == 3 + MESSAGES
            assert not quick.lagging
            await catch_up(slow, head)
            assert slow.events == quick.events
            # It is a watcher like any other again.
            await house.client.UpdateSession(session={"id": session.id, "title": "after"})
            await slow.until("session_updated")


@pytest.mark.usefixtures("small")
async def test_text_that_is_not_read_is_given_up_and_the_events_are_not(house: House) -> None:
    async with (
        raw_runner(house) as runner,
        grpc.aio.insecure_channel(house.address, options=NARROW) as channel,
    ):
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        door = Door(channel, house.tokens["client"])
        async with watching(door, session.id) as slow:
            for number in range(MESSAGES):
                await runner.delta(held, number * len(BIG), BIG)
                await runner.silent()
            await runner.complete(held, "the end")
            await slow.until("turn_completed")
        assert slow.lagging
        assert dense(slow.events)
        assert sum(len(delta.text) for delta in slow.deltas) < MESSAGES * len(BIG)


async def test_frames_of_a_replay_are_cut_at_4_mebibytes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wire_events.PAGE_BYTES == 4 * 1024 * 1024
    monkeypatch.setattr(wire_events, "PAGE_BYTES", 100_000)
    session = await house.session(await house.agent("nobody"), "go")
    for _ in range(7):
        await house.send(session.id, "y" * 30_000)
    call = house.client.WatchSession(session_id=session.id, after_sequence=0)
    await call.read()
    frames = [await call.read() for _ in range(3)]
    call.cancel()
    assert [len(frame.events.events) for frame in frames] == [6, 3, 1]
    assert max(frame.ByteSize() for frame in frames) < 101_000
