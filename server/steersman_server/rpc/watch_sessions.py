"""WatchSessions: a page, then each session of the filter as it changes. Has no cursor."""

import asyncio
from collections.abc import AsyncIterator

from steersman.v1.session_service_pb2 import (
    WatchProgress,
    WatchSessionsRequest,
    WatchSessionsResponse,
)
from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.call import Call
from steersman_server.core.notices import SessionAdvanced, SessionDeleted
from steersman_server.core.refusals import Draining
from steersman_server.core.session import Session
from steersman_server.core.values import SessionId
from steersman_server.rpc.sessions import session_page
from steersman_server.store import sessions
from steersman_server.store.sessions import SessionFilter
from steersman_server.store.store import Store
from steersman_server.wire import commands, resources


class _Changes:
    """The newest state of each session that changed: what a slow watcher missed is merged."""

    def __init__(self) -> None:
        self.draining: Draining | None = None
        self._changed: dict[SessionId, Session | None] = {}
        self._rung = asyncio.Event()

    def put(self, ring: object) -> None:
        match ring:
            case SessionAdvanced(session, _):
                self._changed[session.id] = session
            case SessionDeleted(_, session_id):
                self._changed[session_id] = None
            case Draining():
                self.draining = ring
        self._rung.set()

    async def take(self, timeout: float) -> dict[SessionId, Session | None]:
        """What changed since the last call; empty when `timeout` seconds passed without."""
        try:
            async with asyncio.timeout(timeout):
                await self._rung.wait()
        except TimeoutError:
            return {}
        self._rung.clear()
        taken, self._changed = self._changed, {}
        return taken


async def watch_sessions(
    store: Store, bus: LocalBus, progress: float, request: WatchSessionsRequest, call: Call
) -> AsyncIterator[WatchSessionsResponse]:
    """Raises BadRequest and Draining."""
    limit = commands.page_size(request.limit if request.HasField("limit") else None)
    chosen = commands.session_filter(request.filter)
    tenant = call.caller.tenant
    changes = _Changes()
    doors = [
        bus.subscribe(topics.tenant(tenant), changes.put),
        bus.subscribe(topics.DRAINING, changes.put),
    ]
    try:
        page, more = await store.read(lambda tx: sessions.page(tx, tenant, chosen, "", limit))
        yield WatchSessionsResponse(snapshot=session_page(page, more))
        shown = {session.id for session in page}
        while True:
            changed = await changes.take(progress)
            if changes.draining is not None:
                raise changes.draining
            if not changed:
                yield WatchSessionsResponse(progress=WatchProgress())
            for session_id, session in changed.items():
                frame = _frame(chosen, shown, session_id, session)
                if frame is not None:
                    yield frame
    finally:
        for unsubscribe in doors:
            unsubscribe()


def _frame(
    chosen: SessionFilter, shown: set[SessionId], session_id: SessionId, session: Session | None
) -> WatchSessionsResponse | None:
    if session is not None and chosen.admits(session):
        shown.add(session_id)
        return WatchSessionsResponse(session=resources.session(session))
    if session_id in shown:
        shown.discard(session_id)
        return WatchSessionsResponse(removed=session_id)
    return None
