"""A runner that lost its stream and comes back: verdicts, resends, and which process stays."""

from typing import Any

import pytest
from raw_runner import RawRunner, a_call, raw_runner
from server_house import House
from server_refusals import refusal
from server_watching import dense, history, log_of, watching

from steersman import short

pytestmark = pytest.mark.asyncio(loop_scope="module")


def working_on(held: Any, acknowledged: int, **fields: Any) -> list[dict[str, Any]]:
    place = {"turn_id": held.turn_id, "epoch": held.epoch, "acknowledged": acknowledged}
    return [place | fields]


async def test_a_turn_goes_on_from_the_last_frame_that_the_server_has(house: House) -> None:
    call = a_call()
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.round(held, call)
        runner.cut()
    # The answer to frame 2 was lost on the way: the runner says that it has that of 1.
    back = RawRunner(house.runner, runner.runner_id)
    welcome = await back.greeted(working_on=working_on(held, 1))
    [verdict] = welcome.verdicts
    assert (verdict.turn_id, verdict.epoch) == (held.turn_id, held.epoch)
    assert (verdict.keep, verdict.acknowledged) == (True, 2)
    await back.silent()  # no second start
    await back.frame(held, "progress", 2, round={"round": 1, "items": [call]})
    await back.acked(held, 2)
    await back.output(held, call, "x")
    await back.complete(held, "done", round=2)
    await back.close()
    events = await log_of(house.client, session.id)
    assert dense(events)
    assert [who for who, _ in history(await house.items(session.id))] == [
        "user",
        "call",
        "output",
        "assistant",
    ]


async def test_an_unknown_turn_and_an_older_epoch_are_to_be_dropped(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        runner.cut()
    back = RawRunner(house.runner, runner.runner_id)
    claims = [
        *working_on(held, 1),
        {"turn_id": "turn_none", "epoch": 3},
    ]
    welcome = await back.greeted(working_on=claims)
    assert [(v.turn_id, v.keep) for v in welcome.verdicts] == [
        (held.turn_id, True),
        ("turn_none", False),
    ]
    await back.frame(held, "turn_ended", 2, outcome="TURN_OUTCOME_COMPLETED")
    await back.acked(held)
    await back.close()
    again = RawRunner(house.runner, runner.runner_id)
    welcome = await again.greeted(working_on=working_on(held, 2))
    assert not welcome.verdicts[0].keep  # its end is committed
    await again.close()
    assert short(await house.client.GetSession(session_id=session.id), "status") == "idle"


async def test_a_turn_of_an_older_epoch_is_to_be_dropped_and_the_newer_is_started(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        old = await runner.taken()
        await runner.frame(old, "turn_ended", outcome="TURN_OUTCOME_ABANDONED")
        await runner.acked(old)
        new = await runner.start()
        assert (new.turn_id, new.epoch > old.epoch) == (old.turn_id, True)
        runner.cut()
    back = RawRunner(house.runner, runner.runner_id)
    welcome = await back.greeted(working_on=working_on(old, 2))
    assert [verdict.keep for verdict in welcome.verdicts] == [False]
    assert (await back.start()).epoch == new.epoch
    await back.accepted(new)
    await back.complete(new)
    await back.close()
    assert short(await house.client.GetSession(session_id=session.id), "status") == "idle"


async def test_a_start_that_was_lost_with_its_stream_is_sent_again(house: House) -> None:
    async with raw_runner(house) as runner:
        await house.session(await house.agent(runner.harness), "go")
        held = await runner.start()
        runner.cut()
    back = RawRunner(house.runner, runner.runner_id)
    await back.greeted()
    assert await back.start() == held
    await back.accepted(held)
    await back.complete(held)
    await back.close()


async def test_a_new_process_has_lost_the_turns_that_it_does_not_name(house: House) -> None:
    async with raw_runner(house) as runner:
        await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        runner.cut()
    back = RawRunner(house.runner, runner.runner_id)
    await back.greeted(generation=2)
    drop = await back.stop()
    assert (drop.epoch, drop.interrupt_id) == (held.epoch, "")
    again = await back.start()
    assert (again.turn_id, getattr(again, "try")) == (held.turn_id, 2)
    assert again.epoch > held.epoch
    await back.accepted(again)
    await back.complete(again)
    await back.close()


async def test_a_second_stream_of_the_same_process_takes_over(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with raw_runner(house, runner.runner_id, working_on=working_on(held, 1)) as second:
            error = await runner.ended()
            assert error is not None
            assert refusal(error).reason == "lease_lost"
            await second.frame(held, "turn_ended", 2, outcome="TURN_OUTCOME_COMPLETED")
            await second.acked(held)
    assert short(await house.client.GetSession(session_id=session.id), "status") == "idle"


async def test_the_higher_generation_stays_and_a_lower_one_is_refused(house: House) -> None:
    async with raw_runner(house, generation=5) as runner:
        older = RawRunner(house.runner, runner.runner_id)
        await older.hello(generation=4)
        error = await older.ended()
        assert error is not None
        met = refusal(error)
        assert (met.reason, met.details["generation"]) == ("lease_lost", "5")
        await runner.silent()
        async with raw_runner(house, runner.runner_id, generation=6) as newer:
            assert await runner.ended() is not None
            await newer.silent()


async def test_watchers_get_the_text_that_a_runner_brings_back_once(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with watching(house.client, session.id) as watch:
            await runner.delta(held, 0, "one ")
            while not watch.deltas:
                await watch.frame()
            runner.cut()
            # `two ` was said into the broken stream.
            flight = {"try": 1, "round": 1, "text": "one two "}
            async with raw_runner(
                house, runner.runner_id, working_on=working_on(held, 1, **flight)
            ) as back:
                await back.delta(held, 8, "three")
                text = ""
                while text != "one two three":
                    text = ""
                    for delta in watch.deltas:
                        assert delta.offset <= len(text)
                        text += delta.text[len(text) - delta.offset :]
                    if text != "one two three":
                        await watch.frame()
                async with watching(house.client, session.id) as late:
                    assert late.snapshot.in_flight.text == "one two three"
                    assert late.snapshot.in_flight.length == 13
