"""What waits for one watcher: bounded, text merged first, then overflow with a name."""

import asyncio
from collections import deque
from dataclasses import replace
from typing import Final

from steersman_server.core.livetext import Delta
from steersman_server.core.notices import SessionAdvanced, SessionDeleted
from steersman_server.core.refusals import Draining

WAITING: Final = 1024
"""Commits that may wait for one watcher."""
TEXT: Final = 1024 * 1024
"""Characters of live text that may wait for one watcher."""

Ring = SessionAdvanced | SessionDeleted | Delta | Draining


class WatchInbox:
    """Takes what the bus rings, on the publisher's stack; never blocks.

    When the watcher is too slow, everything that waits is dropped and `overflowed`
    is set: the store has the events, and live text is live only.
    """

    def __init__(self, *, deltas: bool) -> None:
        self.overflowed = False
        self._deltas = deltas
        self._waiting: deque[Ring] = deque()
        self._text = 0
        self._rung: asyncio.Future[bool] | None = None

    def put(self, ring: Ring) -> None:
        if isinstance(ring, Delta):
            if self._deltas and not self.overflowed:
                self._put_text(ring)
        elif not (self.overflowed and isinstance(ring, SessionAdvanced)):
            self._waiting.append(ring)
        if len(self._waiting) > WAITING or self._text > TEXT:
            self._overflow()
        if self._rung is not None and (self._waiting or self.overflowed):
            _ring(self._rung, True)

    def _put_text(self, delta: Delta) -> None:
        self._text += len(delta.text)
        last = self._waiting[-1] if self._waiting else None
        if isinstance(last, Delta) and _follows(last, delta):
            self._waiting[-1] = replace(last, text=last.text + delta.text)
        else:
            self._waiting.append(delta)

    def _overflow(self) -> None:
        """Drop what the store can tell again; keep what it cannot."""
        self.overflowed = True
        self._text = 0
        kept = [r for r in self._waiting if not isinstance(r, (SessionAdvanced, Delta))]
        self._waiting = deque(kept)

    def recovered(self) -> None:
        """The watcher is about to read from the store: take live rings again."""
        self.overflowed = False

    async def wait(self, timeout: float) -> bool:
        """Wait until something is there; False when `timeout` seconds passed without."""
        if self._waiting or self.overflowed:
            return True
        # A bare future and timer: this is waited on once a frame.
        loop = asyncio.get_running_loop()
        self._rung = loop.create_future()
        timer = loop.call_later(timeout, _ring, self._rung, False)
        try:
            return await self._rung
        finally:
            timer.cancel()
            self._rung = None

    def take(self) -> list[Ring]:
        """Everything that waits, in order."""
        taken = list(self._waiting)
        self._waiting.clear()
        self._text = 0
        return taken


def _ring(waiter: "asyncio.Future[bool]", something: bool) -> None:
    if not waiter.done():
        waiter.set_result(something)


def _follows(last: Delta, delta: Delta) -> bool:
    return (last.turn_id, last.attempt, last.try_number, last.round) == (
        delta.turn_id,
        delta.attempt,
        delta.try_number,
        delta.round,
    ) and last.offset + len(last.text) == delta.offset
