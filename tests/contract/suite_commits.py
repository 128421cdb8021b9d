"""Store suite, commits: many units in one, each alone in its failure, told when it is true."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from store_desk import PATIENCE, Desk, busy_writer, hand_in, note

from steersman_server.core.notices import Notice, SessionDeleted
from steersman_server.core.refusals import NotFound, StoreUnavailable
from steersman_server.core.values import Instant
from steersman_server.store import statements as sql
from steersman_server.store import tokens, writer
from steersman_server.store.transaction import Missed, Transaction


def then(work: Callable[[Transaction], Any], fault: Callable[[Transaction], Any]) -> Any:
    """A unit of work that writes first and fails then."""

    def both(tx: Transaction) -> Any:
        work(tx)
        return fault(tx)

    return both


def refuse(_: Transaction) -> None:
    raise NotFound("session", "sess_x")


FAULTS: Final[dict[str, Callable[[Transaction], Any]]] = {
    "refusal": refuse,
    "bug": lambda tx: 1 / 0,
    "row that exists": note("first"),
    "value that no column takes": lambda tx: tx.run(insert(sql.TOKEN), {"id": object()}),
    "number that no column takes": lambda tx: tx.run(sql.TOKEN.update().values(created_at=2**80)),
}


class CommitSuite:
    """The writer."""

    async def test_what_waits_together_is_committed_together(self, desk: Desk) -> None:
        names = [f"n{i:02}" for i in range(99)]
        before = desk.commits
        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(note(name)) for name in names))
        assert await asyncio.gather(*tasks) == names
        assert desk.commits - before == 2
        assert await desk.noted() == names

    async def test_a_batch_is_bounded(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(writer, "BATCH", 10)
        before = desk.commits
        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(note(f"n{i}")) for i in range(30)))
        await asyncio.gather(*tasks)
        assert desk.commits - before == 4

    @pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
    async def test_a_unit_that_fails_rolls_back_alone_and_its_caller_alone_is_told(
        self, desk: Desk, fault: Callable[[Transaction], Any]
    ) -> None:
        works = [note("first"), then(note("failed"), fault), note("last")]
        async with busy_writer(desk):
            tasks = hand_in(*map(desk.write, works))
        first, failed, last = await asyncio.gather(*tasks, return_exceptions=True)
        assert (first, last) == ("first", "last")
        assert isinstance(failed, Exception)
        assert not isinstance(failed, StoreUnavailable)
        assert await desk.noted() == ["first", "last"]
        assert desk.told == ["first", "last"], "a unit that failed must not ring"

    async def test_a_miss_is_decided_anew_on_a_clean_slate(self, desk: Desk) -> None:
        decided = 0

        def work(tx: Transaction) -> int:
            nonlocal decided
            decided += 1
            note("name")(tx)
            if decided < 3:
                raise Missed("somebody else wrote")
            return decided

        assert await desk.write(work) == 3
        assert await desk.noted() == ["name"]
        assert desk.told == ["name"]

    async def test_a_unit_that_always_misses_is_a_fault_and_leaves_nothing(
        self, desk: Desk
    ) -> None:
        decided = 0

        def work(tx: Transaction) -> None:
            nonlocal decided
            decided += 1
            note("name")(tx)
            raise Missed("for ever")

        with pytest.raises(Missed):
            await desk.write(work)
        assert decided == writer.DECISIONS
        assert await desk.noted() == []
        assert desk.told == []

    async def test_notices_ring_after_the_commit_in_order_and_before_the_answers(
        self, desk: Desk
    ) -> None:
        names = [f"n{i:02}" for i in range(20)]
        early: list[str] = []

        def on_ring(notices: Sequence[Notice]) -> None:
            with desk.database.engine.connect() as other:
                committed = {row["name"] for row in other.execute(sql.TOKEN.select()).mappings()}
            rung = [notice.session_id for notice in notices if isinstance(notice, SessionDeleted)]
            early.extend(set(rung) - committed)

        async def answered(name: str) -> bool:
            await desk.write(note(name))
            return name in desk.told

        desk.on_ring = on_ring
        async with busy_writer(desk):
            tasks = hand_in(*map(answered, names))
        assert all(await asyncio.gather(*tasks)), "answered before it rang"
        assert not early, "rung before it was committed"
        assert desk.told == names

    async def test_units_run_in_the_order_in_which_they_were_handed_in(self, desk: Desk) -> None:
        order: list[int] = []
        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(lambda tx, n=n: order.append(n)) for n in range(50)))
        await asyncio.gather(*tasks)
        assert order == list(range(50))

    async def test_a_caller_that_left_does_not_undo_its_work_nor_stop_the_others(
        self, desk: Desk
    ) -> None:
        async with busy_writer(desk):
            left, stayed = hand_in(desk.write(note("left")), desk.write(note("stayed")))
            await asyncio.sleep(0)
            left.cancel()
        assert await stayed == "stayed"
        assert await desk.noted() == ["left", "stayed"]

    async def test_closing_commits_what_waits_and_refuses_what_comes_later(
        self, desk: Desk
    ) -> None:
        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(note(f"n{i}")) for i in range(9)))
            await asyncio.sleep(0)
            closing = asyncio.create_task(desk.store.close())
            await asyncio.sleep(0)
        await closing
        assert await asyncio.gather(*tasks) == [f"n{i}" for i in range(9)]
        for late in (desk.write(note("late")), desk.read(tokens.every)):
            with pytest.raises(StoreUnavailable):
                await late
        again = Desk(desk.url)
        assert await again.noted() == [f"n{i}" for i in range(9)]
        await again.store.close()

    async def test_a_reader_sees_one_snapshot_and_never_what_is_not_committed(
        self, desk: Desk
    ) -> None:
        looked, go = threading.Event(), threading.Event()

        def twice(tx: Transaction) -> list[int]:
            first = len(tokens.every(tx))
            looked.set()
            assert go.wait(PATIENCE)
            return [first, len(tokens.every(tx))]

        async with busy_writer(desk):
            writing = hand_in(desk.write(note("name")))
            reading = asyncio.create_task(desk.read(twice))
            assert await asyncio.to_thread(looked.wait, PATIENCE)
        await asyncio.gather(*writing)
        go.set()
        assert await reading == [0, 0]
        assert await desk.noted() == ["name"]

    async def test_a_row_that_exists_is_an_integrity_error_and_no_outage(self, desk: Desk) -> None:
        await desk.write(note("name"))
        with pytest.raises(IntegrityError):
            await desk.write(note("name"))

    async def test_ids_sort_as_they_were_made_also_within_one_instant(self, desk: Desk) -> None:
        """Inputs wait, and lists page, in the order of ids."""

        def work(tx: Transaction) -> list[str]:
            return [tx.new_id("turn") for _ in range(3)]

        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(work) for _ in range(30)))
        made = [new for ids in await asyncio.gather(*tasks) for new in ids]
        desk.now = Instant(desk.now - 5_000_000)  # the clock was set back
        made += await desk.write(work)
        desk.now = Instant(desk.now + 60_000_000)
        made += await desk.write(work)
        assert made == sorted(set(made))
        assert all(new.startswith("turn_") and len(new) == 31 for new in made)

    async def test_time_stands_still_within_a_unit_of_work(self, desk: Desk) -> None:
        def work(tx: Transaction) -> list[Instant]:
            first = tx.now
            desk.now = Instant(desk.now + 1)
            return [first, tx.now]

        first, second = await desk.write(work)
        assert first == second
