"""The store as the rest of the server sees it: `write` and `read`."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from steersman_server.core.notices import Notice
from steersman_server.core.refusals import StoreUnavailable
from steersman_server.core.values import Instant
from steersman_server.store.engine import Database
from steersman_server.store.prepared import Driver
from steersman_server.store.transaction import Ids, Transaction
from steersman_server.store.writer import Writer

T = TypeVar("T")
READERS = 2


def wall_clock() -> Instant:
    return Instant(time.time_ns() // 1000)


class Store:
    """Everything durable. Made on the event loop that uses it.

    `publish` is called on that loop with the notices of each commit, in the order
    of the log.
    """

    def __init__(
        self,
        database: Database,
        publish: Callable[[Sequence[Notice]], None],
        now: Callable[[], Instant] = wall_clock,
    ) -> None:
        self._database = database
        self.now = now
        self._writer = Writer(database, now, publish)
        self._local = threading.local()
        self._opened: list[Driver] = []
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._closed = False

    def hand_in(self, work: Callable[[Transaction], T]) -> "asyncio.Future[T]":
        """Queue `work` at once, for callers that run on a publisher's stack.

        The future gets what `write` would answer or raise.
        """
        return self._writer.run(work)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` and answer once it is committed.

        Raises what `work` raises, and StoreUnavailable; nothing of it remains then.
        """
        return await self._writer.run(work)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` on one consistent snapshot of what is committed.

        Raises what `work` raises, and StoreUnavailable.
        """
        if self._closed:
            raise StoreUnavailable("the store is closed")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[Transaction], T]) -> T:
        try:
            driver = self._driver()
            driver.command("BEGIN")
            try:
                return work(Transaction(driver, self.now(), Ids()))
            finally:
                driver.command("ROLLBACK")
        except DBAPIError as error:
            raise StoreUnavailable(str(error.orig)) from error

    def _driver(self) -> Driver:
        """The reader thread's own connection."""
        driver: Driver | None = getattr(self._local, "driver", None)
        if driver is None:
            driver = Driver(self._database.engine.connect())
            self._local.driver = driver
            self._opened.append(driver)
        return driver

    async def close(self) -> None:
        """Commit what waits and let go of the database."""
        await self._writer.close()
        self._closed = True
        await asyncio.to_thread(self._readers.shutdown)
        while self._opened:
            driver = self._opened.pop()
            driver.close()
            driver.connection.close()
        self._database.close()
