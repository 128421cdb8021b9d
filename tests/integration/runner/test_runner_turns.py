"""A turn on one stream: accepted, told, committed, ended."""

import asyncio

import pytest
from fake_server import running_server, start_turn
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

from steersman.v1.item_pb2 import Item
from steersman.v1.runner_pb2 import (
    TURN_OUTCOME_COMPLETED,
    TURN_OUTCOME_FAILED,
)
from steersman.v1.turn_pb2 import FAILURE_KIND_INTERNAL, FAILURE_KIND_PERMANENT, Failure
from steersman_runner.harness.base import Answer, Desk, TurnFailed, Work


async def test_accepted_is_frame_1_and_the_work_does_not_wait_for_its_acknowledgement() -> None:
    async with running_server() as server, running_runner(server):
        connection = await server.greeted()
        await connection.start("turn_1", epoch=7)
        first = (await connection.next()).accepted
        last = (await connection.next()).turn_ended
    assert (first.turn_id, first.epoch, first.number) == ("turn_1", 7, 1)
    assert (last.turn_id, last.epoch, last.number) == ("turn_1", 7, 2)
    assert last.outcome == TURN_OUTCOME_COMPLETED
    [item] = last.items
    assert (item.turn_id, item.attempt, item.round) == ("turn_1", 1, 1)


async def test_a_turn_in_chunks_starts_whole_and_once() -> None:
    seen: list[Work] = []

    async def play(work: Work, desk: Desk) -> Answer:
        seen.append(work)
        return Answer([], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        first = start_turn("turn_1", history=[Item(id="i1")], more=True, round=2)
        await connection.send(start_turn=first)
        middle = start_turn("turn_1", history=[Item(id="i2")], more=True, agent=None, round=2)
        await connection.send(start_turn=middle)
        last = start_turn("turn_1", started_call_ids=["i2"], agent=None, round=2)
        await connection.send(start_turn=last)
        await accepted(connection, "turn_1")
    [work] = seen
    assert [item.id for item in work.history] == ["i1", "i2"]
    assert work.agent.harness == "puppet"
    assert (work.round, work.started_call_ids) == (2, frozenset({"i2"}))


async def test_a_runner_without_a_free_slot_or_the_harness_rejects() -> None:
    async with running_server() as server, running_runner(server, block, slots=1):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        await connection.start("turn_2", epoch=3)
        rejected = (await connection.next()).rejected
        assert (rejected.turn_id, rejected.epoch) == ("turn_2", 3)
        assert rejected.message == "no free slot"
        await connection.start("turn_3", harness="other")
        assert "other" in (await connection.next()).rejected.message


async def test_a_start_that_is_repeated_changes_nothing() -> None:
    async with running_server() as server, running_runner(server, block):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        await connection.start("turn_1")
        await the_turn_stays_silent(connection, "turn_1")


async def test_no_tool_starts_before_its_round_is_acknowledged() -> None:
    ran = asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        await desk.round([call("c1")], NO_USAGE)
        ran.set()
        await desk.call_started("c1")
        await desk.output(output("c1", "42"))
        return Answer([message("so")], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        committed = (await connection.next_of("turn_1")).progress
        await the_turn_stays_silent(connection, "turn_1")
        assert not ran.is_set()
        await connection.acknowledge("turn_1", 1, committed.number)
        started = (await connection.next_acknowledged("turn_1")).progress
        answered = (await connection.next_acknowledged("turn_1")).progress
        ended = (await connection.next_acknowledged("turn_1")).turn_ended
    assert (committed.number, committed.round.round) == (2, 1)
    assert (started.number, started.call_started) == (3, "c1")
    assert (answered.number, answered.output.output, answered.output.round) == (4, "42", 1)
    assert (ended.number, ended.round) == (5, 2)


async def test_an_output_over_the_servers_limit_is_cut_and_says_so() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        await desk.output(output("c1", "ab\N{GRINNING FACE}"))
        return Answer([], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted(max_output_bytes=4)
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        cut = (await connection.next_of("turn_1")).progress.output
    assert (cut.output, cut.truncated) == ("ab", True)


@pytest.mark.parametrize("where", ["a round", "the answer"])
async def test_a_frame_over_the_servers_limit_fails_its_turn_and_not_the_stream(where: str) -> None:
    big = message("x" * 5000)

    async def play(work: Work, desk: Desk) -> Answer:
        if where == "a round":
            await desk.round([big], NO_USAGE)
        return Answer([big], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted(max_message_bytes=4096)
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        ended = (await connection.next_of("turn_1")).turn_ended
    assert (ended.outcome, ended.error.code) == (TURN_OUTCOME_FAILED, "frame_too_large")


async def test_delta_offsets_are_contiguous_in_code_points_and_start_anew_each_round() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        for piece in ("a\N{GRINNING FACE}", "e\N{COMBINING ACUTE ACCENT}", "z" * 3):
            desk.delta(piece)
            await asyncio.sleep(0.01)
        await desk.round([call("c1")], NO_USAGE)
        desk.delta("next")
        return Answer([], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1", **{"try": 4})
        texts = {1: "", 2: ""}
        while not (frame := await connection.next()).HasField("turn_ended"):
            if frame.HasField("progress"):
                assert texts[1] == "a\N{GRINNING FACE}e\N{COMBINING ACUTE ACCENT}zzz"
                await connection.acknowledge("turn_1", 1, frame.progress.number)
            elif frame.HasField("delta"):
                delta = frame.delta
                assert getattr(delta, "try") == 4
                assert delta.offset == len(texts[delta.round])
                texts[delta.round] += delta.text
    assert texts[2] == "next"


async def test_deltas_of_one_window_are_merged_into_one_frame() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        for _ in range(100):
            desk.delta("x")
        await asyncio.Event().wait()
        return Answer([], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        assert (await connection.next()).HasField("accepted")
        assert (await connection.next()).delta.text == "x" * 100


async def test_a_turn_that_fails_says_why() -> None:
    failure = Failure(kind=FAILURE_KIND_PERMANENT, code="bad_key", message="no")

    async def play(work: Work, desk: Desk) -> Answer:
        raise TurnFailed(failure, stop_reason="max_rounds")

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        ended = (await connection.next_of("turn_1")).turn_ended
    assert ended.outcome == TURN_OUTCOME_FAILED
    assert (ended.error, ended.stop_reason) == (failure, "max_rounds")


async def test_of_an_unexpected_error_only_the_type_is_told() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        raise ZeroDivisionError("key sk-123")

    async with running_server() as server, running_runner(server, play):
        connection = await server.greeted()
        await connection.start("turn_1")
        await accepted(connection, "turn_1")
        ended = (await connection.next_of("turn_1")).turn_ended
    assert (ended.error.kind, ended.error.code) == (FAILURE_KIND_INTERNAL, "harness_error")
    assert "ZeroDivisionError" in ended.error.message
    assert "sk-123" not in ended.error.message
