"""Interrupt, the main way: a wish, its receipt, and one transaction before the session is idle."""

import asyncio

import pytest
from raw_runner import a_call, raw_runner
from server_house import House
from server_watching import Watching, history, kinds, log_of, watching

from steersman import kind, short, text
from steersman.v1.event_pb2 import Event

pytestmark = pytest.mark.asyncio(loop_scope="module")


def settle(watch: Watching) -> list[Event]:
    """The events since the interrupt was delivered."""
    at = kinds(watch.events).index("interrupt_delivered")
    return watch.events[at + 1 :]


async def test_requested_delivered_confirmed_each_with_its_time(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await house.client.Interrupt(session_id=session.id, reason="changed my mind")
        assert short(asked, "state") == "requested"
        assert (asked.turn_id, asked.attempt) == (held.turn_id, 1)
        assert (asked.actor, asked.reason) == ("client", "changed my mind")
        assert not asked.HasField("delivered_at")
        turn = await house.client.GetTurn(session_id=session.id, turn_id=held.turn_id)
        assert short(turn, "state") == "interrupting"
        stop = await runner.stop()
        assert (stop.turn_id, stop.epoch, stop.interrupt_id) == (held.turn_id, held.epoch, asked.id)
        async with watching(house.client, session.id) as watch:
            await runner.receipt(stop)
            await watch.until("interrupt_delivered")
        await runner.stopped(held)
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "confirmed"
    times = [
        stamp.ToMicroseconds() for stamp in (done.requested_at, done.delivered_at, done.settled_at)
    ]
    assert times == sorted(times)
    assert not done.HasField("may_run_until")
    [stopped] = done.stopped
    assert (stopped.turn_id, short(stopped, "state")) == (held.turn_id, "interrupted")
    turn = await house.client.GetTurn(session_id=session.id, turn_id=held.turn_id)
    assert (short(turn, "state"), turn.stop_reason) == ("interrupted", "interrupted")


async def test_one_transaction_leaves_outputs_partial_text_one_marker_and_idle(
    house: House,
) -> None:
    done, first, second = a_call("done"), a_call("first"), a_call("second")
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, done, first, second)
        await runner.output(held, done, "real")
        async with watching(house.client, session.id) as watch:
            await house.client.Interrupt(session_id=session.id)
            await runner.receipt(await runner.stop())
            await runner.stopped(held, "and then I")
            await watch.until("interrupt_confirmed")
    settled = settle(watch)
    assert kinds(settled) == [*["item_added"] * 4, "turn_interrupted", "interrupt_confirmed"]
    assert {short(event, "session_status") for event in settled} == {"idle"}
    assert len({event.created_at.ToMicroseconds() for event in settled}) == 1
    items = await house.items(session.id)
    outputs = {item.call_item_id: item for item in items if item.call_item_id}
    assert outputs.keys() == {done.id, first.id, second.id}
    assert [outputs[call.id].synthetic for call in (done, first, second)] == [False, True, True]
    partial, marker = items[-2:]
    assert (text(partial), short(partial, "status")) == ("and then I", "incomplete")
    assert (marker.marker, short(marker, "role")) == ("interrupted", "user")
    assert "interrupted" in text(marker)
    assert "abandoned" in text(marker)
    assert [item.marker for item in items].count("interrupted") == 1


async def test_no_poll_sees_idle_before_the_whole_settle_is_there(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, a_call())
        await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        ending = asyncio.create_task(runner.stopped(held, "par"))
        shown = await house.client.GetSession(session_id=session.id)
        while short(shown, "status") == "running":
            shown = await house.client.GetSession(session_id=session.id)
        items = await house.items(session.id)
        await ending
    assert short(shown, "status") == "idle"
    assert [who for who, _ in history(items)] == ["user", "call", "output", "assistant", "marker"]


async def test_a_completion_that_comes_after_the_stop_confirms_it_and_its_answer_stays(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        await runner.complete(held, "the whole answer")
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    turn = await house.client.GetTurn(session_id=session.id, turn_id=held.turn_id)
    assert (short(done, "state"), short(turn, "state")) == ("confirmed", "interrupted")
    items = await house.items(session.id)
    assert [who for who, _ in history(items)] == ["user", "assistant", "marker"]
    assert (text(items[1]), short(items[1], "status")) == ("the whole answer", "completed")


async def test_an_output_that_crosses_the_stop_is_kept(house: House) -> None:
    call = a_call()
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        await runner.output(held, call, "real")
        await runner.stopped(held)
    assert history(await house.items(session.id))[2] == ("output", "real")


async def test_an_interrupt_of_an_idle_session_is_already_idle_and_writes_no_history(
    house: House,
) -> None:
    session = await house.session(await house.agent("nobody"))
    asked = await house.client.Interrupt(session_id=session.id)
    assert (short(asked, "state"), asked.turn_id) == ("already_idle", "")
    assert kinds(await log_of(house.client, session.id)) == ["session_created"]
    for wait in ("INTERRUPT_WAIT_DELIVERED", "INTERRUPT_WAIT_SETTLED"):
        waited = await house.client.Interrupt(session_id=session.id, wait=wait)
        assert short(waited, "state") == "already_idle"


async def test_20_interrupts_at_once_are_one_with_one_stop_frame_and_one_marker(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        doors = [house.door("client") for _ in range(4)]
        asked = await asyncio.gather(
            *(door.Interrupt(session_id=session.id) for door in doors for _ in range(5))
        )
        assert len({interrupt.id for interrupt in asked}) == 1
        await runner.stop()
        await runner.silent()
        await runner.stopped(held)
    items = await house.items(session.id)
    assert [item.marker for item in items].count("interrupted") == 1
    listed = await house.client.ListInterrupts(session_id=session.id)
    assert [interrupt.id for interrupt in listed.data] == [asked[0].id]
    requested = [e for e in await log_of(house.client, session.id) if kind(e).startswith("inter")]
    assert kinds(requested) == ["interrupt_requested", "interrupt_confirmed"]


async def test_an_interrupt_that_is_over_answers_the_same_again(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        await runner.stopped(held)
        await house.send(session.id, "next")
        following = await runner.taken()
        again = await house.client.Interrupt(session_id=session.id, turn_id=held.turn_id)
        assert (again.id, short(again, "state")) == (asked.id, "confirmed")
        await runner.silent()  # the turn that runs now was not touched
        await runner.complete(following)


async def test_a_repeated_stop_frame_or_receipt_changes_nothing(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await house.client.Interrupt(session_id=session.id)
        stop = await runner.stop()
        async with watching(house.client, session.id) as watch:
            await runner.receipt(stop)
            await runner.receipt(stop)
            await watch.until("interrupt_delivered")
            await runner.stopped(held)
            await watch.until("interrupt_confirmed")
    assert kinds(watch.events).count("interrupt_delivered") == 1
