"""A watcher that is open for a whole test, crashes and all, and what it saw. No rules live here."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from live_process import PATIENCE

from steersman import Client, Delta, Event, Session, Snapshot, kind

Wanted = Callable[[], bool]


class Watcher:
    """Reads a session's watch of the client library in the background and keeps every frame."""

    def __init__(self, session: Session) -> None:
        self.events: list[Event] = []
        self.deltas: list[Delta] = []
        self.snapshots: list[Snapshot] = []
        self._session = session
        self._news = asyncio.Condition()
        self._over = False
        self._task = asyncio.create_task(self._read(), name=f"watcher {session.id}")

    async def until(self, wanted: str, turn_id: str = "") -> Event:
        """The first event of this kind (of this turn), once it was seen."""
        await self._wait(lambda: self.first(wanted, turn_id) is not None)
        found = self.first(wanted, turn_id)
        assert found is not None
        return found

    async def until_text(self, length: int) -> None:
        """Returns once so many characters have streamed."""
        await self._wait(lambda: len(self.text()) >= length)

    async def until_outputs(self, count: int) -> None:
        """Returns once so many calls have their outputs in the log."""
        await self._wait(lambda: sum(bool(e.item.call_item_id) for e in self.events) >= count)

    async def until_resumed(self) -> None:
        """Returns once another connection stands than the first."""
        await self._wait(lambda: self.snapshots[-1:] != [] and self.snapshots[-1].resumed)

    async def up_to(self, sequence: int) -> list[Event]:
        """All events, once the one with this sequence was seen."""
        await self._wait(lambda: len(self.events) >= sequence)
        return self.events

    def first(self, wanted: str, turn_id: str = "") -> Event | None:
        """The first event of this kind that was seen."""
        fitting = (e for e in self.events if kind(e) == wanted and turn_id in ("", e.turn_id))
        return next(fitting, None)

    def text(self) -> str:
        """All text that streamed, in the order in which it came."""
        return "".join(delta.text for delta in self.deltas)

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _wait(self, wanted: Wanted) -> None:
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: wanted() or self._over)
        if not wanted():
            await self._task
            raise AssertionError("the watch ended")

    async def _read(self) -> None:
        try:
            async with self._session.watch() as frames:
                async for frame in frames:
                    async with self._news:
                        self._keep(frame)
                        self._news.notify_all()
        finally:
            async with self._news:
                self._over = True
                self._news.notify_all()

    def _keep(self, frame: object) -> None:
        match frame:
            case Event():
                self.events.append(frame)
            case Delta():
                self.deltas.append(frame)
            case Snapshot():
                self.snapshots.append(frame)


@asynccontextmanager
async def watcher_of(session: Session) -> AsyncIterator[Watcher]:
    """A watcher from the beginning, which stands."""
    watcher = Watcher(session)
    try:
        await watcher.until("session_created")
        yield watcher
    finally:
        await watcher.close()


async def log_of(client: Client, session_id: str) -> list[Event]:
    """Every event that is committed now, as a new watcher is told."""
    events: list[Event] = []
    head = -1
    async with asyncio.timeout(PATIENCE), client.sessions.handle(session_id).watch() as frames:
        async for frame in frames:
            if isinstance(frame, Snapshot):
                head = frame.head_sequence
            if isinstance(frame, Event):
                events.append(frame)
            if len(events) >= head:
                break
    return events
