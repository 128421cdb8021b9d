"""The writer: one thread that commits many waiting units of work together.

A commit costs a flush to disk whatever it holds, so everything that waits goes
into one. Each unit runs in its own savepoint: a refusal or a fault rolls back
that one alone. Answers and notices follow the commit.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

import structlog
from sqlalchemy import func, select
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)

from steersman_server.core.notices import Notice
from steersman_server.core.refusals import StoreUnavailable
from steersman_server.core.values import Instant
from steersman_server.store import statements as sql
from steersman_server.store.engine import Database
from steersman_server.store.prepared import Driver, Prepared
from steersman_server.store.transaction import Ids, Missed, Transaction

T = TypeVar("T")
BATCH = 256  # units in one commit, so that the first does not wait for a crowd
DECISIONS = 5  # times that a unit decides anew before a miss is taken for a fault

THE_WORKS_OWN = (IntegrityError, DataError, ProgrammingError, NotSupportedError)
"""What a database says about a statement; anything else it says is about itself."""

_NEWEST = [
    Prepared(select(func.max(table.c.id).label("newest")))
    for table in (sql.SESSION, sql.TURN, sql.INTERRUPT)
]

log = structlog.get_logger()


@dataclass(slots=True)
class Unit(Generic[T]):
    """Work that waits, and the promise of its answer."""

    work: Callable[[Transaction], T]
    promise: asyncio.Future[T]
    answer: T | None = None
    fault: BaseException | None = None
    notices: list[Notice] = field(default_factory=list)


class Writer:
    """Runs units of work in the order in which they were handed in.

    `publish` gets a batch's notices after its commit, on the event loop, before
    the answers are given.
    """

    def __init__(
        self,
        database: Database,
        now: Callable[[], Instant],
        publish: Callable[[Sequence[Notice]], None],
    ) -> None:
        self._database = database
        self._now = now
        self._publish = publish
        self._loop = asyncio.get_running_loop()
        self._waiting: SimpleQueue[Unit[Any] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._ids: Ids | None = None
        self._closed = False
        self._thread.start()

    def run(self, work: Callable[[Transaction], T]) -> "asyncio.Future[T]":
        """Hand in a unit of work. Its answer comes after the commit.

        Raises whatever the work raises, and StoreUnavailable when the database
        cannot commit; nothing of the work remains then.
        """
        promise: asyncio.Future[T] = self._loop.create_future()
        if self._closed:
            promise.set_exception(StoreUnavailable("the store is closed"))
        else:
            self._waiting.put(Unit(work, promise))
        return promise

    async def close(self) -> None:
        """Commit what waits, then end the thread."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        with self._database.engine.connect() as connection:
            driver = Driver(connection)
            while batch := self._take():
                self._commit(driver, batch)
                self._loop.call_soon_threadsafe(self._announce, batch)
            driver.close()

    def _take(self) -> list[Unit[Any]]:
        """Everything that waits; empty when the writer is to end."""
        first = self._waiting.get()
        if first is None:
            return []
        batch = [first]
        while len(batch) < BATCH:
            try:
                unit = self._waiting.get_nowait()
            except Empty:
                break
            if unit is None:
                self._waiting.put(None)
                break
            batch.append(unit)
        return batch

    def _commit(self, driver: Driver, batch: list[Unit[Any]]) -> None:
        try:
            driver.command("BEGIN IMMEDIATE")
            ids = self._ids = self._ids or Ids(_newest_ids(driver))
            for unit in batch:
                self._attempt(driver, unit, ids)
            driver.command("COMMIT")
        except DBAPIError as error:
            log.error("store_commit_failed", units=len(batch), problem=str(error.orig))
            _rollback(driver)
            for unit in batch:
                unit.fault = StoreUnavailable(str(error.orig))

    def _attempt(self, driver: Driver, unit: Unit[Any], ids: Ids) -> None:
        for _ in range(DECISIONS):
            driver.command("SAVEPOINT unit")
            transaction = Transaction(driver, self._now(), ids)
            try:
                unit.answer = unit.work(transaction)
            except Missed as miss:
                unit.fault = miss
            except THE_WORKS_OWN as error:
                unit.fault = error
            except DBAPIError:
                raise  # the database, not the work: the whole batch is in doubt
            except Exception as error:  # noqa: BLE001  (belongs to the caller, who gets it)
                unit.fault = error
            else:
                unit.fault = None
                unit.notices = transaction.notices
                driver.command("RELEASE unit")
                return
            driver.command("ROLLBACK TO unit")
            driver.command("RELEASE unit")
            if not isinstance(unit.fault, Missed):
                return

    def _announce(self, batch: list[Unit[Any]]) -> None:
        self._publish([notice for unit in batch if not unit.fault for notice in unit.notices])
        for unit in batch:
            if unit.promise.done():
                continue  # the caller left; the work is committed all the same
            if unit.fault is not None:
                unit.promise.set_exception(unit.fault)
            else:
                unit.promise.set_result(unit.answer)


def _newest_ids(driver: Driver) -> list[str]:
    """Of the rows that stand in the order of their ids."""
    found = (driver.row(newest, {}) for newest in _NEWEST)
    return [row["newest"] for row in found if row is not None and row["newest"] is not None]


def _rollback(driver: Driver) -> None:
    try:
        driver.command("ROLLBACK")
    except DBAPIError:
        # SQLite has rolled back by itself (disk full, I/O error); there is
        # nothing left to undo.
        return
