"""A turn over several streams: what is sent again, what is not, and what isolation ends."""

import asyncio

from fake_server import dropped, kept, running_server
from puppets import NO_USAGE, block, call, message, output, running_runner, within

from steersman.v1.runner_pb2 import TURN_OUTCOME_ABANDONED, TURN_OUTCOME_COMPLETED
from steersman_runner.harness.base import Answer, Desk, Work


async def three_outputs(work: Work, desk: Desk) -> Answer:
    async with asyncio.TaskGroup() as tools:
        for name in ("c1", "c2", "c3"):
            tools.create_task(desk.output(output(name, "out")))
    return Answer([message("done")], NO_USAGE)


async def test_frames_are_sent_again_from_the_verdicts_number_and_none_twice() -> None:
    async with running_server() as server, running_runner(server, three_outputs):
        first = await server.greeted()
        await first.start("turn_1")
        for _ in range(4):
            last = await first.next_of("turn_1")
        assert last.progress.number == 4
        first.cut()
        second = await server.connection()
        hello = await second.greet(kept("turn_1", 2))
        numbers = [(await second.next_of("turn_1")).progress.number for _ in range(2)]
        assert numbers == [3, 4]
        await second.acknowledge("turn_1", 1, 4)
        ended = (await second.next_of("turn_1")).turn_ended
        assert (ended.number, ended.outcome) == (5, TURN_OUTCOME_COMPLETED)
        assert not second.unread()
    [held] = hello.working_on
    assert (held.turn_id, held.epoch, held.acknowledged) == ("turn_1", 1, 0)


async def test_an_end_that_is_not_acknowledged_is_held_and_sent_again_until_it_is() -> None:
    async with running_server() as server, running_runner(server):
        first = await server.greeted()
        await first.start("turn_1")
        await first.next_acknowledged("turn_1")
        assert (await first.next_of("turn_1")).HasField("turn_ended")
        first.cut()
        second = await server.connection()
        hello = await second.greet(kept("turn_1", 1))
        assert [held.turn_id for held in hello.working_on] == ["turn_1"]
        assert (await second.next_acknowledged("turn_1")).HasField("turn_ended")
        second.cut()
        third = await server.connection()
        assert not (await third.greet()).working_on


async def test_a_verdict_that_the_server_has_the_end_settles_the_turn() -> None:
    async with running_server() as server, running_runner(server):
        first = await server.greeted()
        await first.start("turn_1")
        while not (await first.next()).HasField("turn_ended"):
            pass
        first.cut()
        second = await server.greeted(kept("turn_1", 2))
        second.cut()
        assert not (await (await server.connection()).greet()).working_on


async def test_a_round_that_was_committed_before_the_cut_goes_on_after_the_welcome() -> None:
    async def play(work: Work, desk: Desk) -> Answer:
        await desk.round([call("c1")], NO_USAGE)
        return Answer([message("done")], NO_USAGE)

    async with running_server() as server, running_runner(server, play):
        first = await server.greeted()
        await first.start("turn_1")
        await first.next_acknowledged("turn_1")
        assert (await first.next_of("turn_1")).progress.number == 2
        first.cut()
        second = await server.greeted(kept("turn_1", 2))
        assert (await second.next()).turn_ended.number == 3


async def test_hello_tells_the_text_in_flight_and_deltas_go_on_where_it_ended() -> None:
    more = asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        desk.delta("one \N{GRINNING FACE}")
        await more.wait()
        desk.delta(" two")
        return await block(work, desk)

    async with running_server() as server, running_runner(server, play):
        first = await server.greeted()
        await first.start("turn_1", round=3, **{"try": 2})
        while not (await first.next()).HasField("delta"):
            pass
        first.cut()
        second = await server.connection()
        [held] = (await second.greet(kept("turn_1", 1))).working_on
        more.set()
        delta = (await second.next()).delta
    assert (held.text, held.round, getattr(held, "try")) == ("one \N{GRINNING FACE}", 4, 2)
    assert (delta.offset, delta.text) == (5, " two")


async def test_a_turn_that_the_verdict_drops_or_does_not_name_ends_and_says_nothing() -> None:
    ended = set()

    async def play(work: Work, desk: Desk) -> Answer:
        try:
            return await block(work, desk)
        finally:
            ended.add(work.turn_id)

    async with running_server() as server, running_runner(server, play, slots=3):
        first = await server.greeted()
        for turn_id in ("turn_1", "turn_2", "turn_3"):
            await first.start(turn_id)
            await first.next_acknowledged(turn_id)
        first.cut()
        second = await server.greeted(dropped("turn_1"), kept("turn_3", 1))
        await second.start("turn_4", harness="scripted")
        seen = []
        while not seen or not seen[-1].HasField("turn_ended"):
            seen.append(await second.next())
        assert ended == {"turn_1", "turn_2"}
        assert {frame.turn_id for frame in map(_inner, seen)} == {"turn_4"}


async def test_a_verdict_for_another_epoch_is_none_for_this_one() -> None:
    async with running_server() as server, running_runner(server, block):
        first = await server.greeted()
        await first.start("turn_1", epoch=2)
        await first.next_acknowledged("turn_1")
        first.cut()
        second = await server.greeted(kept("turn_1", 1, epoch=1))
        second.cut()
        assert not (await (await server.connection()).greet()).working_on


async def test_chunks_of_a_start_do_not_outlive_their_stream() -> None:
    async with running_server() as server, running_runner(server):
        first = await server.greeted()
        await first.start("turn_1", more=True)
        await first.start("turn_2")
        await first.next_acknowledged("turn_2")
        first.cut()
        second = await server.greeted()
        await second.start("turn_1", agent=None)
        assert (await second.next()).HasField("rejected")


async def test_no_tool_starts_while_the_runner_is_cut_off() -> None:
    reached, may_run, ran = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        reached.set()
        await may_run.wait()
        await desk.call_started("c1")
        ran.set()
        return await block(work, desk)

    async with running_server() as server, running_runner(server, play):
        first = await server.greeted()
        await first.start("turn_1")
        await first.next_acknowledged("turn_1")
        await reached.wait()
        first.cut()
        second = await server.connection()
        may_run.set()
        assert [held.turn_id for held in (await second.next()).hello.working_on] == ["turn_1"]
        assert not ran.is_set()
        second.cut()
        third = await server.greeted(kept("turn_1", 1))
        assert (await third.next_acknowledged("turn_1")).progress.call_started == "c1"
        await within(ran.wait())


async def test_work_unheard_for_the_isolation_limit_ends_and_is_reported_abandoned() -> None:
    ended = asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        try:
            return await block(work, desk)
        finally:
            ended.set()

    async with running_server() as server, running_runner(server, play):
        first = await server.connection()
        first.answers_heartbeats = False
        await first.greet(isolation_limit=0.2)
        await first.start("turn_1")
        await first.next_acknowledged("turn_1")
        first.cut()
        second = await server.connection()
        await within(ended.wait())
        [held] = (await second.greet(kept("turn_1", 1))).working_on
        assert held.turn_id == "turn_1"
        abandoned = (await second.next_acknowledged("turn_1")).turn_ended
    assert abandoned.outcome == TURN_OUTCOME_ABANDONED


async def test_answered_heartbeats_keep_work_alive_past_the_isolation_limit() -> None:
    async with running_server() as server, running_runner(server, block):
        connection = await server.greeted(isolation_limit=0.2)
        await connection.start("turn_1")
        await connection.next_acknowledged("turn_1")
        # Four limits of the same clock, counted in another turn's own time.
        await connection.start(
            "turn_2",
            harness="scripted",
            options={"script": [{"text": "abcde", "deltas": 5, "delay": 0.2}]},
        )
        await connection.next_of("turn_2")
        assert (await connection.next_of("turn_2")).turn_ended.outcome == TURN_OUTCOME_COMPLETED
        connection.cut()
        hello = await (await server.connection()).greet()
        assert "turn_1" in [held.turn_id for held in hello.working_on]


def _inner(message: object) -> object:
    return getattr(message, message.WhichOneof("frame"))
