"""Where a turn can be when it is interrupted, and the message that follows. Runners are raw."""

import asyncio

import pytest
from follow_up import FOLLOW_UP, check_given, followed_up, send_when_idle, valid_log
from raw_runner import RawRunner, a_call, raw_runner, said
from server_house import House, fresh
from server_watching import history, kinds, watching

from steersman import kind, short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_queued_turn_is_interrupted_and_only_the_follow_up_reaches_a_runner(
    house: House,
) -> None:
    harness = fresh("later")
    session = await house.session(await house.agent(harness), "never run")
    async with watching(house.client, session.id) as watch:
        asked = await house.client.Interrupt(session_id=session.id)
        assert short(asked, "state") == "confirmed"
        turn_id = await send_when_idle(house, watch)
        async with raw_runner(house, harness=harness) as runner:
            held = await runner.taken()
            assert held.turn_id == turn_id
            check_given(held.history)
            assert history(list(held.history))[0] == ("user", "never run")
            await runner.complete(held)
    await valid_log(house, session.id)


async def test_an_assigned_turn_is_interrupted_before_it_was_accepted(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.start()
        async with watching(house.client, session.id) as watch:
            await house.client.Interrupt(session_id=session.id)
            await runner.receipt(await runner.stop())
            await runner.accepted(held)
            await runner.stopped(held)
            await followed_up(house, watch, runner)
    log = await valid_log(house, session.id)
    states = [short(e.turn, "state") for e in log.events if e.turn.id == held.turn_id]
    assert states == ["queued", "assigned", "interrupting", "interrupted"]


async def test_between_chunks_the_partial_text_stays_exactly_as_watchers_saw_it(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with watching(house.client, session.id) as watch:
            for offset, piece in ((0, "Grüße, "), (7, "🌍 "), (9, "and th")):
                await runner.delta(held, offset, piece)
            await runner.silent()
            await house.client.Interrupt(session_id=session.id)
            await runner.stop()
            await runner.stopped(held, "Grüße, 🌍 and th")
            await followed_up(house, watch, runner)
        seen = "".join(delta.text for delta in watch.deltas if delta.turn_id == held.turn_id)
    items = [item for item in await house.items(session.id) if item.turn_id == held.turn_id]
    assert [who for who, _ in history(items)] == ["user", "assistant", "marker"]
    assert text(items[1]) == seen == "Grüße, 🌍 and th"
    assert (short(items[1], "status"), items[1].truncated) == ("incomplete", False)


async def test_of_two_tools_the_finished_ones_output_stays_and_the_other_gets_one(
    house: House,
) -> None:
    done, open_ = a_call("done"), a_call("open")
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, done, open_)
        await runner.output(held, done, "real")
        async with watching(house.client, session.id) as watch:
            await house.client.Interrupt(session_id=session.id)
            await runner.stop()
            await runner.stopped(held)
            following = await followed_up(house, watch, runner)
    outputs = {i.call_item_id: i for i in following.history if i.call_item_id}
    assert (outputs[done.id].output, outputs[done.id].synthetic) == ("real", False)
    assert outputs[open_.id].synthetic
    assert "interrupted" in outputs[open_.id].output


async def test_20_at_once_are_20_ok_one_interrupt_one_stop_frame_and_one_marker(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, a_call())
        doors = [house.door("client") for _ in range(20)]
        async with watching(house.client, session.id) as watch:
            asked = await asyncio.gather(
                *(
                    door.Interrupt(session_id=session.id, turn_id=turn_id, request_id=request_id)
                    for number, door in enumerate(doors)
                    for turn_id in (held.turn_id if number % 2 else "",)
                    for request_id in (f"at-once-{number}" if number % 3 else "",)
                )
            )
            assert {interrupt.id for interrupt in asked} == {asked[0].id}
            assert (await runner.stop()).interrupt_id == asked[0].id
            await runner.silent()  # no second stop frame
            await runner.stopped(held)
            await followed_up(house, watch, runner)
    settled = [e for e in watch.events if e.turn_id == held.turn_id]
    assert kinds(settled).count("interrupt_requested") == 1
    assert kinds(settled).count("turn_interrupted") == 1
    assert [e.item.marker for e in settled if kind(e) == "item_added"].count("interrupted") == 1


@pytest.mark.parametrize("how", ["by the turn", "by the request"])
async def test_an_interrupt_replayed_after_the_next_turn_has_begun_does_not_touch_it(
    house: House, how: str
) -> None:
    same = {"request_id": fresh("replayed")} if how == "by the request" else {}
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        same = same or {"turn_id": held.turn_id}
        async with watching(house.client, session.id) as watch:
            asked = await house.client.Interrupt(session_id=session.id, **same)
            await runner.stop()
            await runner.stopped(held)
            turn_id = await send_when_idle(house, watch)
            following = await runner.taken()
            head = (await house.client.GetSession(session_id=session.id)).head_sequence
            for _ in range(3):
                again = await house.client.Interrupt(session_id=session.id, **same)
                assert (again.id, again.turn_id) == (asked.id, held.turn_id)
            await runner.silent()
            assert (await house.client.GetSession(session_id=session.id)).head_sequence == head
            check_given(following.history)
            await runner.complete(following, "undisturbed")
    turn = await house.client.GetTurn(session_id=session.id, turn_id=turn_id)
    assert short(turn, "state") == "completed"
    await valid_log(house, session.id)


async def test_a_message_that_interrupts_runs_next_behind_the_marker_and_drops_what_waited(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        waiting = await house.send(session.id, "waiting")
        sent = await house.send(session.id, FOLLOW_UP, when_busy="WHEN_BUSY_INTERRUPT")
        assert (short(sent, "outcome"), sent.queued) == ("interrupting", True)
        assert [p.item_id for p in sent.interrupt.dropped_inputs] == [waiting.item_id]
        assert (await runner.stop()).interrupt_id == sent.interrupt.id
        await runner.stopped(held, "as far as")
        following = await runner.taken()
        assert following.turn_id == sent.turn_id
        check_given(following.history)
        await runner.complete(following)
    log = await valid_log(house, session.id)
    # From the message's answer on nobody ever saw the session idle.
    since = [e for e in log.events if e.sequence > 1 and e.turn_id != following.turn_id]
    assert {short(event, "session_status") for event in since} == {"running"}


async def test_a_runner_that_ignores_the_stop_is_forced_told_to_drop_and_refused(
    hasty: House,
) -> None:
    call = a_call()
    async with raw_runner(hasty, slots=2) as runner:
        session = await hasty.session(await hasty.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        async with watching(hasty.client, session.id) as watch:
            asked = await hasty.client.Interrupt(session_id=session.id)
            assert (await runner.stop()).interrupt_id == asked.id
            turn_id = await send_when_idle(hasty, watch)
            drop = await runner.stop()
            assert (drop.turn_id, drop.epoch, drop.interrupt_id) == (held.turn_id, held.epoch, "")
            following = await runner.taken()
            await late_frames_are_refused(runner, held, call.id)
            assert following.turn_id == turn_id
            check_given(following.history)
            await runner.complete(following)
            await watch.until("turn_completed", turn_id)
    done = await hasty.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "forced"
    assert done.may_run_until.ToMicroseconds() > done.settled_at.ToMicroseconds()
    await valid_log(hasty, session.id)


async def late_frames_are_refused(runner: RawRunner, held: object, call_id: str) -> None:
    late = {"call_item_id": call_id, "type": "ITEM_TYPE_FUNCTION_CALL_OUTPUT", "output": "late"}
    await runner.frame(held, "progress", output={"id": fresh("item_late"), **late})
    await runner.refused(held)
    await runner.frame(held, "progress", round={"round": 2, "items": [a_call()]})
    await runner.refused(held)
    ending = {"outcome": "TURN_OUTCOME_COMPLETED", "items": [said("late")]}
    await runner.frame(held, "turn_ended", **ending)
    await runner.refused(held)


async def test_a_rolled_back_turn_leaves_no_marker_before_the_follow_up(house: House) -> None:
    real, open_ = a_call("real"), a_call("open")
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, real, open_)
        await runner.output(held, real, "happened")
        async with watching(house.client, session.id) as watch:
            await house.client.Interrupt(session_id=session.id, mode="INTERRUPT_MODE_ROLLBACK")
            await runner.stop()
            await runner.stopped(held, "partial")
            following = await followed_up(house, watch, runner, marked=False)
    told = history(list(following.history))
    assert told[:3] == [("user", "go"), ("call", "real"), ("output", "happened")]
    assert len(told) == 4
