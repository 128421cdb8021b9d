"""Lets requests wait until something has become true. Holds no facts itself."""

import asyncio
from collections.abc import Callable
from contextlib import suppress


class Changes:
    """Wakes waiters whenever a fact may have changed."""

    def __init__(self) -> None:
        self._next = asyncio.Event()
        self._closed = False

    def close(self) -> None:
        """Nobody waits any more, now or later."""
        self._closed = True
        self.happened()

    def happened(self) -> None:
        """Everybody who waits looks again."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, fact: Callable[[], bool], timeout: float) -> None:
        """Returns when `fact` holds, or after `timeout` seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while not (self._closed or fact()):
                    await self._next.wait()
