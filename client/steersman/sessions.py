"""The sessions of a client: create, find, list, watch the list. One session is session.py's."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import grpc

from steersman.frames import ListFrame, SessionPage, SessionRemoved
from steersman.pages import Pages
from steersman.session import Content, Session, new_message
from steersman.transport import Transport
from steersman.v1 import session_pb2
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.session_service_pb2_grpc import SessionServiceStub
from steersman.watch import Watch
from steersman.words import proto_name

if TYPE_CHECKING:
    from steersman.v1.session_service_pb2_grpc import SessionServiceAsyncStub

Stream = grpc.aio.UnaryStreamCall[pb.WatchSessionsRequest, pb.WatchSessionsResponse]


class Sessions:
    """`client.sessions`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def _stub(self) -> "SessionServiceAsyncStub":
        return SessionServiceStub(self._transport.channels.calls)

    async def create(
        self,
        agent: str,
        message: Content | None = None,
        *,
        title: str = "",
        labels: Mapping[str, str] | None = None,
        runner_id: str | None = None,
        selector: Mapping[str, str] | None = None,
        request_id: str = "",
    ) -> Session:
        """Create a session and, with a message, send it: one idempotent call.

        Raises NotFound (the agent), BadRequest, MessageTooLarge.
        """
        request = pb.CreateSessionRequest(
            agent=agent,
            title=title,
            labels=labels,
            runner_id=runner_id,
            selector=selector,
            message=None if message is None else new_message(message),
            request_id=request_id,
        )
        created = await self._transport.call(self._stub.CreateSession, request)
        return Session(self._transport, created.id, created)

    async def get(self, session_id: str) -> Session:
        """The handle of a session that is there. Raises NotFound."""
        session = self.handle(session_id)
        await session.refresh()
        return session

    def handle(self, session_id: str) -> Session:
        """The handle of a session by id; asks nobody."""
        return Session(self._transport, session_id)

    def list(
        self,
        *,
        status: Sequence[str] = (),
        agent: str = "",
        labels: Mapping[str, str] | None = None,
        title: str = "",
        include_archived: bool = False,
        limit: int | None = None,
        after: str | None = None,
    ) -> Pages[session_pb2.Session, pb.ListSessionsResponse]:
        """Sessions, newest first, of which all that is given holds; `limit` rows a page."""
        chosen = session_filter(status, agent, labels, title, include_archived)

        async def fetch(after: str) -> pb.ListSessionsResponse:
            request = pb.ListSessionsRequest(limit=limit, after=after, filter=chosen)
            return await self._transport.call(self._stub.ListSessions, request)

        return Pages(fetch, after)

    def watch(
        self,
        *,
        status: Sequence[str] = (),
        agent: str = "",
        labels: Mapping[str, str] | None = None,
        title: str = "",
        include_archived: bool = False,
        limit: int | None = None,
    ) -> Watch[pb.WatchSessionsResponse, ListFrame]:
        """A list that stays fresh: a SessionPage on each connection, then what changes."""
        chosen = session_filter(status, agent, labels, title, include_archived)

        def connect() -> Stream:
            request = pb.WatchSessionsRequest(limit=limit, filter=chosen)
            stub: SessionServiceAsyncStub = SessionServiceStub(self._transport.channels.streams)
            return stub.WatchSessions(request, metadata=self._transport.metadata)

        return Watch(self._transport, connect, list_frames)


def session_filter(
    status: Sequence[str],
    agent: str,
    labels: Mapping[str, str] | None,
    title: str,
    include_archived: bool,
) -> pb.SessionFilter:
    """The filter of these words. Raises ValueError for a status that is none."""
    return pb.SessionFilter(
        status=[name for word in status if (name := proto_name(session_pb2.SessionStatus, word))],
        agent=agent,
        labels=labels,
        title=title,
        include_archived=include_archived,
    )


def list_frames(response: pb.WatchSessionsResponse) -> Iterator[ListFrame]:
    """What a frame of a watched list tells; progress tells nothing."""
    match response.WhichOneof("frame"):
        case "snapshot":
            yield SessionPage(response.snapshot.data)
        case "session":
            yield response.session
        case "removed":
            yield SessionRemoved(response.removed)
