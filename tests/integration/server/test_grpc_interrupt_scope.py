"""Interrupt: in which states, for which attempt, what becomes of inputs, how long to wait."""

import asyncio
from pathlib import Path

import pytest
from raw_runner import a_call, raw_runner
from server_house import House, running_house, within
from server_refusals import refused
from server_watching import history, kinds, log_of, watching

from steersman import kind, short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_turn_interrupted_while_queued_never_reaches_a_runner(house: House) -> None:
    async with raw_runner(house, slots=2) as runner:
        agent = await house.agent(runner.harness, selector={"not": "there"})
        session = await house.session(agent, "go")
        asked = await house.client.Interrupt(session_id=session.id)
        assert short(asked, "state") == "confirmed"
        assert asked.settled_at.ToMicroseconds() == asked.requested_at.ToMicroseconds()
        shown = await house.client.GetSession(session_id=session.id)
        assert short(shown, "status") == "idle"
        await runner.silent()
    async with raw_runner(house, harness=runner.harness, labels={"not": "there"}) as fitting:
        await fitting.silent()
        other = await house.session(agent, "another")
        assert (await fitting.start()).session_id == other.id
    assert [who for who, _ in history(await house.items(session.id))] == ["user", "marker"]


async def test_a_turn_interrupted_while_queued_does_not_keep_a_slot_from_others(
    tmp_path: Path,
) -> None:
    # A server of its own: whatever else happens on one would have it look again.
    async with running_house(tmp_path) as house:
        agent = await house.agent("late")
        gone = await house.session(agent, "gone")
        stays = await house.session(agent, "stays")
        await house.client.Interrupt(session_id=gone.id)
        async with raw_runner(house, harness="late", slots=1) as runner:
            assert (await runner.start()).session_id == stays.id


async def test_a_turn_interrupted_before_its_runner_accepted_is_confirmed_by_it(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.start()
        asked = await house.client.Interrupt(session_id=session.id)
        assert short(asked, "state") == "requested"
        await runner.stop()
        await runner.accepted(held)
        turn = await house.client.GetTurn(session_id=session.id, turn_id=held.turn_id)
        assert short(turn, "state") == "interrupting"
        await runner.stopped(held)
        done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "confirmed"
    assert "turn_running" not in kinds(await log_of(house.client, session.id))


async def test_a_runner_that_rejects_the_turn_confirms_its_interrupt(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.start()
        asked = await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        await runner.send(rejected={"turn_id": held.turn_id, "epoch": held.epoch})
        done = await house.client.GetTurn(session_id=session.id, turn_id=held.turn_id, wait=True)
        assert short(done, "state") == "interrupted"
    after = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(after, "state") == "confirmed"


async def test_an_attempt_that_ended_by_itself_is_turn_not_active_with_its_state(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.complete(held)
    head = (await house.client.GetSession(session_id=session.id)).head_sequence
    call = house.client.Interrupt(session_id=session.id, turn_id=held.turn_id)
    met = await refused(call, "turn_not_active")
    assert (met.details["state"], met.details["id"]) == ("completed", held.turn_id)
    assert "running" in met.details["allowed"]
    assert "completed" not in met.details["allowed"]
    assert (await house.client.GetSession(session_id=session.id)).head_sequence == head


async def test_inputs_that_wait_are_dropped_and_listed(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        waiting = [await house.send(session.id, word) for word in ("two", "three")]
        asked = await house.client.Interrupt(session_id=session.id)
        assert [text_of.content[0].text for text_of in asked.dropped_inputs] == ["two", "three"]
        assert [p.item_id for p in asked.dropped_inputs] == [sent.item_id for sent in waiting]
        await runner.stop()
        await runner.stopped(held)
        await runner.silent()
    shown = await house.client.GetSession(session_id=session.id)
    assert (short(shown, "status"), len(shown.pending_inputs)) == ("idle", 0)
    assert [who for who, _ in history(await house.items(session.id))] == ["user", "marker"]
    for sent in waiting:
        turn = await house.client.GetTurn(session_id=session.id, turn_id=sent.turn_id)
        assert (short(turn, "state"), turn.stop_reason) == ("interrupted", "dropped")
    assert kinds(await log_of(house.client, session.id)).count("input_dropped") == 2


async def test_an_interrupt_of_a_dropped_turn_answers_the_one_that_dropped_it(
    house: House,
) -> None:
    session = await house.session(await house.agent("nobody"), "go")
    waiting = await house.send(session.id, "two")
    asked = await house.client.Interrupt(session_id=session.id)
    head = (await house.client.GetSession(session_id=session.id)).head_sequence
    again = await house.client.Interrupt(session_id=session.id, turn_id=waiting.turn_id)
    assert again.id == asked.id
    assert (await house.client.GetSession(session_id=session.id)).head_sequence == head


async def test_inputs_that_wait_run_when_they_are_to_be_kept(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        waiting = await house.send(session.id, "two")
        asked = await house.client.Interrupt(session_id=session.id, queued="QUEUED_INPUTS_KEEP")
        assert not asked.dropped_inputs
        await runner.stop()
        await runner.stopped(held)
        assert (await runner.start()).turn_id == waiting.turn_id
    assert [text(item) for item in await house.items(session.id)][-1] == "two"


async def test_an_interrupt_of_a_turn_that_waits_drops_that_input_alone(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        two, three = [await house.send(session.id, word) for word in ("two", "three")]
        asked = await house.client.Interrupt(session_id=session.id, turn_id=two.turn_id)
        assert short(asked, "state") == "confirmed"
        assert [p.item_id for p in asked.dropped_inputs] == [two.item_id]
        await runner.silent()  # the turn that runs goes on
        shown = await house.client.GetSession(session_id=session.id)
        assert [p.item_id for p in shown.pending_inputs] == [three.item_id]
        await runner.complete(held)
        assert (await runner.start()).turn_id == three.turn_id
    assert [who for who, _ in history(await house.items(session.id))] == [
        "user",
        "assistant",
        "user",
    ]


async def test_rollback_withdraws_calls_without_a_real_output_and_keeps_the_rest(
    house: House,
) -> None:
    real, open_ = a_call("real"), a_call("open")
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, real, open_)
        await runner.output(held, real, "happened")
        await house.client.Interrupt(session_id=session.id, mode="INTERRUPT_MODE_ROLLBACK")
        stop = await runner.stop()
        assert short(stop, "mode") == "rollback"
        await runner.stopped(held, "partial text")
    items = await house.items(session.id)
    assert history(items) == [("user", "go"), ("call", "real"), ("output", "happened")]
    everything = await house.items(session.id, include_withdrawn=True)
    withdrawn = [item for item in everything if item.HasField("withdrawn_at")]
    assert [item.id for item in withdrawn] == [open_.id]
    events = await log_of(house.client, session.id)
    [event] = [event for event in events if kind(event) == "items_withdrawn"]
    assert (list(event.items_withdrawn.item_ids), event.items_withdrawn.cause) == (
        [open_.id],
        "rollback",
    )


async def test_a_wait_ends_when_the_interrupt_is_delivered_or_settled(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        delivered = asyncio.create_task(
            house.client.Interrupt(session_id=session.id, wait="INTERRUPT_WAIT_DELIVERED")
        )
        stop = await runner.stop()
        settled = asyncio.create_task(
            house.client.Interrupt(session_id=session.id, wait="INTERRUPT_WAIT_SETTLED")
        )
        async with watching(house.client, session.id) as watch:
            await runner.receipt(stop)
            await watch.until("interrupt_delivered")
        assert short(await within(delivered), "state") == "delivered"
        assert not settled.done()
        await runner.stopped(held)
        assert short(await within(settled), "state") == "confirmed"


async def test_after_wait_timeout_the_answer_is_the_state_reached(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await house.client.Interrupt(
            session_id=session.id, wait="INTERRUPT_WAIT_SETTLED", wait_timeout={"nanos": 50_000_000}
        )
        assert short(asked, "state") == "requested"
        await runner.stop()
        await runner.stopped(held)


async def test_a_wait_is_over_before_the_deadline_of_the_call(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await house.client.Interrupt(
            session_id=session.id, wait="INTERRUPT_WAIT_SETTLED", timeout=0.6
        )
        assert short(asked, "state") == "requested"
        await runner.stop()
        await runner.stopped(held)
