"""A message while a turn runs: who waits, where its item stands, and who is refused."""

import pytest
from raw_runner import raw_runner
from server_house import House
from server_refusals import refused
from server_watching import history, kinds, log_of, watching

from steersman import kind, short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_waiting_messages_run_first_in_first_out(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        first = await runner.taken()
        two = await house.send(session.id, "two")
        three = await house.send(session.id, "three")
        assert [(short(s, "outcome"), s.queued) for s in (two, three)] == [("queued", True)] * 2
        shown = await house.client.GetSession(session_id=session.id)
        assert [p.item_id for p in shown.pending_inputs] == [two.item_id, three.item_id]
        assert [p.content[0].text for p in shown.pending_inputs] == ["two", "three"]
        assert shown.active_turn.id == first.turn_id
        await runner.complete(first, "1")
        second = await runner.taken()
        assert second.turn_id == two.turn_id
        shown = await house.client.GetSession(session_id=session.id)
        assert [p.item_id for p in shown.pending_inputs] == [three.item_id]
        await runner.complete(second, "2")
        third = await runner.taken()
        await runner.complete(third, "3")
    assert history(await house.items(session.id)) == [
        ("user", "one"),
        ("assistant", "1"),
        ("user", "two"),
        ("assistant", "2"),
        ("user", "three"),
        ("assistant", "3"),
    ]


async def test_a_waiting_input_is_an_event_and_not_history_until_its_turn_is_active(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        held = await runner.taken()
        sent = await house.send(session.id, "two")
        assert history(await house.items(session.id)) == [("user", "one")]
        queued = (await log_of(house.client, session.id))[-1]
        assert (kind(queued), queued.input.item_id) == ("input_queued", sent.item_id)
        await runner.complete(held, "1")
        await runner.start()
    events = await log_of(house.client, session.id)
    assert [event.item.id for event in events if kind(event) == "item_added"][-1] == sent.item_id
    # The model is given it behind the answer that came before.
    assert [text(item) for item in await house.items(session.id)] == ["one", "1", "two"]


async def test_the_next_input_takes_its_place_in_the_transaction_that_ends_its_predecessor(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        held = await runner.taken()
        await house.send(session.id, "two")
        async with watching(house.client, session.id) as watch:
            await watch.up_to(watch.snapshot.head_sequence)
            await runner.complete(held, "1")
            before = len(watch.events)
            await watch.frame()
            fresh_events = watch.events[before:]
    assert kinds(fresh_events) == ["item_added", "turn_completed", "item_added", "turn_queued"]
    assert {short(event, "session_status") for event in fresh_events} == {"running"}


async def test_a_model_is_given_the_whole_history_before_the_new_message(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        held = await runner.taken()
        await house.send(session.id, "two")
        await house.client.Interrupt(session_id=session.id, queued="QUEUED_INPUTS_KEEP")
        await runner.receipt(await runner.stop())
        await runner.stopped(held, "par")
        given = list((await runner.start()).history)
    assert [who for who, _ in history(given)] == ["user", "assistant", "marker", "user"]
    assert text(given[-1]) == "two"


async def test_64_inputs_wait_and_the_next_is_refused(house: House) -> None:
    session = await house.session(await house.agent("nobody"), "active")
    for number in range(64):
        await house.send(session.id, str(number))
    met = await refused(house.send(session.id, "one too many"), "queue_full")
    assert met.details == {"id": session.id, "limit": "64"}
    shown = await house.client.GetSession(session_id=session.id)
    assert [p.content[0].text for p in shown.pending_inputs] == [str(n) for n in range(64)]
    head = shown.head_sequence
    assert len(await log_of(house.client, session.id)) == head


async def test_reject_is_refused_with_the_states_while_a_turn_runs(house: House) -> None:
    session = await house.session(await house.agent("nobody"), "active")
    head = (await house.client.GetSession(session_id=session.id)).head_sequence
    met = await refused(house.send(session.id, "no", when_busy="WHEN_BUSY_REJECT"), "session_busy")
    assert met.details["state"] == "running"
    assert met.details["allowed"] == "idle, failed"
    assert (await house.client.GetSession(session_id=session.id)).head_sequence == head


async def test_reject_starts_at_once_in_an_idle_session(house: House) -> None:
    session = await house.session(await house.agent("nobody"))
    sent = await house.send(session.id, "yes", when_busy="WHEN_BUSY_REJECT")
    assert (short(sent, "outcome"), sent.queued) == ("started", False)


async def test_interrupt_stops_the_turn_drops_what_waits_and_runs_next(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        held = await runner.taken()
        dropped = await house.send(session.id, "waits")
        sent = await house.send(session.id, "urgent", when_busy="WHEN_BUSY_INTERRUPT")
        assert (short(sent, "outcome"), sent.queued) == ("interrupting", True)
        assert short(sent.interrupt, "state") == "requested"
        assert [p.item_id for p in sent.interrupt.dropped_inputs] == [dropped.item_id]
        stop = await runner.stop()
        assert (stop.turn_id, stop.interrupt_id) == (held.turn_id, sent.interrupt.id)
        await runner.stopped(held)
        assert (await runner.start()).turn_id == sent.turn_id
    items = await house.items(session.id)
    assert [who for who, _ in history(items)] == ["user", "marker", "user"]
    assert text(items[-1]) == "urgent"


async def test_interrupt_while_an_interrupt_is_on_joins_it(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        held = await runner.taken()
        standing = await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        sent = await house.send(session.id, "next", when_busy="WHEN_BUSY_INTERRUPT")
        assert sent.interrupt.id == standing.id
        await runner.silent()
        await runner.stopped(held)
        assert (await runner.start()).turn_id == sent.turn_id


async def test_interrupt_of_a_turn_that_no_runner_has_starts_at_once(house: House) -> None:
    session = await house.session(await house.agent("nobody"), "one")
    sent = await house.send(session.id, "two", when_busy="WHEN_BUSY_INTERRUPT")
    assert (short(sent, "outcome"), sent.queued) == ("started", False)
    assert short(sent.interrupt, "state") == "confirmed"
    assert [who for who, _ in history(await house.items(session.id))] == ["user", "marker", "user"]
