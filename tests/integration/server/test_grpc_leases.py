"""Leases: how long a runner that is away keeps its turns, and what becomes of them then."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from raw_runner import RawRunner, a_call, raw_runner
from server_house import House, fresh, running_house
from server_refusals import refusal
from server_watching import dense, history, kinds, log_of

from steersman import short, text

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEASE, GRACE = 1.0, 0.3


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brief(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A server with short leases."""
    folder = tmp_path_factory.mktemp("brief")
    async with running_house(folder, lease=LEASE, disconnect_grace=GRACE) as opened:
        yield opened


async def test_a_turn_moves_once_the_disconnect_grace_is_over(brief: House) -> None:
    call = a_call()
    async with raw_runner(brief) as runner:
        session = await brief.session(await brief.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        async with raw_runner(brief, harness=runner.harness) as other:
            gone = time.monotonic()
            runner.cut()
            again = await other.start()
            assert time.monotonic() - gone >= GRACE * 0.9
            assert (again.turn_id, getattr(again, "try"), again.round) == (held.turn_id, 2, 1)
            assert again.epoch > held.epoch
            assert [item.id for item in again.history][-1] == call.id
            await other.accepted(again)
            await other.output(again, call, "x")
            await other.complete(again, "done", round=2)
    assert dense(await log_of(brief.client, session.id))
    assert [who for who, _ in history(await brief.items(session.id))] == [
        "user",
        "call",
        "output",
        "assistant",
    ]


async def test_a_runner_that_is_back_within_the_grace_keeps_its_turn(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with raw_runner(house, harness=runner.harness) as other:
            runner.cut()
            claim = {"turn_id": held.turn_id, "epoch": held.epoch, "acknowledged": 1}
            async with raw_runner(house, runner.runner_id, working_on=[claim]) as back:
                await back.frame(held, "turn_ended", 2, outcome="TURN_OUTCOME_COMPLETED")
                await back.acked(held)
            await other.silent()
    assert kinds(await log_of(house.client, session.id)).count("turn_assigned") == 1


async def test_a_runner_that_comes_back_too_late_is_told_to_drop_the_turn(brief: House) -> None:
    async with raw_runner(brief) as runner:
        await brief.session(await brief.agent(runner.harness), "go")
        held = await runner.taken()
        async with raw_runner(brief, harness=runner.harness) as other:
            runner.cut()
            again = await other.taken()
            back = RawRunner(brief.runner, runner.runner_id)
            claim = {"turn_id": held.turn_id, "epoch": held.epoch, "acknowledged": 1}
            welcome = await back.greeted(working_on=[claim])
            assert [verdict.keep for verdict in welcome.verdicts] == [False]
            await back.frame(held, "turn_ended", 2, outcome="TURN_OUTCOME_COMPLETED")
            await back.refused(held)
            await other.complete(again)
            await back.close()


async def test_a_turn_ends_with_runner_lost_where_its_agent_says_so(brief: House) -> None:
    call = a_call()
    async with raw_runner(brief) as runner:
        agent = await brief.agent(runner.harness, on_runner_loss="RUNNER_LOSS_POLICY_FAIL")
        session = await brief.session(agent, "go")
        held = await runner.taken()
        await runner.round(held, call)
        await runner.delta(held, 0, "partial", round=2)
        await runner.silent()
        runner.cut()
        turn = await brief.client.GetTurn(session_id=session.id, turn_id=held.turn_id, wait=True)
    assert (short(turn, "state"), turn.stop_reason) == ("failed", "runner_lost")
    assert (turn.error.code, turn.error.retryable) == ("runner_lost", True)
    items = await brief.items(session.id)
    assert [who for who, _ in history(items)] == ["user", "call", "output"]
    assert (items[-1].call_item_id, items[-1].synthetic) == (call.id, True)
    assert "unknown" in text(items[-1])


async def test_a_goodbye_ends_the_lease_at_once(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with raw_runner(house, harness=runner.harness) as other:
            gone = time.monotonic()
            await runner.send(goodbye={"message": "leaving"})
            assert await runner.ended() is None
            assert (await other.start()).turn_id == held.turn_id
            assert time.monotonic() - gone < 2  # the grace of this server is 3 s
    shown = await house.client.GetRunner(runner_id=runner.runner_id)
    assert short(shown, "state") == "ended"
    assert session.id


async def test_a_silent_runner_loses_its_turns_and_then_its_stream(brief: House) -> None:
    async with raw_runner(brief) as runner:
        await brief.session(await brief.agent(runner.harness), "go")
        held = await runner.taken()
        drop = await runner.stop()
        assert (drop.turn_id, drop.epoch, drop.interrupt_id) == (held.turn_id, held.epoch, "")
        error = await runner.ended()
        assert error is not None
        assert refusal(error).reason == "lease_lost"
        shown = await brief.client.GetRunner(runner_id=runner.runner_id)
        assert (short(shown, "state"), shown.slots_used) == ("ended", 0)
        # Nobody else is there; it comes back with another hello and is given the turn anew.
        async with raw_runner(brief, runner.runner_id) as back:
            again = await back.start()
            assert (again.turn_id, again.epoch) == (held.turn_id, held.epoch + 2)


async def test_heartbeats_keep_the_lease(brief: House) -> None:
    async with raw_runner(brief) as runner:
        session = await brief.session(await brief.agent(runner.harness), "go")
        held = await runner.taken()
        until = time.monotonic() + 1.5 * LEASE
        while time.monotonic() < until:
            await runner.silent()
            await asyncio.sleep(LEASE / 20)
        await runner.complete(held)
    assert kinds(await log_of(brief.client, session.id))[-1] == "turn_completed"


async def test_a_session_that_is_pinned_runs_on_that_runner_alone(house: House) -> None:
    harness = fresh("pinned")
    async with raw_runner(house, harness=harness, slots=9) as other:
        session = await house.session(
            await house.agent(harness), "go", runner_id=f"{harness}-chosen"
        )
        await other.silent()
        async with raw_runner(house, f"{harness}-chosen", harness) as chosen:
            assert (await chosen.start()).session_id == session.id
        await other.silent()


async def test_a_turn_needs_harness_tools_labels_and_a_free_slot(house: House) -> None:
    harness = fresh("placed")
    agent = await house.agent(harness, tools=["hammer"], selector={"zone": "a"})
    session = await house.session(agent, "go", selector={"disk": "big"})
    almost: list[dict[str, Any]] = [
        {"tools": [], "labels": {"zone": "a", "disk": "big"}},
        {"tools": ["hammer"], "labels": {"zone": "b", "disk": "big"}},
        {"tools": ["hammer"], "labels": {"zone": "a"}},
    ]
    for hello in almost:
        async with raw_runner(house, harness=harness, **hello) as runner:
            await runner.silent()
    fitting: dict[str, Any] = {"tools": ["hammer"], "labels": {"zone": "a", "disk": "big"}}
    async with raw_runner(house, harness=harness, **fitting) as runner:
        held = await runner.taken()
        assert held.session_id == session.id
        second = await house.session(agent, "me too", selector={"disk": "big"})
        await runner.silent()  # its one slot is taken
        await runner.complete(held)
        assert (await runner.start()).session_id == second.id
