"""The gate where requests are parked. Who parks, and for how long, is scripted elsewhere."""

import asyncio

from steersman_runner.mock.changes import Changes


class Gate:
    """Holds requests back until a release. A request that is cancelled has left."""

    def __init__(self) -> None:
        self._parked: set[asyncio.Future[None]] = set()
        self.changes = Changes()

    @property
    def pending(self) -> int:
        """How many wait now; a client that has left is not among them."""
        return len(self._parked)

    async def park(self) -> None:
        """Waits for the next release."""
        freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parked.add(freed)
        self.changes.happened()
        try:
            await freed
        finally:
            self._parked.discard(freed)
            self.changes.happened()

    def release(self) -> int:
        """Frees all that wait now, later ones not; answers how many."""
        freed = [each for each in self._parked if not each.done()]
        for each in freed:
            each.set_result(None)
        self._parked.clear()
        return len(freed)
