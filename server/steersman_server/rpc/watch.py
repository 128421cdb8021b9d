"""WatchSession: a snapshot, every event after the cursor once and in order, then live.

The order that makes it exact: subscribe, read the snapshot and the head in one
transaction, replay from the store up to it, then go on with what the bus rang
meanwhile. Whatever the bus drops or repeats, the cursor decides.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Final

from steersman.v1 import session_pb2
from steersman.v1.session_service_pb2 import (
    SessionSnapshot,
    WatchGap,
    WatchLagging,
    WatchProgress,
    WatchSessionRequest,
    WatchSessionResponse,
)
from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.call import Call
from steersman_server.core.events import Event
from steersman_server.core.livetext import Delta, LiveText, Round
from steersman_server.core.notices import SessionAdvanced, SessionDeleted
from steersman_server.core.refusals import Draining, InvalidCursor, NotFound
from steersman_server.core.turn import Turn
from steersman_server.core.values import SessionId, Tenant
from steersman_server.rpc.sessions import shown
from steersman_server.rpc.watch_inbox import Ring, WatchInbox
from steersman_server.store import events, sessions, turns
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.wire import events as wire

REPLAY: Final = 500
"""Events read from the store at a time."""


@dataclass(frozen=True, slots=True)
class _Start:
    """What one transaction read when the watch began."""

    session: session_pb2.Session
    active: Turn | None
    head: int
    first_available: int


class SharedFrames:
    """The frames of the newest commit, built once for all who watch it."""

    def __init__(self) -> None:
        self._of: SessionAdvanced | None = None
        self._frames: list[WatchSessionResponse] = []

    def frames(self, advanced: SessionAdvanced) -> list[WatchSessionResponse]:
        if advanced is not self._of:
            self._of, self._frames = advanced, list(wire.batches(advanced.events))
        return self._frames


class SessionWatch:
    """One watcher of one session. `frames` is the stream; the cursor is where it stands."""

    def __init__(
        self,
        store: Store,
        live: LiveText,
        shared: SharedFrames,
        inbox: WatchInbox,
        session_id: SessionId,
        progress: float,
    ) -> None:
        self._store = store
        self._live = live
        self._shared = shared
        self._inbox = inbox
        self._session_id = session_id
        self._progress = progress
        self._cursor = 0
        self._head = 0

    async def frames(
        self, tenant: Tenant, after: int | None
    ) -> AsyncGenerator[WatchSessionResponse, None]:
        """Raises NotFound, InvalidCursor for a cursor past the head, and Draining."""
        start = await self._store.read(lambda tx: self._start(tx, tenant))
        if after is not None and not 0 <= after <= start.head:
            raise InvalidCursor(after, "is past the head", head=start.head)
        self._cursor = start.head if after is None else after
        self._head = start.head
        yield self._snapshot(start)
        if self._cursor + 1 < start.first_available <= start.head:
            self._cursor = start.first_available - 1
            yield WatchSessionResponse(gap=WatchGap(first_available=start.first_available))
        async for frame in self._replay():
            yield frame
        async for frame in self._follow():
            yield frame

    def _start(self, tx: Transaction, tenant: Tenant) -> _Start:
        session = sessions.get(tx, tenant, self._session_id)
        active = None
        if session.active_turn_id is not None:
            active = turns.get(tx, session.id, session.active_turn_id)
        first = events.first_available(tx, session.id)
        return _Start(shown(tx, session), active, session.head_sequence, first)

    def _snapshot(self, start: _Start) -> WatchSessionResponse:
        snapshot = SessionSnapshot(session=start.session, head_sequence=start.head)
        # Looked at after the read: a round that is committed by then is history.
        flying: Round | None = None
        if start.active is not None:
            flying = self._live.of_turn(start.active)
        if flying is not None:
            snapshot.in_flight.CopyFrom(wire.in_flight(flying))
        return WatchSessionResponse(snapshot=snapshot)

    async def _replay(self) -> AsyncGenerator[WatchSessionResponse, None]:
        """Everything that the store has after the cursor."""
        while page := await self._store.read(self._next_page):
            for frame in wire.batches(page):
                yield frame
            self._advance(page)

    def _next_page(self, tx: Transaction) -> list[Event]:
        return events.after(tx, self._session_id, self._cursor, REPLAY)

    async def _follow(self) -> AsyncGenerator[WatchSessionResponse, None]:
        while True:
            if not await self._inbox.wait(self._progress):
                progress = WatchProgress(head_sequence=self._cursor)
                yield WatchSessionResponse(progress=progress)
                continue
            if self._inbox.overflowed:
                self._inbox.recovered()
                yield WatchSessionResponse(lagging=WatchLagging(sequence=self._cursor))
                async for frame in self._replay():
                    yield frame
            for ring in self._inbox.take():
                async for frame in self._answer(ring):
                    yield frame

    async def _answer(self, ring: Ring) -> AsyncGenerator[WatchSessionResponse, None]:
        match ring:
            case Delta():
                yield WatchSessionResponse(delta=wire.text_delta(ring))
            case SessionAdvanced(_, advanced):
                if advanced and advanced[0].sequence > self._cursor + 1:
                    async for frame in self._replay():
                        yield frame
                fresh = [event for event in advanced if event.sequence > self._cursor]
                whole = len(fresh) == len(advanced)
                for frame in self._shared.frames(ring) if whole else wire.batches(fresh):
                    yield frame
                self._advance(fresh)
            case SessionDeleted():
                raise NotFound("session", self._session_id)
            case Draining():
                raise ring

    def _advance(self, sent: Sequence[Event]) -> None:
        if sent:
            self._cursor = sent[-1].sequence


class Watches:
    """Opens watches; the bus and the hub's live text behind them."""

    def __init__(self, store: Store, bus: LocalBus, live: LiveText, progress: float) -> None:
        self._store = store
        self._bus = bus
        self._live = live
        self._shared = SharedFrames()
        self._progress = progress

    async def session(
        self, request: WatchSessionRequest, call: Call
    ) -> AsyncGenerator[WatchSessionResponse, None]:
        """Raises NotFound, InvalidCursor and Draining."""
        session_id = SessionId(request.session_id)
        deltas = not request.HasField("include_deltas") or request.include_deltas
        inbox = WatchInbox(deltas=deltas)
        doors = [
            self._bus.subscribe(topics.session(session_id), inbox.put),
            self._bus.subscribe(topics.DRAINING, inbox.put),
        ]
        watch = SessionWatch(
            self._store, self._live, self._shared, inbox, session_id, self._progress
        )
        after = request.after_sequence if request.HasField("after_sequence") else None
        try:
            async for frame in watch.frames(call.caller.tenant, after):
                yield frame
        finally:
            for unsubscribe in doors:
                unsubscribe()
