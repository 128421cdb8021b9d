"""SessionService, but for its watches."""

from google.protobuf.empty_pb2 import Empty

from steersman.v1 import item_pb2, session_pb2, turn_pb2
from steersman.v1 import session_service_pb2 as service
from steersman_server.bus.local import LocalBus
from steersman_server.core.call import Call
from steersman_server.core.items import Item
from steersman_server.core.refusals import BadRequest
from steersman_server.core.session import Session
from steersman_server.core.turn import TERMINAL, Turn
from steersman_server.core.values import SessionId
from steersman_server.rpc.mutation import mutate
from steersman_server.rpc.waiting import until
from steersman_server.store import items, sessions, turns
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.create_session import create_session
from steersman_server.usecases.interrupt_turn import interrupt_turn
from steersman_server.usecases.manage_sessions import (
    archive_session,
    delete_session,
    update_session,
)
from steersman_server.usecases.send_message import send_message
from steersman_server.wire import commands, resources
from steersman_server.wire.events import PAGE_BYTES

TURN_WAIT = 30.0
TURN_WAIT_LIMIT = 300.0


def shown(tx: Transaction, session: Session) -> session_pb2.Session:
    """A session with its active turn and the inputs that wait."""
    active = None
    if session.active_turn_id is not None:
        active = turns.get(tx, session.id, session.active_turn_id)
    pending = turns.pending(tx, session.id) if session.waiting else ()
    return resources.session(session, active, pending)


class SessionService:
    def __init__(self, store: Store, bus: LocalBus) -> None:
        self._store = store
        self._bus = bus

    async def CreateSession(
        self, request: service.CreateSessionRequest, call: Call
    ) -> session_pb2.Session:
        command = commands.create_session(call.caller, request)
        return await mutate(
            self._store,
            call,
            request,
            session_pb2.Session,
            lambda tx: shown(tx, create_session(tx, command)),
        )

    async def GetSession(
        self, request: service.GetSessionRequest, call: Call
    ) -> session_pb2.Session:
        return await self._store.read(
            lambda tx: shown(tx, sessions.get(tx, call.caller.tenant, request.session_id))
        )

    async def ListSessions(
        self, request: service.ListSessionsRequest, call: Call
    ) -> service.ListSessionsResponse:
        limit = commands.page_size(request.limit if request.HasField("limit") else None)
        chosen = commands.session_filter(request.filter)
        page, more = await self._store.read(
            lambda tx: sessions.page(tx, call.caller.tenant, chosen, request.after, limit)
        )
        return session_page(page, more)

    async def UpdateSession(
        self, request: service.UpdateSessionRequest, call: Call
    ) -> session_pb2.Session:
        command = commands.update_session(call.caller, request)
        return await mutate(
            self._store,
            call,
            request,
            session_pb2.Session,
            lambda tx: shown(tx, update_session(tx, command)),
        )

    async def ArchiveSession(
        self, request: service.ArchiveSessionRequest, call: Call
    ) -> session_pb2.Session:
        return await mutate(
            self._store,
            call,
            request,
            session_pb2.Session,
            lambda tx: shown(tx, archive_session(tx, call.caller, request.session_id)),
        )

    async def DeleteSession(self, request: service.DeleteSessionRequest, call: Call) -> Empty:
        def work(tx: Transaction) -> Empty:
            delete_session(tx, call.caller, request.session_id)
            return Empty()

        return await mutate(self._store, call, request, Empty, work)

    async def SendMessage(
        self, request: service.SendMessageRequest, call: Call
    ) -> service.SendMessageResponse:
        command = commands.send_message(call.caller, request)
        return await mutate(
            self._store,
            call,
            request,
            service.SendMessageResponse,
            lambda tx: resources.sent(send_message(tx, command)),
        )

    async def SubmitEvent(
        self, request: service.SubmitEventRequest, call: Call
    ) -> service.SubmitEventResponse:
        if request.type == "message":
            message = commands.submitted_message(call.caller, request)

            def work(tx: Transaction) -> service.SubmitEventResponse:
                sent = resources.sent(send_message(tx, message))
                return service.SubmitEventResponse(
                    queued=sent.queued,
                    item_id=sent.item_id,
                    turn_id=sent.turn_id,
                    interrupt=sent.interrupt if sent.HasField("interrupt") else None,
                )

        elif request.type == "interrupt":
            interruption = commands.submitted_interrupt(call.caller, request)

            def work(tx: Transaction) -> service.SubmitEventResponse:
                interrupt = resources.interrupt(interrupt_turn(tx, interruption))
                return service.SubmitEventResponse(turn_id=interrupt.turn_id, interrupt=interrupt)

        else:
            raise BadRequest("type", "takes one of: message, interrupt")
        return await mutate(self._store, call, request, service.SubmitEventResponse, work)

    async def ListItems(
        self, request: service.ListItemsRequest, call: Call
    ) -> service.ListItemsResponse:
        limit = commands.page_size(request.limit if request.HasField("limit") else None)
        descending = commands.descending(request.order)

        def read(tx: Transaction) -> tuple[list[Item], bool]:
            session = sessions.get(tx, call.caller.tenant, request.session_id)
            return items.page(
                tx,
                session.id,
                descending=descending,
                after=request.after,
                before=request.before,
                limit=limit,
                include_withdrawn=request.include_withdrawn,
            )

        page, more = await self._store.read(read)
        backwards = bool(request.before) and not request.after
        return _item_page(page, more, backwards=backwards)

    async def GetTurn(self, request: service.GetTurnRequest, call: Call) -> turn_pb2.Turn:
        def read(tx: Transaction) -> Turn:
            session = sessions.get(tx, call.caller.tenant, request.session_id)
            return turns.get(tx, session.id, request.turn_id)

        if not request.wait:
            return resources.turn(await self._store.read(read))
        timeout = commands.seconds(
            "wait_timeout",
            request.wait_timeout if request.HasField("wait_timeout") else None,
            TURN_WAIT,
            TURN_WAIT_LIMIT,
        )
        turn = await until(
            self._store,
            self._bus,
            SessionId(request.session_id),
            read,
            lambda turn: turn.state in TERMINAL,
            timeout,
            call.time_left,
        )
        return resources.turn(turn)

    async def ListTurns(
        self, request: service.ListTurnsRequest, call: Call
    ) -> service.ListTurnsResponse:
        limit = commands.page_size(request.limit if request.HasField("limit") else None)

        def read(tx: Transaction) -> tuple[list[Turn], bool]:
            session = sessions.get(tx, call.caller.tenant, request.session_id)
            return turns.page(tx, session.id, request.after, limit)

        page, more = await self._store.read(read)
        return service.ListTurnsResponse(
            data=map(resources.turn, page),
            first_id=page[0].id if page else "",
            last_id=page[-1].id if page else "",
            has_more=more,
        )


def session_page(page: list[Session], more: bool) -> service.ListSessionsResponse:
    return service.ListSessionsResponse(
        data=map(resources.session, page),
        first_id=page[0].id if page else "",
        last_id=page[-1].id if page else "",
        has_more=more,
    )


def _item_page(
    page: list[Item], more: bool, *, backwards: bool = False
) -> service.ListItemsResponse:
    """The page, cut at 4 MiB where it is farthest from its cursor; one item at least."""
    messages: list[item_pb2.Item] = []
    size = 0
    for value in reversed(page) if backwards else page:
        message = resources.item(value)
        size += message.ByteSize()
        if messages and size > PAGE_BYTES:
            more = True
            break
        messages.append(message)
    if backwards:
        messages.reverse()
    return service.ListItemsResponse(
        data=messages,
        first_id=messages[0].id if messages else "",
        last_id=messages[-1].id if messages else "",
        has_more=more,
    )
