"""Durable frames: acknowledged, applied once and in order, refused where they cannot be."""

from typing import Any

import pytest
from raw_runner import RawRunner, a_call, raw_runner, said
from server_house import House
from server_watching import dense, history, kinds, log_of

from steersman import short

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def failed_by_protocol(house: House, session_id: str) -> str:
    shown = await house.client.GetSession(session_id=session_id)
    assert (short(shown, "status"), shown.last_error.code) == ("failed", "protocol")
    message: str = shown.last_error.message
    return message


async def test_a_frame_said_again_is_acknowledged_and_applied_once(house: House) -> None:
    call = a_call()
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        for number, what in ((1, None), (2, {"round": {"round": 1, "items": [call]}})):
            frame = "accepted" if what is None else "progress"
            await runner.frame(held, frame, number, **(what or {}))
            await runner.acked(held, number)
        await runner.output(held, call, "x")
        await runner.complete(held, "done", round=2)
    events = await log_of(house.client, session.id)
    assert dense(events)
    assert history(await house.items(session.id)) == [
        ("user", "go"),
        ("call", "tool"),
        ("output", "x"),
        ("assistant", "done"),
    ]
    assert kinds(events).count("turn_running") == 1


async def test_a_gap_in_the_numbers_fails_the_turn_and_doubles_nothing(house: House) -> None:
    call = a_call()
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.frame(held, "progress", 2, round={"round": 1, "items": [call]})
        await runner.acked(held)
        await runner.frame(held, "turn_ended", 4, outcome="TURN_OUTCOME_COMPLETED")
        await runner.refused(held)
        assert "number" in await failed_by_protocol(house, session.id)
    items = await house.items(session.id)
    assert [who for who, _ in history(items)] == ["user", "call", "output"]
    assert dense(await log_of(house.client, session.id))


async def nonsense(runner: RawRunner, held: Any, which: str) -> None:
    match which:
        case "an output of no open call":
            await runner.frame(held, "progress", output=said("x"))
        case "a second accepted":
            await runner.frame(held, "accepted")
        case "an empty progress":
            await runner.frame(held, "progress")
        case "an end without an outcome":
            await runner.frame(held, "turn_ended")
        case "an item with no id":
            await runner.frame(held, "progress", round={"round": 1, "items": [{}]})
        case "an item that is there already":
            item = held.history[0]
            await runner.frame(held, "progress", round={"round": 1, "items": [item]})
        case "a call started that is none":
            await runner.frame(held, "progress", call_started="item_none")


@pytest.mark.parametrize(
    "which",
    [
        "an output of no open call",
        "a second accepted",
        "an empty progress",
        "an end without an outcome",
        "an item with no id",
        "an item that is there already",
        "a call started that is none",
    ],
)
async def test_a_frame_that_does_not_fit_fails_the_turn_and_the_link_goes_on(
    house: House, which: str
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await nonsense(runner, held, which)
        await runner.refused(held)
        await failed_by_protocol(house, session.id)
        assert history(await house.items(session.id)) == [("user", "go")]
        await house.send(session.id, "next")
        await runner.complete(await runner.taken())


async def test_a_turn_rejected_after_it_was_accepted_fails(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.send(rejected={"turn_id": held.turn_id, "epoch": held.epoch})
        await house.client.GetTurn(session_id=session.id, turn_id=held.turn_id, wait=True)
        await failed_by_protocol(house, session.id)


async def test_a_runner_must_accept_before_it_reports(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.start()
        await runner.frame(held, "progress", round={"round": 1, "items": [a_call()]})
        await runner.refused(held)
        await failed_by_protocol(house, session.id)


async def test_a_frame_of_an_older_or_unknown_epoch_is_refused_and_writes_nothing(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        head = (await house.client.GetSession(session_id=session.id)).head_sequence
        for epoch, turn_id in ((held.epoch - 1, held.turn_id), (held.epoch, "turn_none")):
            ended = {"turn_id": turn_id, "epoch": epoch, "number": 2}
            await runner.send(turn_ended=ended | {"outcome": "TURN_OUTCOME_COMPLETED"})
            ack = await runner.next_of("ack")
            assert (ack.turn_id, ack.epoch, ack.refused) == (turn_id, epoch, True)
        shown = await house.client.GetSession(session_id=session.id)
        assert (shown.head_sequence, short(shown, "status")) == (head, "running")
        await runner.complete(held)


async def test_a_runner_cannot_report_about_a_turn_of_another(house: House) -> None:
    async with raw_runner(house) as runner, raw_runner(house) as thief:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await thief.frame(held, "turn_ended", 2, outcome="TURN_OUTCOME_COMPLETED")
        await thief.refused(held)
        await runner.complete(held, "mine")
    assert history(await house.items(session.id))[-1] == ("assistant", "mine")
