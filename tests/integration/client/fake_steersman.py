"""A server on a real socket that answers as a test says. Never keeps a session."""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from steersman.v1 import agent_pb2, fleet_pb2, interrupt_pb2, session_service_pb2

FILES = (agent_pb2, fleet_pb2, interrupt_pb2, session_service_pb2)


class Refusal(Exception):
    """An answer that is an error; with a reason it carries ErrorInfo as ours do."""

    def __init__(self, code: grpc.StatusCode, reason: str = "", **details: str) -> None:
        super().__init__(reason)
        self.code, self.reason, self.details = code, reason, details

    async def abort(self, context: grpc.aio.ServicerContext) -> None:
        message = f"refused: {self.reason or self.code.name}"
        if not self.reason:
            await context.abort(self.code, message)
        info = ErrorInfo(reason=self.reason, domain="steersman", metadata=self.details)
        packed = AnyMessage()
        packed.Pack(info)
        status = Status(code=self.code.value[0], message=message, details=[packed])
        await context.abort_with_status(rpc_status.to_status(status))


class Received(NamedTuple):
    method: str
    request: Any
    metadata: dict[str, str]


Stream = Callable[[Any], AsyncIterator[Message]]


class FakeServer:
    """Answers each unary method from its queue, the last answer for ever; streams as told."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.streams: dict[str, Stream] = {}
        self.left = asyncio.Event()
        self.address = ""
        self._holds: dict[str, Callable[[], Awaitable[Any]]] = {}
        self._noted = asyncio.Condition()
        self._answers: dict[str, deque[Message | Refusal]] = defaultdict(deque)
        self._server: grpc.aio.Server | None = None

    def answer(self, method: str, *answers: Message | Refusal) -> None:
        self._answers[method] = deque(answers)

    def hold(self, method: str, until: Callable[[], Awaitable[Any]]) -> None:
        """Receive this method's requests at once, and answer when `until` is over."""
        self._holds[method] = until

    async def saw(self, method: str) -> None:
        """Wait for the first request of a method."""
        async with self._noted:
            await self._noted.wait_for(lambda: self.requests(method))

    def requests(self, method: str) -> list[Any]:
        return [received.request for received in self.received if received.method == method]

    async def start(self) -> None:
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        for file in FILES:
            for service in file.DESCRIPTOR.services_by_name.values():
                handlers = {method.name: self._handler(method) for method in service.methods}
                self._server.add_generic_rpc_handlers(
                    (grpc.method_handlers_generic_handler(service.full_name, handlers),)
                )
        port = self._server.add_insecure_port(self.address or "127.0.0.1:0")
        self.address = f"127.0.0.1:{port}"
        await self._server.start()

    async def stop(self) -> None:
        assert self._server is not None
        await self._server.stop(None)

    def _handler(self, method: MethodDescriptor) -> Any:
        wrap, behaviour = grpc.unary_unary_rpc_method_handler, self._unary(method.name)
        if method.server_streaming:
            wrap, behaviour = grpc.unary_stream_rpc_method_handler, self._stream(method.name)
        return wrap(
            behaviour,
            request_deserializer=GetMessageClass(method.input_type).FromString,
            response_serializer=lambda message: message.SerializeToString(),
        )

    def _unary(self, name: str) -> Any:
        async def answer(request: Message, context: Any) -> Message:
            await self._note(name, request, context)
            if name in self._holds:
                await self._holds[name]()
            answers = self._answers[name]
            chosen = answers.popleft() if len(answers) > 1 else answers[0]
            if isinstance(chosen, Refusal):
                await chosen.abort(context)
            return chosen

        return answer

    def _stream(self, name: str) -> Any:
        async def frames(request: Message, context: Any) -> AsyncIterator[Message]:
            await self._note(name, request, context)
            try:
                async for frame in self.streams[name](request):
                    yield frame
            except Refusal as refusal:
                await refusal.abort(context)
            finally:
                self.left.set()

        return frames

    async def _note(self, name: str, request: Message, context: Any) -> None:
        metadata = dict(context.invocation_metadata())
        self.received.append(Received(name, request, metadata))
        async with self._noted:
            self._noted.notify_all()


@asynccontextmanager
async def running_fake() -> AsyncIterator[FakeServer]:
    """A fake server, listening."""
    server = FakeServer()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
