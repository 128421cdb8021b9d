"""Rules of the outbox: order, bounds, and what is lost with a stream."""

import asyncio

import pytest

from steersman.v1.runner_pb2 import Accepted, Heartbeat, Progress, RunnerMessage
from steersman_runner.engine.frames import TurnFrames
from steersman_runner.engine.text import RoundText
from steersman_runner.errors import OutboxFull
from steersman_runner.outbox import Outbox
from steersman_runner.terms import Terms


def a_turn(turn_id: str) -> TurnFrames:
    return TurnFrames(turn_id, 1, 1, RoundText(1), limit=100)


def heartbeat(number: int) -> RunnerMessage:
    return RunnerMessage(heartbeat=Heartbeat(number=number))


async def everything_from(outbox: Outbox) -> list[RunnerMessage]:
    written: list[RunnerMessage] = []

    async def write(frame: RunnerMessage) -> None:
        written.append(frame)

    outbox.finish("bye")
    async with asyncio.timeout(5):
        await outbox.run(write)
    return written


async def test_live_frames_overtake_and_turns_take_turns() -> None:
    outbox, first, second = Outbox(10), a_turn("turn_1"), a_turn("turn_2")
    outbox.open(Terms(), [])
    for turn in (first, second):
        turn.add(Accepted())
        turn.add(Progress())
        outbox.notify(turn)
    outbox.send(heartbeat(1))
    written = await everything_from(outbox)
    assert [m.WhichOneof("frame") for m in written] == [
        "heartbeat",
        "accepted",
        "accepted",
        "progress",
        "progress",
        "goodbye",
    ]


async def test_between_streams_live_frames_are_lost_and_turns_keep_theirs() -> None:
    outbox, turn = Outbox(10), a_turn("turn_1")
    outbox.send(heartbeat(1))
    turn.add(Accepted())
    outbox.notify(turn)
    outbox.open(Terms(), [turn])
    written = await everything_from(outbox)
    assert [m.WhichOneof("frame") for m in written] == ["accepted", "goodbye"]


async def test_a_forgotten_turn_says_nothing_more() -> None:
    outbox, turn = Outbox(10), a_turn("turn_1")
    outbox.open(Terms(), [])
    turn.add(Accepted())
    outbox.notify(turn)
    outbox.forget(turn)
    assert [m.WhichOneof("frame") for m in await everything_from(outbox)] == ["goodbye"]


async def test_more_live_frames_than_the_limit_end_the_stream_by_name() -> None:
    outbox = Outbox(live_limit=2)
    outbox.open(Terms(), [])
    for number in range(3):
        outbox.send(heartbeat(number))
    with pytest.raises(OutboxFull) as full:
        await everything_from(outbox)
    assert full.value.limit == 2
