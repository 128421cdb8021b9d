"""Waiting for a session to reach something: a doorbell, then a look at the store."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.notices import SessionAdvanced
from steersman_server.core.values import SessionId
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction

T = TypeVar("T")
MARGIN = 0.2
"""Seconds before the caller's deadline at which the state reached is answered."""


async def until(
    store: Store,
    bus: LocalBus,
    session_id: SessionId,
    read: Callable[[Transaction], T],
    reached: Callable[[T], bool],
    timeout: float,
    time_left: float | None = None,
) -> T:
    """What `read` answers once it is `reached`, or when the time is over."""
    if time_left is not None:
        timeout = min(timeout, max(0.0, time_left - MARGIN))
    rung = asyncio.Event()

    def ring(message: object) -> None:
        if isinstance(message, SessionAdvanced):
            rung.set()

    unsubscribe = bus.subscribe(topics.session(session_id), ring)
    try:
        async with asyncio.timeout(timeout):
            while not reached(value := await store.read(read)):
                await rung.wait()
                rung.clear()
            return value
    except TimeoutError:
        return await store.read(read)
    finally:
        unsubscribe()
