"""InterruptService."""

from steersman.v1 import interrupt_pb2
from steersman_server.bus.local import LocalBus
from steersman_server.core.call import Call
from steersman_server.core.interrupt import SETTLED, Interrupt, InterruptState
from steersman_server.core.values import SessionId
from steersman_server.rpc.mutation import mutate
from steersman_server.rpc.waiting import until
from steersman_server.store import interrupts, sessions
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.interrupt_turn import interrupt_turn
from steersman_server.wire import commands, resources

WAIT = 6.0
WAIT_LIMIT = 60.0


class InterruptService:
    def __init__(self, store: Store, bus: LocalBus) -> None:
        self._store = store
        self._bus = bus

    async def Interrupt(
        self, request: interrupt_pb2.InterruptRequest, call: Call
    ) -> interrupt_pb2.Interrupt:
        command = commands.interrupt(call.caller, request)
        wanted = commands.interrupt_wait(request)
        timeout = commands.seconds(
            "wait_timeout",
            request.wait_timeout if request.HasField("wait_timeout") else None,
            WAIT,
            WAIT_LIMIT,
        )
        answer = await mutate(
            self._store,
            call,
            request,
            interrupt_pb2.Interrupt,
            lambda tx: resources.interrupt(interrupt_turn(tx, command)),
        )
        if wanted is None:
            return answer
        return await self._wait(call, answer, wanted, timeout)

    async def _wait(
        self,
        call: Call,
        answer: interrupt_pb2.Interrupt,
        wanted: InterruptState,
        timeout: float,
    ) -> interrupt_pb2.Interrupt:
        def read(tx: Transaction) -> Interrupt:
            session = sessions.get(tx, call.caller.tenant, answer.session_id)
            return interrupts.get(tx, session.id, answer.id)

        def reached(interrupt: Interrupt) -> bool:
            return interrupt.state in SETTLED or interrupt.state is wanted

        interrupt = await until(
            self._store,
            self._bus,
            SessionId(answer.session_id),
            read,
            reached,
            timeout,
            call.time_left,
        )
        return resources.interrupt(interrupt)

    async def GetInterrupt(
        self, request: interrupt_pb2.GetInterruptRequest, call: Call
    ) -> interrupt_pb2.Interrupt:
        def read(tx: Transaction) -> Interrupt:
            session = sessions.get(tx, call.caller.tenant, request.session_id)
            return interrupts.get(tx, session.id, request.interrupt_id)

        return resources.interrupt(await self._store.read(read))

    async def ListInterrupts(
        self, request: interrupt_pb2.ListInterruptsRequest, call: Call
    ) -> interrupt_pb2.ListInterruptsResponse:
        limit = commands.page_size(request.limit if request.HasField("limit") else None)

        def read(tx: Transaction) -> tuple[list[Interrupt], bool]:
            session = sessions.get(tx, call.caller.tenant, request.session_id)
            return interrupts.page(tx, session.id, request.after, limit)

        page, more = await self._store.read(read)
        return interrupt_pb2.ListInterruptsResponse(
            data=map(resources.interrupt, page),
            first_id=page[0].id if page else "",
            last_id=page[-1].id if page else "",
            has_more=more,
        )
