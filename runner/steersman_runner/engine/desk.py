"""The desk of one turn: a harness reports here. What becomes of the turn is decided in turn.py."""

import asyncio
from collections.abc import Sequence

from steersman.v1.item_pb2 import Item, Usage
from steersman.v1.runner_pb2 import Progress, RoundCommitted
from steersman_runner.engine.frames import Durable, TurnFrames
from steersman_runner.engine.reports import cut_output, owned
from steersman_runner.errors import FrameTooLarge
from steersman_runner.harness.base import Work
from steersman_runner.outbox import Outbox


class TurnDesk:
    """Implements harness.base.Desk on a turn's frames.

    Once the turn is dropped nothing is recorded any more, and what awaits a
    commit is cancelled: the acknowledgement can never come.
    """

    def __init__(self, work: Work, frames: TurnFrames, outbox: Outbox, window: float) -> None:
        self._work = work
        self._frames = frames
        self._outbox = outbox
        self._window = window
        self._loop = asyncio.get_running_loop()
        self._flush: asyncio.TimerHandle | None = None
        self._quiet_until = 0.0
        self._unacknowledged: dict[int, asyncio.Future[None]] = {}
        self._closed = False

    def delta(self, text: str) -> None:
        """Text of the round in flight. The first piece goes at once, the next ones merged."""
        if self._closed or not text:
            return
        self._frames.text.append(text)
        if self._flush is None:
            due = max(self._loop.time(), self._quiet_until)
            self._flush = self._loop.call_at(due, self._hand_on)

    async def round(self, items: Sequence[Item], usage: Usage) -> None:
        """Raises FrameTooLarge, OutboxFull."""
        number = self._frames.text.round
        committed = RoundCommitted(
            round=number, items=owned(items, self._work, number), usage=usage
        )
        acknowledged = self._add(Progress(round=committed))
        # Frames are committed in order, so from here on the text is the round's, not in flight.
        self._frames.text.next_round()
        await acknowledged

    async def call_started(self, call_item_id: str) -> None:
        """Raises OutboxFull."""
        await self._add(Progress(call_started=call_item_id))

    async def output(self, item: Item) -> None:
        """Cuts the output to the server's limit. Raises FrameTooLarge, OutboxFull."""
        [copy] = owned([item], self._work, self._frames.text.round - 1)
        cut_output(copy, self._outbox.terms.max_output_bytes)
        await self._add(Progress(output=copy))

    def acknowledge(self, number: int) -> None:
        """Everything up to this number is committed."""
        for waiting in [n for n in self._unacknowledged if n <= number]:
            future = self._unacknowledged.pop(waiting)
            if not future.done():
                future.set_result(None)

    def close(self) -> None:
        """The work has ended, or its epoch: nothing more is recorded."""
        self._closed = True
        if self._flush is not None:
            self._flush.cancel()
        for future in self._unacknowledged.values():
            future.cancel()
        self._unacknowledged.clear()

    def _hand_on(self) -> None:
        self._flush = None
        self._quiet_until = self._loop.time() + self._window
        self._outbox.notify(self._frames)

    def _add(self, frame: Durable) -> asyncio.Future[None]:
        acknowledged = self._loop.create_future()
        if self._closed:
            acknowledged.cancel()
            return acknowledged
        size, limit = frame.ByteSize(), self._outbox.terms.max_frame_bytes
        if size > limit:
            raise FrameTooLarge(size, limit)
        self._unacknowledged[self._frames.add(frame)] = acknowledged
        self._outbox.notify(self._frames)
        return acknowledged
