"""The store suite on SQLite, and what only SQLite can do: a file that is locked, full or gone."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from store_desk import PATIENCE, Desk, busy_writer, hand_in, note
from store_suite import StoreSuite

from steersman_server.core.refusals import StoreUnavailable
from steersman_server.store import engine
from steersman_server.store.engine import open_database
from steersman_server.store.transaction import Transaction


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database that has all migrations: a copy is quicker than running them."""
    path = tmp_path_factory.mktemp("template") / "empty.db"
    open_database(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def file(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(template, tmp_path / "steersman.db"))


class TestSqlite(StoreSuite):
    """SQLite."""

    @pytest.fixture
    def url(self, file: Path) -> str:
        return f"sqlite:///{file}"

    @pytest.fixture
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine, "BUSY_TIMEOUT", 0.05)

    @pytest.fixture
    def locked(self, file: Path, impatient: None, desk: Desk) -> Iterator[Callable[[], None]]:
        """Somebody else holds the write lock until the answer is called."""
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")

            def free() -> None:
                other.execute("ROLLBACK")

            yield free

    async def test_a_locked_database_is_unavailable_and_nothing_is_half_done(
        self, desk: Desk, locked: Callable[[], None]
    ) -> None:
        tasks = hand_in(*(desk.write(note(f"n{i}")) for i in range(3)))
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(answer, StoreUnavailable) for answer in answers)
        assert desk.told == []
        assert await desk.noted() == [], "readers go on"
        locked()
        assert await desk.write(note("n0")) == "n0"
        assert await desk.noted() == desk.told == ["n0"]

    async def test_a_lock_shorter_than_the_timeout_is_waited_for(
        self, desk: Desk, file: Path
    ) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            (waiting,) = hand_in(desk.write(note("name")))
            await asyncio.sleep(0)
            other.execute("ROLLBACK")
        assert await asyncio.wait_for(waiting, PATIENCE) == "name"

    async def test_a_unit_of_work_has_the_write_lock_before_it_reads(
        self, desk: Desk, file: Path
    ) -> None:
        """What it decides on cannot change until it is written."""
        with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as other:
            async with busy_writer(desk):
                with pytest.raises(sqlite3.OperationalError, match="locked"):
                    other.execute("BEGIN IMMEDIATE")

    async def test_a_full_disk_is_unavailable_and_nothing_is_half_done(self, desk: Desk) -> None:
        def pages(tx: Transaction, command: str) -> int:
            found = tx.driver.connection.exec_driver_sql(f"PRAGMA {command}").scalar_one()
            assert isinstance(found, int)
            return found

        def big(tx: Transaction) -> None:
            for number in range(50):
                note(f"{number}-{'x' * 4000}")(tx)

        await desk.write(note("before"))
        used = await desk.write(lambda tx: pages(tx, "page_count"))
        await desk.write(lambda tx: pages(tx, f"max_page_count = {used + 5}"))
        async with busy_writer(desk):
            tasks = hand_in(desk.write(note("beside")), desk.write(big))
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreUnavailable] * 2
        assert await desk.noted() == desk.told == ["before"]
        await desk.write(lambda tx: pages(tx, "max_page_count = 1000000"))
        await desk.write(note("after"))
        assert await desk.noted() == ["after", "before"]
        assert desk.told == ["before", "after"]

    async def test_ok_means_on_disk(self, desk: Desk) -> None:
        """What another connection sees after the answer, in the journal mode that survives."""

        def pragma(name: str) -> Callable[[Transaction], object]:
            return lambda tx: tx.driver.connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()

        for look in (desk.read, desk.write):
            assert await look(pragma("journal_mode")) == "wal"
            assert await look(pragma("synchronous")) == 2, "FULL"
            assert await look(pragma("foreign_keys")) == 1

    async def test_a_database_that_is_no_database_is_unavailable(self, tmp_path: Path) -> None:
        path = tmp_path / "broken.db"
        path.write_bytes(b"this is a text and not a database" * 100)
        with pytest.raises(Exception, match="not a database"):
            open_database(f"sqlite:///{path}")
