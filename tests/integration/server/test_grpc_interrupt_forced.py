"""Interrupt when the runner does not confirm: resent after a reconnect, forced after the grace."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from raw_runner import RawRunner, a_call, raw_runner, said
from server_house import House, running_house
from server_watching import history, watching

from steersman import short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")

GRACE = 0.3


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def hasty(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A server that forces soon; its runners may be away for long."""
    folder = tmp_path_factory.mktemp("hasty")
    async with running_house(folder, interrupt_grace=GRACE) as opened:
        yield opened


async def test_an_unconfirmed_interrupt_is_forced_and_says_until_when_work_may_go_on(
    hasty: House,
) -> None:
    async with raw_runner(hasty) as runner:
        session = await hasty.session(await hasty.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await hasty.client.Interrupt(session_id=session.id, wait="INTERRUPT_WAIT_SETTLED")
        assert short(asked, "state") == "forced"
        took = asked.settled_at.ToMicroseconds() - asked.requested_at.ToMicroseconds()
        assert GRACE <= took / 1e6 < GRACE + 2
        assert asked.may_run_until.ToMicroseconds() > asked.settled_at.ToMicroseconds()
        shown = await hasty.client.GetSession(session_id=session.id)
        assert short(shown, "status") == "idle"
        turn = await hasty.client.GetTurn(session_id=session.id, turn_id=held.turn_id)
        assert short(turn, "state") == "interrupted"
        assert turn.epoch > held.epoch


async def test_a_forced_settle_answers_open_calls_and_keeps_the_text_that_was_relayed(
    hasty: House,
) -> None:
    call = a_call()
    async with raw_runner(hasty) as runner:
        session = await hasty.session(await hasty.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        async with watching(hasty.client, session.id) as watch:
            await runner.delta(held, 0, "as far as ", round=2)
            await runner.delta(held, 10, "this", round=2)
            await hasty.client.Interrupt(session_id=session.id)
            await watch.until("interrupt_forced")
            forced = [e for e in watch.events if e.actor == "server"]
    items = await hasty.items(session.id)
    assert [who for who, _ in history(items)] == ["user", "call", "output", "assistant", "marker"]
    partial = items[3]
    assert (text(partial), partial.truncated) == ("as far as this", True)
    assert short(partial, "status") == "incomplete"
    assert {short(event, "session_status") for event in forced[-5:]} == {"idle"}


async def test_after_a_force_the_runner_is_told_to_drop_the_turn_and_its_frames_are_refused(
    hasty: House,
) -> None:
    async with raw_runner(hasty) as runner:
        session = await hasty.session(await hasty.agent(runner.harness), "go")
        held = await runner.taken()
        await hasty.client.Interrupt(session_id=session.id, wait="INTERRUPT_WAIT_SETTLED")
        assert (await runner.stop()).interrupt_id
        drop = await runner.stop()
        assert (drop.turn_id, drop.epoch, drop.interrupt_id) == (held.turn_id, held.epoch, "")
        before = await hasty.items(session.id)
        await runner.frame(held, "progress", round={"round": 1, "items": [a_call()]})
        await runner.refused(held)
        ending: dict[str, Any] = {"outcome": "TURN_OUTCOME_COMPLETED", "items": [said("late")]}
        await runner.frame(held, "turn_ended", **ending)
        await runner.refused(held)
        assert await hasty.items(session.id) == before
        # The slot is free again, and what comes next is not touched by what was late.
        await hasty.send(session.id, "next")
        following = await runner.taken()
        await runner.complete(following, "answer")
    assert history(await hasty.items(session.id))[-1] == ("assistant", "answer")


async def test_a_late_receipt_and_late_text_of_a_forced_turn_change_nothing(hasty: House) -> None:
    async with raw_runner(hasty) as runner:
        session = await hasty.session(await hasty.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await hasty.client.Interrupt(session_id=session.id, wait="INTERRUPT_WAIT_SETTLED")
        stop = await runner.stop()
        await runner.stop()
        async with watching(hasty.client, session.id) as watch:
            await runner.receipt(stop)
            await runner.delta(held, 0, "late")
            await runner.silent()
            await hasty.send(session.id, "next")
            await watch.until("turn_assigned")
    after = await hasty.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert after == asked
    assert not watch.deltas


async def test_a_stop_is_sent_again_after_a_reconnect_until_it_is_answered(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        asked = await house.client.Interrupt(session_id=session.id)
        first = await runner.stop()
        runner.cut()
        for _ in range(2):
            again = RawRunner(house.runner, runner.runner_id)
            working_on = [{"turn_id": held.turn_id, "epoch": held.epoch, "acknowledged": 1}]
            await again.greeted(working_on=working_on)
            assert await again.stop() == first
            await again.close()
        last = RawRunner(house.runner, runner.runner_id)
        await last.greeted(working_on=working_on)
        assert await last.stop() == first
        await last.frame(held, "turn_ended", 2, outcome="TURN_OUTCOME_STOPPED")
        await last.acked(held)
        await last.close()
        async with raw_runner(house, runner.runner_id) as after:
            await after.silent()
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "confirmed"


async def test_an_interrupt_whose_runner_is_lost_is_forced_before_the_grace_is_over(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        await runner.taken()
        asked = await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        await runner.send(goodbye={"message": "leaving"})
        assert await runner.ended() is None
        turn = await house.client.GetTurn(session_id=session.id, turn_id=asked.turn_id, wait=True)
    assert short(turn, "state") == "interrupted"
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "forced"
    took = done.settled_at.ToMicroseconds() - done.requested_at.ToMicroseconds()
    assert took < 4e6  # the grace of this server is 5 s
