"""When things happened: noted by whoever sees them, awaited by whoever measures."""

import asyncio
import time
from collections.abc import Hashable


def now() -> float:
    """Seconds of CLOCK_MONOTONIC, which all processes of one machine share."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


class Moments:
    """The first time that each thing happened. Lives on one event loop."""

    def __init__(self) -> None:
        self._first: dict[Hashable, asyncio.Future[float]] = {}

    def note(self, what: Hashable, at: float) -> None:
        """It happened; later ones of its name change nothing."""
        first = self._of(what)
        if not first.done():
            first.set_result(at)

    async def when(self, what: Hashable) -> float:
        """Waits until it has happened."""
        return await asyncio.shield(self._of(what))

    def forget(self, *whats: Hashable) -> None:
        """Nobody will ask for these again."""
        for what in whats:
            self._first.pop(what, None)

    def _of(self, what: Hashable) -> asyncio.Future[float]:
        if what not in self._first:
            self._first[what] = asyncio.get_running_loop().create_future()
        return self._first[what]
