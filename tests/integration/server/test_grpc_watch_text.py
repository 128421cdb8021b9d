"""WatchSession: text as it streams, and the text in flight in the snapshot."""

import pytest
from raw_runner import a_call, raw_runner
from server_house import House
from server_watching import watching

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_text_streams_in_contiguous_pieces_counted_in_characters(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with watching(house.client, session.id) as watch:
            for offset, piece in ((0, "é🎉"), (2, "x"), (1, "🎉x"), (3, "end")):
                await runner.delta(held, offset, piece)
            while "".join(delta.text for delta in watch.deltas) != "é🎉xend":
                await watch.frame()
        length = 0
        for delta in watch.deltas:
            assert (delta.turn_id, delta.attempt, getattr(delta, "try"), delta.round) == (
                held.turn_id,
                1,
                1,
                1,
            )
            assert delta.offset == length
            length += len(delta.text)


async def test_a_snapshot_holds_the_text_in_flight_and_live_text_goes_on_from_it(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        await runner.delta(held, 0, "so ")
        await runner.delta(held, 3, "far🎉")
        await runner.silent()
        async with watching(house.client, session.id) as watch:
            flying = watch.snapshot.in_flight
            assert (flying.turn_id, flying.attempt, getattr(flying, "try"), flying.round) == (
                held.turn_id,
                1,
                1,
                1,
            )
            assert (flying.text, flying.length) == ("so far🎉", 7)
            await runner.delta(held, 7, ", on")
            while not watch.deltas:
                await watch.frame()
            assert (watch.deltas[0].offset, watch.deltas[0].text) == (7, ", on")
        await runner.round(held, a_call())
        async with watching(house.client, session.id) as later:
            assert not later.snapshot.HasField("in_flight")  # it is history now


async def test_text_of_an_epoch_that_is_over_reaches_nobody(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        async with watching(house.client, session.id) as watch:
            await runner.complete(held)
            await runner.delta(held, 0, "late")
            await runner.silent()
            await house.send(session.id, "next")
            await watch.until("turn_assigned")
            await watch.up_to(watch.events[-1].sequence)
        assert not watch.deltas


async def test_text_of_an_older_epoch_reaches_nobody_when_the_same_runner_holds_the_turn_again(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        old = await runner.taken()
        await runner.frame(old, "turn_ended", outcome="TURN_OUTCOME_ABANDONED")
        await runner.acked(old)
        new = await runner.taken()
        async with watching(house.client, session.id) as watch:
            await runner.delta(old, 0, "late")
            await runner.delta(new, 0, "fresh")
            while not watch.deltas:
                await watch.frame()
        assert [delta.text for delta in watch.deltas] == ["fresh"]
        assert getattr(watch.deltas[0], "try") == 2
