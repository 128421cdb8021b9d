"""SessionService whole: calls and watches."""

from collections.abc import AsyncIterator

from steersman.v1 import session_service_pb2 as service
from steersman_server.bus.local import LocalBus
from steersman_server.core.call import Call
from steersman_server.core.livetext import LiveText
from steersman_server.rpc.sessions import SessionService
from steersman_server.rpc.watch import Watches
from steersman_server.rpc.watch_sessions import watch_sessions
from steersman_server.store.store import Store


class WholeSessionService(SessionService):
    """What SessionService promises, streams included. `progress` is in seconds."""

    def __init__(self, store: Store, bus: LocalBus, live: LiveText, progress: float) -> None:
        super().__init__(store, bus)
        self._watches = Watches(store, bus, live, progress)
        self._progress = progress

    def WatchSession(
        self, request: service.WatchSessionRequest, call: Call
    ) -> AsyncIterator[service.WatchSessionResponse]:
        return self._watches.session(request, call)

    def WatchSessions(
        self, request: service.WatchSessionsRequest, call: Call
    ) -> AsyncIterator[service.WatchSessionsResponse]:
        return watch_sessions(self._store, self._bus, self._progress, request, call)
