"""A turn from end to end: what is durable when, and what everybody sees meanwhile."""

import asyncio
import sqlite3
from typing import Any

import pytest
from raw_runner import a_call, raw_runner
from real_runner import NO_USAGE, answer, real_runner, result
from server_house import House, fresh, within
from server_watching import dense, history, kinds, log_of, watching

import steersman
from steersman import kind, short
from steersman_runner.harness.base import Answer, Desk, Work

pytestmark = pytest.mark.asyncio(loop_scope="module")


def stored(house: House, query: str, *values: Any) -> list[Any]:
    """What another process would find committed."""
    connection = sqlite3.connect(f"file:{house.data_dir}/steersman.db?mode=ro", uri=True)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


async def test_a_message_becomes_a_turn_with_a_tool_and_an_answer(house: House) -> None:
    name = fresh("session")
    agent = await house.scripted(
        {"text": "let me see", "tool_calls": [{"name": "echo", "arguments": {"text": "pong"}}]},
        {"text": "it says pong", "deltas": 3},
    )
    token = house.tokens["client"]
    async with real_runner(house), steersman.Client(house.address, token=token) as client:
        session = await client.sessions.create(agent, title=name)
        sent = await session.send("ping?")
        assert sent.outcome == "started"
        turn = await sent.turn.wait()
        text = ""
        async with session.watch() as frames:
            async for frame in frames:
                if isinstance(frame, steersman.Delta):
                    text += frame.text
                if isinstance(frame, steersman.Event) and kind(frame) == "turn_completed":
                    break
    assert (short(turn, "state"), turn.stop_reason, turn.attempt, turn.round) == (
        "completed",
        "end_turn",
        1,
        2,
    )
    assert turn.started_at.ToMicroseconds() <= turn.ended_at.ToMicroseconds()
    items = await house.items(session.id)
    assert history(items) == [
        ("user", "ping?"),
        ("assistant", "let me see"),
        ("call", "echo"),
        ("output", "pong"),
        ("assistant", "it says pong"),
    ]
    assert [item.round for item in items] == [0, 1, 1, 1, 2]
    assert {item.turn_id for item in items} == {turn.id}
    assert items[0].actor == "client"
    assert {item.actor for item in items[1:]} == {turn.runner_id}
    assert items[3].call_item_id == items[2].id


async def test_a_log_is_numbered_1_to_n_and_tells_every_state_of_the_turn(house: House) -> None:
    agent = await house.scripted({"text": "hello"})
    async with real_runner(house):
        session = await house.session(agent, "hi")
        await house.client.GetTurn(session_id=session.id, turn_id=session.active_turn.id, wait=True)
    events = await log_of(house.client, session.id)
    assert dense(events)
    assert kinds(events) == [
        "session_created",
        "item_added",
        "turn_queued",
        "turn_assigned",
        "turn_running",
        "item_added",
        "turn_completed",
    ]
    for event in events[1:]:
        assert (event.turn_id, event.attempt) == (session.active_turn.id, 1)
    assert all(event.actor for event in events)
    after = await house.client.GetSession(session_id=session.id)
    assert after.head_sequence == len(events)


async def test_an_answer_means_that_it_is_committed(house: House) -> None:
    session = await house.session(await house.agent(fresh("nobody")))
    sent = await house.send(session.id, "keep this")
    assert stored(house, "SELECT turn_id FROM item WHERE id = ?", sent.item_id) == [(sent.turn_id,)]
    waiting = await house.send(session.id, "and this")
    found = stored(house, "SELECT turn_id FROM pending_input WHERE item_id = ?", waiting.item_id)
    assert found == [(waiting.turn_id,)]
    interrupt = await house.client.Interrupt(session_id=session.id)
    found = stored(house, "SELECT state FROM interrupt WHERE id = ?", interrupt.id)
    assert found == [("confirmed",)]


async def test_a_poll_sees_running_from_the_answer_of_send_until_the_turn_has_ended(
    house: House,
) -> None:
    harness = fresh("harness")
    session = await house.session(await house.agent(harness))

    async def status() -> str:
        return short(await house.client.GetSession(session_id=session.id), "status")

    assert await status() == "idle"
    await house.send(session.id, "go")
    assert await status() == "running"  # no runner is there yet
    async with raw_runner(house, harness=harness) as runner:
        held = await runner.start()
        assert await status() == "running"
        await runner.accepted(held)
        call = a_call()
        await runner.round(held, call)
        assert await status() == "running"
        await runner.output(held, call, "done")
        assert await status() == "running"
        await runner.complete(held, round=2)
        assert await status() == "idle"
    events = await log_of(house.client, session.id)
    seen = [short(event, "session_status") for event in events]
    assert seen == ["idle", *["running"] * (len(events) - 3), "idle", "idle"]


async def test_a_failed_turn_leaves_failed_and_the_next_message_starts_at_once(
    house: House,
) -> None:
    agent = await house.scripted(
        {"text": "oh", "error": {"kind": "permanent", "code": "bad_key", "message": "no key"}}
    )
    async with real_runner(house):
        session = await house.session(agent, "go")
        turn = await house.client.GetTurn(
            session_id=session.id, turn_id=session.active_turn.id, wait=True
        )
        assert (short(turn, "state"), turn.error.code) == ("failed", "bad_key")
        after = await house.client.GetSession(session_id=session.id)
        assert (short(after, "status"), after.last_error.code) == ("failed", "bad_key")
        assert not after.HasField("active_turn")
        sent = await house.send(session.id, "again")
        assert short(sent, "outcome") == "started"
        assert history(await house.items(session.id))[0] == ("user", "go")


async def test_a_call_is_committed_before_its_tool_starts(house: House) -> None:
    call = a_call()
    found: list[Any] = []

    async def play(work: Work, desk: Desk) -> Answer:
        await desk.round([call], NO_USAGE)
        found.extend(stored(house, "SELECT type FROM item WHERE id = ?", call.id))
        await desk.output(result(call, "ran"))
        return answer("done")

    async with real_runner(house, play) as harness:
        session = await house.session(await house.agent(harness), "go")
        turn = await house.client.GetTurn(
            session_id=session.id, turn_id=session.active_turn.id, wait=True
        )
    assert short(turn, "state") == "completed"
    assert found == [("function_call",)]


async def test_an_output_is_committed_as_it_lands_while_another_tool_runs(house: House) -> None:
    quick, slow, finish = a_call("quick"), a_call("slow"), asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        await desk.round([quick, slow], NO_USAGE)
        await desk.output(result(quick, "first"))
        await finish.wait()
        await desk.output(result(slow, "second"))
        return answer("done")

    async with real_runner(house, play) as harness:
        session = await house.session(await house.agent(harness), "go")
        async with watching(house.client, session.id) as watch:
            while history([e.item for e in watch.events if kind(e) == "item_added"])[-1:] != [
                ("output", "first")
            ]:
                await watch.frame()
            assert stored(house, "SELECT output FROM item WHERE call_item_id = ?", quick.id)
            finish.set()
            await watch.until("turn_completed")
    assert history(await house.items(session.id))[1:] == [
        ("call", "quick"),
        ("call", "slow"),
        ("output", "first"),
        ("output", "second"),
        ("assistant", "done"),
    ]


async def test_call_started_is_acknowledged_before_a_tool_runs_that_must_not_run_twice(
    house: House,
) -> None:
    call = a_call()
    before: list[Any] = []

    async def play(work: Work, desk: Desk) -> Answer:
        await desk.round([call], NO_USAGE)
        await desk.call_started(call.id)
        before.extend(stored(house, "SELECT started_at FROM item WHERE id = ?", call.id))
        await desk.output(result(call, "once"))
        return answer("done")

    async with real_runner(house, play) as harness:
        session = await house.session(await house.agent(harness), "go")
        async with watching(house.client, session.id) as watch:
            started = await within(watch.until("call_started"))
            await watch.until("turn_completed")
    assert started.call_started.item_id == call.id
    assert before[0][0] is not None
