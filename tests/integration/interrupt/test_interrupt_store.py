"""An interrupt while the database is locked or full: an error, and nothing half done."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from broken_store import fill_up, locked, make_room
from follow_up import followed_up, valid_log
from raw_runner import RawRunner, a_call, raw_runner
from server_house import House, running_house
from server_refusals import refused
from server_watching import log_of, watching

from steersman import short
from steersman_server.store import engine

UNAVAILABLE = "store_unavailable"
ASK = {"reason": "enough", "request_id": "the-same"}


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A server of its own, which gives up on a lock soon."""
    monkeypatch.setattr(engine, "BUSY_TIMEOUT", 0.05)
    async with running_house(tmp_path) as opened:
        yield opened


async def untouched(house: House, session_id: str, head: int) -> None:
    """The turn runs on, and no trace of an interrupt is anywhere."""
    shown = await house.client.GetSession(session_id=session_id)
    assert (short(shown, "status"), shown.head_sequence) == ("running", head)
    assert short(shown.active_turn, "state") == "running"
    assert len(shown.pending_inputs) == 1
    assert not (await house.client.ListInterrupts(session_id=session_id)).data


@pytest.mark.parametrize("how", ["locked", "full"])
async def test_an_interrupt_that_cannot_be_committed_is_refused_and_nothing_is_half_done(
    house: House, how: str
) -> None:
    call = a_call()
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        await house.send(session.id, "waits")
        if how == "full":
            await fill_up(house, session.id)
        head = (await house.client.GetSession(session_id=session.id)).head_sequence
        if how == "locked":
            with locked(house):
                await refused(house.client.Interrupt(session_id=session.id, **ASK), UNAVAILABLE)
                await untouched(house, session.id, head)
        else:
            await refused(house.client.Interrupt(session_id=session.id, **ASK), UNAVAILABLE)
            await untouched(house, session.id, head)
            await make_room(house)
        await runner.silent()  # no stop frame came of it
        async with watching(house.client, session.id) as watch:
            asked = await house.client.Interrupt(session_id=session.id, **ASK)
            assert len(asked.dropped_inputs) == 1
            assert (await runner.stop()).interrupt_id == asked.id
            await runner.stopped(held, "partial")
            following = await followed_up(house, watch, runner)
    assert [i.call_item_id for i in following.history if i.call_item_id] == [call.id]
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "confirmed"


async def test_20_interrupts_at_a_locked_store_all_fail_and_then_one_stands(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        with locked(house):
            await asyncio.gather(
                *(
                    refused(house.client.Interrupt(session_id=session.id), UNAVAILABLE)
                    for _ in range(20)
                )
            )
        asked = await asyncio.gather(
            *(house.client.Interrupt(session_id=session.id) for _ in range(20))
        )
        assert len({interrupt.id for interrupt in asked}) == 1
        await runner.stop()
        await runner.silent()
        await runner.stopped(held)
    await valid_log(house, session.id)


async def test_a_settle_that_cannot_be_committed_is_not_half_done_and_happens_after_all(
    house: House,
) -> None:
    call = a_call()
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        asked = await house.client.Interrupt(session_id=session.id)
        await runner.stop()
        head = (await house.client.GetSession(session_id=session.id)).head_sequence
        with locked(house):
            await runner.frame(held, "turn_ended", outcome="TURN_OUTCOME_STOPPED")
            met = await runner.ended()
            assert met is not None, "the runner is told to come again, and no acknowledgement"
            assert len(await log_of(house.client, session.id)) == head
            shown = await house.client.GetSession(session_id=session.id)
            assert short(shown.active_turn, "state") == "interrupting"
        back = RawRunner(house.runner, runner.runner_id)
        working = {"turn_id": held.turn_id, "epoch": held.epoch, "acknowledged": 2}
        async with watching(house.client, session.id) as watch:
            await back.greeted(working_on=[working])
            assert (await back.stop()).interrupt_id == asked.id
            await back.frame(held, "turn_ended", 3, outcome="TURN_OUTCOME_STOPPED")
            await back.acked(held)
            await followed_up(house, watch, back)
        await back.close()
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "confirmed"
