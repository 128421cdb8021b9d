"""How long work may go on unheard by the server. Streams and turns never live here."""

import asyncio
from collections.abc import Callable


class Isolation:
    """Calls `on_limit` once the server has answered nothing for the isolation limit.

    Counts on the loop's monotonic clock, from when the last answered heartbeat was
    sent: the server counts from when it came, which is later, so its
    `may_run_until` holds.
    """

    def __init__(self, on_limit: Callable[[], None]) -> None:
        self._on_limit = on_limit
        self._timer: asyncio.TimerHandle | None = None

    def heard(self, sent_at: float, limit: float) -> None:
        """The server answered what was sent then (the loop's time); limit in seconds."""
        self.disarm()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(sent_at + limit, self._on_limit)

    def disarm(self) -> None:
        """Nothing runs any more."""
        if self._timer is not None:
            self._timer.cancel()
