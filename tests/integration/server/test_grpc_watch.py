"""WatchSession: a snapshot, every event once and in order from any cursor, live text, endings."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from raw_runner import RawRunner, a_call, raw_runner
from server_house import CHANNEL, Door, House, running_house
from server_refusals import refusal, refused
from server_watching import Watching, dense, kinds, log_of, watching

from steersman import kind, short

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def talkative(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A server that tells its watchers often that it is there."""
    folder = tmp_path_factory.mktemp("talkative")
    async with running_house(folder, watch_progress=0.05) as opened:
        yield opened


async def long_turns(house: House, runner: RawRunner, session_id: str) -> AsyncIterator[None]:
    """Two turns with tools and an interrupt; yields after each commit."""
    held = await runner.taken()
    yield
    await house.send(session_id, "next")
    yield
    first, second = a_call(), a_call()
    await runner.round(held, first, second)
    yield
    await runner.output(held, first, "1")
    yield
    await house.client.Interrupt(session_id=session_id, queued="QUEUED_INPUTS_KEEP")
    yield
    await runner.stop()
    await runner.stopped(held, "par")
    yield
    held = await runner.taken()
    yield
    await runner.complete(held, "end")
    yield


async def test_a_watch_cut_at_every_event_and_resumed_loses_and_doubles_nothing(
    house: House,
) -> None:
    async with raw_runner(house) as runner, AsyncExitStack() as stack:
        session = await house.session(await house.agent(runner.harness), "go")
        watches: dict[int, Watching] = {}
        async for _ in long_turns(house, runner, session.id):
            head = (await house.client.GetSession(session_id=session.id)).head_sequence
            for cursor in range(head + 1):
                if cursor in watches:
                    continue
                # One that takes so many events and is cut, and one that resumes behind it.
                async with watching(house.client, session.id) as cut:
                    if cursor:
                        await cut.up_to(cursor)
                    taken = cut.events[:cursor]
                resumed = await stack.enter_async_context(
                    watching(house.client, session.id, after_sequence=cursor)
                )
                resumed.events.extend(taken)
                watches[cursor] = resumed
        whole = await log_of(house.client, session.id)
        for watch in watches.values():
            await watch.up_to(len(whole))
    assert len(watches) == len(whole) + 1 >= 20
    assert dense(whole)
    for watch in watches.values():
        assert watch.events == whole


async def test_the_snapshot_comes_first_with_session_and_head(house: House) -> None:
    session = await house.session(await house.agent("nobody"), "go", title="named")
    await house.send(session.id, "waits")
    async with watching(house.client, session.id) as watch:
        shown = watch.snapshot.session
        assert (shown.id, shown.title, short(shown, "status")) == (session.id, "named", "running")
        assert shown.active_turn.id == session.active_turn.id
        assert [p.content[0].text for p in shown.pending_inputs] == ["waits"]
        assert watch.snapshot.head_sequence == 4
        assert not watch.snapshot.HasField("in_flight")


async def test_an_unset_cursor_means_from_now(house: House) -> None:
    session = await house.session(await house.agent("nobody"), "go")
    async with watching(house.client, session.id, after_sequence=None) as watch:
        await house.send(session.id, "later")
        event = await watch.until("input_queued")
    assert (len(watch.events), event.sequence) == (1, watch.snapshot.head_sequence + 1)


@pytest.mark.parametrize("cursor", [2, 10**15, -1])
async def test_a_cursor_past_the_head_is_invalid(house: House, cursor: int) -> None:
    session = await house.session(await house.agent("nobody"))
    call = house.client.WatchSession(session_id=session.id, after_sequence=cursor)
    met = await refused(call.read(), "invalid_cursor")
    assert (met.details["cursor"], met.details["head"]) == (str(cursor), "1")


async def test_an_unknown_session_is_not_found(house: House) -> None:
    met = await refused(house.client.WatchSession(session_id="sess_none").read(), "not_found")
    assert met.details == {"resource": "session", "id": "sess_none"}


async def test_every_watcher_gets_the_end_of_the_turn(house: House) -> None:
    async with raw_runner(house) as runner, AsyncExitStack() as stack:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        watches = [
            await stack.enter_async_context(watching(house.client, session.id)) for _ in range(10)
        ]
        await runner.complete(held)
        for watch in watches:
            await watch.until("turn_completed")


async def test_closing_a_watch_interrupts_nothing(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with watching(house.client, session.id):
            pass
        await runner.silent()
        await runner.complete(held)
    assert kinds(await log_of(house.client, session.id))[-1] == "turn_completed"


async def test_progress_tells_the_head_of_a_watch_where_nothing_happens(talkative: House) -> None:
    session = await talkative.session(await talkative.agent("nobody"), "go")
    async with watching(talkative.client, session.id) as watch:
        while len(watch.progress) < 3:
            await watch.frame()
    assert watch.progress == [3, 3, 3]
    assert len(watch.events) == 3


async def test_progress_comes_also_while_text_streams_that_nobody_asked_for(
    talkative: House,
) -> None:
    async with raw_runner(talkative) as runner:
        session = await talkative.session(await talkative.agent(runner.harness), "go")
        held = await runner.taken()

        async def stream() -> None:
            for offset in range(10_000):
                await runner.delta(held, offset, "x")
                await asyncio.sleep(0.005)

        streaming = asyncio.create_task(stream())
        try:
            async with watching(talkative.client, session.id, include_deltas=False) as watch:
                while len(watch.progress) < 3:
                    await watch.frame()
                assert not streaming.done()
            assert not watch.deltas
        finally:
            streaming.cancel()


async def test_a_watch_of_a_session_that_is_deleted_ends_with_not_found(house: House) -> None:
    session = await house.session(await house.agent("nobody"))
    async with watching(house.client, session.id) as watch:
        await watch.up_to(1)
        await house.client.DeleteSession(session_id=session.id)
        met = await refused(watch.frame(), "not_found")
    assert met.details["id"] == session.id


async def to_the_end(stream: Any) -> None:
    while await stream.read():
        pass


async def test_a_server_that_leaves_ends_every_stream_with_draining(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running_house(tmp_path))
        async with grpc.aio.insecure_channel(house.address, options=CHANNEL) as channel:
            client = Door(channel, house.tokens["client"])
            runner = RawRunner(Door(channel, house.tokens["runner"]))
            await runner.greeted()
            session = await house.session(await house.agent(runner.harness), "go")
            held = await runner.taken()
            watched = client.WatchSessions()
            await watched.read()
            async with watching(client, session.id) as watch:
                await watch.until("turn_running")
                await stack.aclose()
                await refused(watch.frame(), "draining")
            await refused(to_the_end(watched), "draining")
            error = await runner.ended()
            assert error is not None
            assert refusal(error).reason == "draining"
            await runner.close()
    async with running_house(tmp_path) as again:
        shown = await again.client.GetTurn(session_id=session.id, turn_id=held.turn_id)
        assert (short(shown, "state"), shown.epoch) == ("running", held.epoch)
        assert kind((await log_of(again.client, session.id))[-1]) == "turn_running"
