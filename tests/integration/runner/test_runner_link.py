"""The link of a runner: hello, loss and return, refusals, the two ways to leave."""

import asyncio

import grpc
import pytest
from fake_server import kept, running_server
from puppets import NO_USAGE, a_runner, block, running_runner, within

from steersman.v1.runner_pb2 import TURN_OUTCOME_ABANDONED, TURN_OUTCOME_COMPLETED
from steersman_runner import LinkRefused
from steersman_runner.harness.base import Answer, Desk, Work
from steersman_runner.settings import RunnerSettings


async def test_the_first_frame_is_hello_with_the_token_in_the_metadata() -> None:
    async with running_server() as server, running_runner(server, labels={"zone": "a"}, slots=3):
        connection = await server.connection()
        hello = await connection.greet()
    assert connection.token == "Bearer t0ken"
    assert (hello.runner_id, hello.slots, dict(hello.labels)) == ("r1", 3, {"zone": "a"})
    assert list(hello.harnesses) == ["scripted", "puppet"]
    assert (hello.protocol_min, hello.protocol_max) == (1, 1)
    assert hello.generation > 0


async def test_a_stream_that_ends_without_our_goodbye_is_a_loss_and_the_runner_comes_back() -> None:
    async with running_server() as server, running_runner(server):
        first = await server.connection()
        before = await first.greet()
        first.cut()
        again = await (await server.connection()).greet()
    assert again.generation == before.generation


async def test_a_runner_waits_for_a_server_that_is_not_there_yet() -> None:
    async with running_server() as gone:
        address, port = gone.address, int(gone.address.rpartition(":")[2])
    runner = a_runner(address, settings=RunnerSettings(retry_cap=0.2))
    task = asyncio.create_task(runner.run())
    async with running_server(port) as server:
        await server.greeted()
        runner.drain()
        await within(task)


async def test_a_server_that_does_not_welcome_in_time_is_left_for_a_new_stream() -> None:
    settings = RunnerSettings(handshake_timeout=0.1)
    async with running_server() as server, running_runner(server, settings=settings):
        await (await server.connection()).next()
        assert (await (await server.connection()).next()).HasField("hello")


async def test_a_server_that_answers_no_heartbeat_for_a_lease_is_left_for_a_new_stream() -> None:
    async with running_server() as server, running_runner(server):
        silent = await server.connection()
        silent.answers_heartbeats = False
        await silent.greet(lease=0.1)
        await server.greeted()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "unauthenticated"),
        (grpc.StatusCode.PERMISSION_DENIED, "permission_denied"),
        (grpc.StatusCode.UNIMPLEMENTED, "method_not_allowed"),
        (grpc.StatusCode.FAILED_PRECONDITION, "protocol_mismatch"),
        (grpc.StatusCode.INVALID_ARGUMENT, "bad_request"),
    ],
)
async def test_a_refusal_that_no_second_try_changes_ends_the_runner(
    code: grpc.StatusCode, reason: str
) -> None:
    async with running_server() as server:
        server.refuse(code, reason)
        with pytest.raises(LinkRefused) as refused:
            await within(a_runner(server.address, token="s3cret").run())
    assert refused.value.end.code is code
    assert refused.value.end.reason == reason
    assert "s3cret" not in str(refused.value)


async def test_a_passing_refusal_is_tried_again() -> None:
    async with running_server() as server:
        server.refuse(grpc.StatusCode.UNAVAILABLE, "draining")
        async with running_runner(server) as (_, task):
            done, _ = await asyncio.wait({task}, timeout=0.3)
            assert not done
            server.refusal = None
            await server.greeted()


async def test_a_stream_that_ends_with_cancelled_is_a_loss_too() -> None:
    async with running_server() as server:
        server.refuse(grpc.StatusCode.CANCELLED, "")
        async with running_runner(server) as (_, task):
            done, _ = await asyncio.wait({task}, timeout=0.3)
            assert not done
            server.refusal = None
            await server.greeted()


@pytest.mark.parametrize("asked_by", ["the operator", "the server"])
async def test_a_draining_runner_finishes_what_runs_takes_no_more_and_says_goodbye(
    asked_by: str,
) -> None:
    finish = asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        await finish.wait()
        return Answer([], NO_USAGE)

    # With a grace this long, only a stream that the runner half-closed ends in time.
    settings = RunnerSettings(goodbye_grace=3600.0)
    async with (
        running_server() as server,
        running_runner(server, play, settings=settings) as (runner, task),
    ):
        connection = await server.greeted()
        await connection.start("turn_1")
        await connection.next_acknowledged("turn_1")
        if asked_by == "the server":
            await connection.drain()
        else:
            runner.drain()
        await connection.start("turn_2")
        rejected = (await connection.next()).rejected
        assert (rejected.turn_id, rejected.message) == ("turn_2", "draining")
        finish.set()
        ended = (await connection.next_of("turn_1")).turn_ended
        assert ended.outcome == TURN_OUTCOME_COMPLETED
        assert not connection.unread()  # no goodbye before the end is acknowledged
        await connection.acknowledge("turn_1", 1, ended.number)
        assert (await connection.next()).goodbye.message == "drained"
        await within(connection.runner_ended.wait())
        await within(task)


async def test_an_aborting_runner_reports_what_it_abandons_and_says_goodbye() -> None:
    async with running_server() as server, running_runner(server, block) as (runner, task):
        connection = await server.greeted()
        await connection.start("turn_1")
        await connection.next_acknowledged("turn_1")
        runner.abort()
        ended = (await connection.next_acknowledged("turn_1")).turn_ended
        assert ended.outcome == TURN_OUTCOME_ABANDONED
        assert (await connection.next()).goodbye.message == "aborted"
        await within(task)


async def test_an_abort_waits_for_an_acknowledgement_no_longer_than_its_grace() -> None:
    settings = RunnerSettings(abort_grace=0.05, goodbye_grace=0.05)
    async with (
        running_server() as server,
        running_runner(server, block, settings=settings) as (runner, task),
    ):
        connection = await server.greeted()
        await connection.start("turn_1")
        await connection.next_acknowledged("turn_1")
        runner.abort()
        await connection.next_of("turn_1")
        assert (await connection.next()).HasField("goodbye")
        await within(task)


async def test_a_drain_while_cut_off_ends_the_runner_once_its_ends_are_acknowledged() -> None:
    finish = asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        await finish.wait()
        return Answer([], NO_USAGE)

    async with running_server() as server, running_runner(server, play) as (runner, task):
        first = await server.greeted()
        await first.start("turn_1")
        await first.next_acknowledged("turn_1")
        first.cut()
        runner.drain()
        finish.set()
        second = await server.connection()
        await second.greet(kept("turn_1", 1))
        assert (await second.next_acknowledged("turn_1")).HasField("turn_ended")
        assert (await second.next()).HasField("goodbye")
        await within(task)


async def test_no_work_is_left_running_when_the_runner_is_cancelled() -> None:
    stopped = asyncio.Event()

    async def play(work: Work, desk: Desk) -> Answer:
        try:
            return await block(work, desk)
        finally:
            stopped.set()

    async with running_server() as server:
        async with running_runner(server, play):
            connection = await server.greeted()
            await connection.start("turn_1")
            await connection.next_of("turn_1")
        assert stopped.is_set()
