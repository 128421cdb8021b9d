"""Everything that waits for the stream, and its one writer. What frames mean never lives here."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from steersman.v1.runner_pb2 import Goodbye, RunnerMessage
from steersman_runner.engine.frames import TurnFrames
from steersman_runner.errors import OutboxFull
from steersman_runner.terms import Terms

Write = Callable[[RunnerMessage], Awaitable[None]]


class Outbox:
    """Live frames first, then one frame of each turn in rotation.

    Between two streams it is closed: live frames are lost, as the protocol says,
    and the turns keep theirs. At most `live_limit` live frames wait; one more
    ends the stream with OutboxFull, because then the server does not read.
    """

    def __init__(self, live_limit: int) -> None:
        self.terms = Terms()
        self._live_limit = live_limit
        self._live: deque[RunnerMessage] = deque()
        self._ready: dict[TurnFrames, None] = {}  # an ordered set
        self._goodbye: RunnerMessage | None = None
        self._open = False
        self._wake = asyncio.Event()

    def open(self, terms: Terms, kept: Iterable[TurnFrames]) -> None:
        """A stream is there; the kept turns have frames for it."""
        self.terms = terms
        self._open = True
        self._live.clear()
        self._ready = dict.fromkeys(kept)
        self._wake.set()

    def close(self) -> None:
        """The stream is gone."""
        self._open = False
        self._live.clear()
        self._ready.clear()

    def send(self, frame: RunnerMessage) -> None:
        """A live frame: said on this stream, or never."""
        if self._open:
            self._live.append(frame)
            self._wake.set()

    def notify(self, frames: TurnFrames) -> None:
        """This turn has something to say."""
        if self._open:
            self._ready[frames] = None
            self._wake.set()

    def forget(self, frames: TurnFrames) -> None:
        """Nothing of this turn is said any more."""
        self._ready.pop(frames, None)

    def finish(self, message: str) -> None:
        """Goodbye goes out behind everything that waits; then the writer returns."""
        self._goodbye = RunnerMessage(goodbye=Goodbye(message=message))
        self._wake.set()

    async def run(self, write: Write) -> None:
        """Writes until goodbye is written. Raises OutboxFull, and what `write` raises."""
        while True:
            while (frame := self._next()) is not None:
                await write(frame)
                if frame is self._goodbye:
                    return
            self._wake.clear()
            await self._wake.wait()

    def _next(self) -> RunnerMessage | None:
        if len(self._live) > self._live_limit:
            raise OutboxFull("live frames", self._live_limit)
        if self._live:
            return self._live.popleft()
        while self._ready:
            frames = next(iter(self._ready))
            del self._ready[frames]
            if (frame := frames.take()) is not None:
                self._ready[frames] = None  # behind the other turns
                return frame
        return self._goodbye
