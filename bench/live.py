"""A session that is live: watched, with a turn in flight that streams."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.moments import Moments, now
from steersman.frames import Delta, Snapshot
from steersman.session import Session
from steersman.v1.event_pb2 import EVENT_KIND_TURN_INTERRUPTED, Event

WATCHERS = 3  # of the session that is measured


class Watcher:
    """One open watch; `moments` has when it stood, and what it was told of which turn."""

    def __init__(self, session: Session) -> None:
        self.moments = Moments()
        self._session = session

    async def run(self) -> None:
        """Watches until cancelled."""
        async with self._session.watch(after=None) as watch:
            async for frame in watch:
                self._note(frame)

    async def stands(self) -> None:
        """Returns once the server has answered the watch."""
        await self.moments.when("snapshot")

    async def first_delta(self, turn_id: str) -> float:
        """When the first text of the turn came; asked once."""
        return await self._once(("delta", turn_id))

    async def interrupted(self, turn_id: str) -> float:
        """When this watcher was told that the turn is interrupted; asked once."""
        return await self._once(("interrupted", turn_id))

    async def _once(self, what: tuple[str, str]) -> float:
        at = await self.moments.when(what)
        self.moments.forget(what)
        return at

    def _note(self, frame: object) -> None:
        at = now()
        match frame:
            case Snapshot():
                self.moments.note("snapshot", at)
            case Delta():
                if frame.offset == 0:
                    self.moments.note(("delta", frame.turn_id), at)
            case Event() if frame.kind == EVENT_KIND_TURN_INTERRUPTED:
                self.moments.note(("interrupted", frame.turn_id), at)


class LiveSession:
    """A session, its standing watcher, and the turn that it is working on."""

    def __init__(self, session: Session, tasks: asyncio.TaskGroup) -> None:
        self.session = session
        self.watcher = Watcher(session)
        self.turn_id = ""
        self._tasks = tasks
        self._watching = tasks.create_task(self.watcher.run())

    async def begin(self) -> None:
        """Returns once the first turn streams."""
        await self.watcher.stands()
        sent = await self.session.send("begin")
        await self.watcher.first_delta(sent.turn.id)
        self.turn_id = sent.turn.id

    def leave(self) -> None:
        """Ends the standing watch; the turn goes on."""
        self._watching.cancel()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[list[Watcher]]:
        """All watchers of the session while it is measured; the extra ones leave after."""
        extra = [Watcher(self.session) for _ in range(WATCHERS - 1)]
        running = [self._tasks.create_task(watcher.run()) for watcher in extra]
        try:
            for watcher in extra:
                await watcher.stands()
            yield [self.watcher, *extra]
        finally:
            for task in running:
                task.cancel()
