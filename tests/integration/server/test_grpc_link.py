"""The link, frame by frame: hello and welcome, acknowledgement and resend, epochs, bad frames."""

from typing import Any

import pytest
from raw_runner import RawRunner, raw_runner
from server_house import House, running_house
from server_refusals import refusal
from server_watching import history, log_of

from steersman import kind
from steersman_server.hub import link

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(runner: RawRunner, reason: str) -> dict[str, str]:
    """The stream ends with this reason; its details."""
    error = await runner.ended()
    assert error is not None
    met = refusal(error)
    assert met.reason == reason, met
    return met.details


async def test_a_welcome_tells_the_terms(house: House) -> None:
    runner = RawRunner(house.runner)
    welcome = await runner.greeted()
    assert welcome.protocol == 1
    seconds = (
        welcome.heartbeat_interval.seconds,
        welcome.lease.seconds,
        welcome.isolation_limit.seconds,
    )
    assert seconds == (2, 10, 10)
    # Of one frame: room for a message of 1 MiB and more, and less than the transport takes.
    assert 8 * 1024 * 1024 < welcome.max_message_bytes < 32 * 1024 * 1024
    assert welcome.max_output_bytes == 256 * 1024
    assert not welcome.verdicts
    await runner.close()


async def test_the_first_frame_must_be_hello(house: House) -> None:
    runner = RawRunner(house.runner)
    await runner.send(heartbeat={"number": 1})
    assert (await refused(runner, "bad_request"))["field"] == "hello"


@pytest.mark.parametrize(
    "fields", [{"runner_id": "No Name"}, {"runner_id": ""}, {"slots": 0}, {"slots": -1}]
)
async def test_a_hello_that_cannot_be_is_refused(house: House, fields: dict[str, Any]) -> None:
    runner = RawRunner(house.runner)
    await runner.hello(**fields)
    [name] = fields
    assert (await refused(runner, "bad_request"))["field"] == f"hello.{name}"


async def test_a_runner_that_speaks_no_common_protocol_is_told_both_ranges(house: House) -> None:
    runner = RawRunner(house.runner)
    await runner.hello(protocol_min=7, protocol_max=9)
    details = await refused(runner, "protocol_mismatch")
    assert details == {"runner_min": "7", "runner_max": "9", "server_min": "1", "server_max": "1"}


async def test_a_second_hello_ends_the_stream(house: House) -> None:
    async with raw_runner(house) as runner:
        await runner.hello()
        await refused(runner, "bad_request")


async def test_a_heartbeat_is_answered_with_its_number(house: House) -> None:
    async with raw_runner(house) as runner:
        for number in (1, 5, 2**40):
            await runner.send(heartbeat={"number": number})
            assert (await runner.next_of("ping")).heartbeat == number


async def test_a_start_turn_says_what_a_runner_needs(house: House) -> None:
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness, model="m-1", instructions="be brief")
        session = await house.session(agent, "go")
        held = await runner.start()
    assert (held.session_id, held.turn_id) == (session.id, session.active_turn.id)
    assert (held.attempt, getattr(held, "try"), held.round, held.more) == (1, 1, 0, False)
    assert held.epoch > 0
    assert (held.agent.name, held.agent.model, held.agent.instructions) == (
        agent,
        "m-1",
        "be brief",
    )
    assert history(list(held.history)) == [("user", "go")]


async def test_a_rejected_turn_goes_back_to_the_queue_and_to_another_runner(house: House) -> None:
    async with raw_runner(house) as first:
        session = await house.session(await house.agent(first.harness), "go")
        held = await first.start()
        async with raw_runner(house, harness=first.harness, slots=5) as second:
            await first.send(rejected={"turn_id": held.turn_id, "epoch": held.epoch})
            again = await second.start()
            assert again.turn_id == held.turn_id
            assert again.epoch > held.epoch
            await first.frame(held, "accepted")
            await first.refused(held)
            await second.accepted(again)
            await second.complete(again)
    assert [kind(e) for e in await log_of(house.client, session.id)].count("turn_queued") == 2


async def test_history_travels_in_chunks_of_about_a_mebibyte(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "x" * 700_000)
        first = await runner.taken()
        await runner.complete(first, "y" * 700_000)
        await house.send(session.id, "z" * 700_000)
        chunks = [await runner.start()]
        while chunks[-1].more:
            chunks.append(await runner.start())
    assert len(chunks) == 3
    assert {(chunk.turn_id, chunk.epoch) for chunk in chunks} == {
        (chunks[0].turn_id, chunks[0].epoch)
    }
    assert [chunk.HasField("agent") for chunk in chunks] == [True, False, False]
    assert [item.content[0].text[0] for chunk in chunks for item in chunk.history] == [
        "x",
        "y",
        "z",
    ]


async def test_a_runner_that_reads_too_slowly_loses_its_stream_by_that_name(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with raw_runner(house) as runner:
        monkeypatch.setattr(link, "OUTBOUND", 0)
        await runner.send(heartbeat={"number": 1})
        assert (await refused(runner, "rate_limited"))["runner_id"] == runner.runner_id


async def test_a_runner_that_does_not_greet_in_time_is_refused(tmp_path: Any) -> None:
    async with running_house(tmp_path, hello_deadline=0.1) as house:
        runner = RawRunner(house.runner)
        assert "in time" in (await refused(runner, "bad_request"))["problem"]
