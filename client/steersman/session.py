"""The handle of one session: send, read, stop, change. Never lists sessions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask

from steersman.frames import SessionFrame
from steersman.pages import Pages
from steersman.position import Position
from steersman.transport import Transport
from steersman.turn import Sent, Turn
from steersman.v1 import interrupt_pb2, item_pb2, session_pb2, turn_pb2
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.interrupt_pb2_grpc import InterruptServiceStub
from steersman.v1.session_service_pb2_grpc import SessionServiceStub
from steersman.watch import Watch
from steersman.words import proto_name

if TYPE_CHECKING:
    from steersman.v1.interrupt_pb2_grpc import InterruptServiceAsyncStub
    from steersman.v1.session_service_pb2_grpc import SessionServiceAsyncStub

Content = str | Sequence[item_pb2.ContentBlock]
Stream = grpc.aio.UnaryStreamCall[pb.WatchSessionRequest, pb.WatchSessionResponse]

# What the server waits by itself before an Interrupt answers with the state reached.
SETTLE_WAIT = 6.0


class Session:
    """A session, by id. `resource` is the newest answer about it; before the first, its id."""

    def __init__(
        self, transport: Transport, session_id: str, resource: session_pb2.Session | None = None
    ) -> None:
        self._transport = transport
        self.id = session_id
        self.resource = resource or session_pb2.Session(id=session_id)

    @property
    def _stub(self) -> "SessionServiceAsyncStub":
        return SessionServiceStub(self._transport.channels.calls)

    @property
    def _interrupts(self) -> "InterruptServiceAsyncStub":
        return InterruptServiceStub(self._transport.channels.calls)

    async def refresh(self) -> session_pb2.Session:
        """The session as it is now. Raises NotFound."""
        request = pb.GetSessionRequest(session_id=self.id)
        self.resource = await self._transport.call(self._stub.GetSession, request)
        return self.resource

    async def send(
        self,
        message: Content,
        *,
        role: str | None = None,
        when_busy: str | None = None,
        request_id: str = "",
    ) -> Sent:
        """Make a message a turn; unset `when_busy` means `enqueue`.

        Raises NotFound, BadRequest, MessageTooLarge, SessionBusy, QueueFull,
        SessionArchived.
        """
        request = pb.SendMessageRequest(
            session_id=self.id,
            message=new_message(message, role),
            when_busy=proto_name(pb.WhenBusy, when_busy),
            request_id=request_id,
        )
        response = await self._transport.call(self._stub.SendMessage, request)
        return Sent(response, self.turn(response.turn_id))

    def turn(self, turn_id: str) -> Turn:
        """The handle of a turn; asks nobody."""
        return Turn(self._transport, self.id, turn_id)

    async def interrupt(
        self,
        turn_id: str = "",
        *,
        attempt: int | None = None,
        mode: str | None = None,
        queued: str | None = None,
        wait: str | None = None,
        wait_timeout: float | None = None,
        reason: str = "",
        cascade: bool | None = None,
        request_id: str = "",
    ) -> interrupt_pb2.Interrupt:
        """Ask a turn, or the active one, to stop; the state tells how far it came.

        `wait` is `none`, `delivered` or `settled`, `wait_timeout` in seconds.
        Raises NotFound, and TurnNotActive when the attempt ended by itself.
        """
        request = interrupt_pb2.InterruptRequest(
            session_id=self.id,
            turn_id=turn_id,
            attempt=attempt,
            mode=proto_name(interrupt_pb2.InterruptMode, mode),
            queued=proto_name(interrupt_pb2.QueuedInputs, queued),
            wait=proto_name(interrupt_pb2.InterruptWait, wait),
            wait_timeout=None if wait_timeout is None else duration(wait_timeout),
            reason=reason,
            cascade=cascade,
            request_id=request_id,
        )
        waiting = SETTLE_WAIT if wait_timeout is None else wait_timeout
        return await self._transport.call(self._interrupts.Interrupt, request, waiting=waiting)

    async def get_interrupt(self, interrupt_id: str) -> interrupt_pb2.Interrupt:
        """One interrupt, as it is now. Raises NotFound."""
        request = interrupt_pb2.GetInterruptRequest(session_id=self.id, interrupt_id=interrupt_id)
        return await self._transport.call(self._interrupts.GetInterrupt, request)

    def interrupts(
        self, *, limit: int | None = None, after: str | None = None
    ) -> Pages[interrupt_pb2.Interrupt, interrupt_pb2.ListInterruptsResponse]:
        """Its interrupts, newest first; `limit` rows a page."""

        async def fetch(after: str) -> interrupt_pb2.ListInterruptsResponse:
            request = interrupt_pb2.ListInterruptsRequest(
                session_id=self.id, limit=limit, after=after
            )
            return await self._transport.call(self._interrupts.ListInterrupts, request)

        return Pages(fetch, after)

    def items(
        self,
        *,
        order: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str = "",
        include_withdrawn: bool = False,
    ) -> Pages[item_pb2.Item, pb.ListItemsResponse]:
        """Its history, `asc` by default; `limit` rows a page, cursors are item ids."""
        order_name = proto_name(pb.Order, order)

        async def fetch(after: str) -> pb.ListItemsResponse:
            request = pb.ListItemsRequest(
                session_id=self.id,
                order=order_name,
                limit=limit,
                after=after,
                before=before,
                include_withdrawn=include_withdrawn,
            )
            return await self._transport.call(self._stub.ListItems, request)

        return Pages(fetch, after)

    def turns(
        self, *, limit: int | None = None, after: str | None = None
    ) -> Pages[turn_pb2.Turn, pb.ListTurnsResponse]:
        """Its turns, newest first; `limit` rows a page."""

        async def fetch(after: str) -> pb.ListTurnsResponse:
            request = pb.ListTurnsRequest(session_id=self.id, limit=limit, after=after)
            return await self._transport.call(self._stub.ListTurns, request)

        return Pages(fetch, after)

    async def update(
        self,
        *,
        title: str | None = None,
        labels: Mapping[str, str] | None = None,
        etag: str = "",
        request_id: str = "",
    ) -> session_pb2.Session:
        """Change title or labels; what is None stays. Raises NotFound, VersionConflict."""
        paths = [
            *(["title"] if title is not None else []),
            *(["labels"] if labels is not None else []),
        ]
        request = pb.UpdateSessionRequest(
            session=session_pb2.Session(id=self.id, title=title, labels=labels, etag=etag),
            update_mask=FieldMask(paths=paths),
            request_id=request_id,
        )
        self.resource = await self._transport.call(self._stub.UpdateSession, request)
        return self.resource

    async def archive(self, *, request_id: str = "") -> session_pb2.Session:
        """Take no more messages; all can still be read. Raises NotFound, SessionBusy."""
        request = pb.ArchiveSessionRequest(session_id=self.id, request_id=request_id)
        self.resource = await self._transport.call(self._stub.ArchiveSession, request)
        return self.resource

    async def delete(self, *, request_id: str = "") -> None:
        """Delete it and its history for good. Raises NotFound, SessionBusy."""
        request = pb.DeleteSessionRequest(session_id=self.id, request_id=request_id)
        await self._transport.call(self._stub.DeleteSession, request)

    def watch(
        self, after: int | None = 0, *, include_deltas: bool = True
    ) -> Watch[pb.WatchSessionResponse, SessionFrame]:
        """Every event after a sequence once and in order, and text as it streams.

        `after` None means from now. Resumes by itself after a lost connection.
        Raises NotFound, InvalidCursor.
        """
        position = Position(after)

        def connect() -> Stream:
            request = pb.WatchSessionRequest(
                session_id=self.id,
                after_sequence=position.sequence,
                include_deltas=include_deltas,
            )
            stub: SessionServiceAsyncStub = SessionServiceStub(self._transport.channels.streams)
            return stub.WatchSession(request, metadata=self._transport.metadata)

        return Watch(self._transport, connect, position.take)


def new_message(message: Content, role: str | None = None) -> pb.NewMessage:
    """A message to send, of text or of content blocks."""
    role_name = proto_name(item_pb2.ItemRole, role)
    if isinstance(message, str):
        return pb.NewMessage(text=message, role=role_name)
    return pb.NewMessage(content=message, role=role_name)


def duration(seconds: float) -> Duration:
    """Seconds as the protos spell them."""
    value = Duration()
    value.FromNanoseconds(round(seconds * 1e9))
    return value
