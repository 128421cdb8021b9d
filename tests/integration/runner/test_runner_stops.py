"""A turn that is stopped or dropped: what is said about it, and when."""

import asyncio

import pytest
from fake_server import running_server
from puppets import (
    NO_USAGE,
    accepted,
    block,
    call,
    message,
    output,
    running_runner,
    the_turn_stays_silent,
)

from steersman.v1.interrupt_pb2 import INTERRUPT_MODE_KEEP, INTERRUPT_MODE_ROLLBACK
from steersman.v1.item_pb2 import ITEM_ROLE_ASSISTANT, ITEM_STATUS_INCOMPLETE
from steersman.v1.runner_pb2 import (
    TURN_OUTCOME_COMPLETED,
    TURN_OUTCOME_STOPPED,
    TurnEnded,
)
from steersman_runner.harness.base import Answer, Desk, Work


async def stopped_with(mode: int) -> TurnEnded:
    async def play(work: Work, desk: Desk) -> Answer:
        desk.delta("half an ")
        desk.delta("answer")
        return await block(work, desk)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        assert (await connection.next()).delta.text == "half an answer"
        await connection.stop("turn_1", "int_1", mode=mode)
        receipt = (await connection.next()).receipt
        assert (receipt.turn_id, receipt.epoch, receipt.interrupt_id) == ("turn_1", 1, "int_1")
        return (await connection.next()).turn_ended


async def test_a_stop_gets_its_receipt_then_the_end_with_the_partial_text() -> None:
    ended = await stopped_with(INTERRUPT_MODE_KEEP)
    assert ended.outcome == TURN_OUTCOME_STOPPED
    [partial] = ended.items
    assert partial.content[0].text == "half an answer"
    assert partial.content[0].type == "output_text"
    assert (partial.role, partial.status) == (ITEM_ROLE_ASSISTANT, ITEM_STATUS_INCOMPLETE)


async def test_a_stop_that_rolls_back_keeps_no_partial_text() -> None:
    ended = await stopped_with(INTERRUPT_MODE_ROLLBACK)
    assert ended.outcome == TURN_OUTCOME_STOPPED
    assert not ended.items


async def test_the_text_of_a_committed_round_is_no_partial_text() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        desk.delta("calling")
        await desk.round([message("calling"), call("c1")], NO_USAGE)
        return Answer([], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        assert (await connection.next_of("turn_1")).HasField("progress")
        await connection.stop("turn_1", "int_1")  # while the round waits for its acknowledgement
        ended = (await connection.next_of("turn_1")).turn_ended
    assert ended.outcome == TURN_OUTCOME_STOPPED
    assert not ended.items


async def test_a_stop_ends_once_and_not_before_the_work_has_really_ended() -> None:
    let_go, cancelled = asyncio.Event(), []

    async def play(work: Work, desk: Desk) -> Answer:
        try:
            return await block(work, desk)
        except asyncio.CancelledError:
            cancelled.append(work.turn_id)
            await let_go.wait()
            await desk.output(output("c1", "what was done"))
            raise

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        for _ in range(2):
            await connection.stop("turn_1", "int_1")
            assert (await connection.next()).HasField("receipt")
        let_go.set()
        assert (await connection.next_acknowledged("turn_1")).progress.output.call_item_id == "c1"
        ended = (await connection.next_of("turn_1")).turn_ended
        await connection.stop("turn_1", "int_1")
        assert (await connection.next()).HasField("receipt")
        await the_turn_stays_silent(connection, "turn_1")
    assert ended.outcome == TURN_OUTCOME_STOPPED
    assert cancelled == ["turn_1"]


async def test_an_answer_in_the_instant_of_the_stop_is_reported_as_it_is() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        try:
            return await block(work, desk)
        except asyncio.CancelledError:
            return Answer([message("already done")], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        await connection.stop("turn_1", "int_1")
        ended = (await connection.next_of("turn_1")).turn_ended
    assert ended.outcome == TURN_OUTCOME_COMPLETED
    assert ended.items[0].content[0].text == "already done"


@pytest.mark.parametrize(
    ("interrupt_id", "epoch"),
    [("int_1", 1), ("", 1), ("int_1", 3)],
    ids=["older stop", "older drop", "newer stop"],
)
async def test_a_stop_or_a_drop_of_another_epoch_touches_nothing(
    interrupt_id: str, epoch: int
) -> None:
    async with running_server() as server, running_runner(server, block):
        connection = await server.greeted()
        await connection.start("turn_1", epoch=2)
        await accepted(connection, "turn_1")
        await connection.stop("turn_1", interrupt_id, epoch=epoch)
        await the_turn_stays_silent(connection, "turn_1")
        await connection.stop("turn_1", "int_2", epoch=2)
        assert (await connection.next()).receipt.interrupt_id == "int_2"


@pytest.mark.parametrize("by", ["a stop without an interrupt", "a refused acknowledgement"])
async def test_a_dropped_turn_is_silent_and_keeps_its_slot_until_it_really_ends(by: str) -> None:
    let_go, cancelled = asyncio.Event(), asyncio.Event()

    async def stubborn(work: Work, desk: Desk) -> Answer:
        try:
            return await block(work, desk)
        except asyncio.CancelledError:
            cancelled.set()
            await let_go.wait()
            desk.delta("too late")
            await desk.output(output("c1", "too late"))
            raise AssertionError("an output of a dropped turn was committed") from None

    async with running_server() as server, running_runner(server, stubborn, slots=2):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        if by == "a stop without an interrupt":
            await connection.stop("turn_1", "")
        else:
            await connection.refuse("turn_1", 1, 1)
        await cancelled.wait()
        await connection.start("turn_2", harness="scripted", options={"script": [{"block": True}]})
        await accepted(connection, "turn_2")
        await connection.start("turn_3")
        assert (await connection.next()).rejected.message == "no free slot"
        let_go.set()
        await connection.stop("turn_2", "int_2")
        assert (await connection.next()).HasField("receipt")
        assert (await connection.next()).turn_ended.turn_id == "turn_2"
        await the_turn_stays_silent(connection, "turn_1")


async def test_a_newer_epoch_of_a_turn_replaces_the_older_one_silently() -> None:
    async with running_server() as server, running_runner(server, block):
        connection = await server.greeted()
        await connection.start("turn_1", epoch=1)
        await accepted(connection, "turn_1")
        await connection.start("turn_1", epoch=2)
        assert (await connection.next()).accepted.epoch == 2
