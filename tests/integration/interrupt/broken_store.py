"""Ways to make a server's store refuse to commit, and to heal it. No rules live here."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
from server_house import House
from server_refusals import refusal


@contextmanager
def locked(house: House) -> Iterator[None]:
    """Somebody else holds the database's write lock."""
    other = sqlite3.connect(house.data_dir / "steersman.db", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
    finally:
        other.close()


async def fill_up(house: House, session_id: str) -> None:
    """No page more for the database, and no room in this session's log for a long event.

    Titles go into the log; when the longest is refused, so is anything of its size.
    """
    [[pages]] = await pragma(house, "page_count")
    await pragma(house, f"max_page_count = {pages}")
    for size in (200, 100, 20, 1):
        while await titled(house, session_id, "x" * size):
            pass


async def titled(house: House, session_id: str, title: str) -> bool:
    """Whether the session took the title."""
    try:
        await house.client.UpdateSession(session={"id": session_id, "title": title})
    except grpc.aio.AioRpcError as error:
        if refusal(error).reason != "store_unavailable":
            raise
        return False
    return True


async def make_room(house: House) -> None:
    await pragma(house, "max_page_count = 1073741823")


async def pragma(house: House, text: str) -> list[tuple[int, ...]]:
    """Run a PRAGMA on the connection that writes, where it counts."""
    return await house.serving.store.write(
        lambda tx: [tuple(row) for row in tx.driver.connection.exec_driver_sql(f"PRAGMA {text}")]
    )
