"""A control plane under a test's control, on a real socket. Rules of the runner never live here."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import ParseDict
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from steersman.v1.agent_pb2 import Agent
from steersman.v1.runner_pb2 import (
    Ack,
    Drain,
    Hello,
    Ping,
    RunnerMessage,
    ServerMessage,
    StartTurn,
    StopTurn,
    Verdict,
    Welcome,
)
from steersman.v1.runner_pb2_grpc import RunnerServiceServicer, add_RunnerServiceServicer_to_server

PATIENCE = 20.0


class Connection:
    """One stream: what the runner said, and what the test lets the server say."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._received: asyncio.Queue[RunnerMessage] = asyncio.Queue()
        self._writing = asyncio.Lock()
        self.cut_off = asyncio.Event()
        self.runner_ended = asyncio.Event()
        self.answers_heartbeats = True
        self.token = dict(context.invocation_metadata()).get("authorization", "")

    async def read_all(self) -> None:
        while (message := await self._context.read()) is not grpc.aio.EOF:
            if message.HasField("heartbeat"):
                if self.answers_heartbeats:
                    await self.send(ping=Ping(heartbeat=message.heartbeat.number))
            else:
                self._received.put_nowait(message)
        self.runner_ended.set()

    async def next(self) -> RunnerMessage:
        """The next frame that is not a heartbeat."""
        async with asyncio.timeout(PATIENCE):
            return await self._received.get()

    async def next_of(self, turn_id: str) -> RunnerMessage:
        """The next durable frame of this turn; deltas and other turns are passed over."""
        while True:
            message = await self.next()
            kind = message.WhichOneof("frame")
            if kind in {"accepted", "progress", "turn_ended"}:
                frame = getattr(message, kind)
                if frame.turn_id == turn_id:
                    return message

    async def next_acknowledged(self, turn_id: str) -> RunnerMessage:
        """Like next_of, and the frame is acknowledged."""
        message = await self.next_of(turn_id)
        frame = getattr(message, message.WhichOneof("frame"))
        await self.acknowledge(turn_id, frame.epoch, frame.number)
        return message

    def unread(self) -> Sequence[RunnerMessage]:
        """What came and was not looked at."""
        frames = []
        while not self._received.empty():
            frames.append(self._received.get_nowait())
        return frames

    async def send(self, **frame: Any) -> None:
        async with self._writing:
            await self._context.write(ServerMessage(**frame))

    async def greet(
        self,
        *verdicts: Verdict,
        isolation_limit: float = 10.0,
        lease: float = 10.0,
        heartbeat_interval: float = 0.02,
        max_output_bytes: int = 0,
        max_message_bytes: int = 0,
    ) -> Hello:
        """Reads hello and answers welcome."""
        hello = (await self.next()).hello
        welcome = Welcome(
            protocol=1,
            heartbeat_interval=_duration(heartbeat_interval),
            lease=_duration(lease),
            isolation_limit=_duration(isolation_limit),
            max_output_bytes=max_output_bytes,
            max_message_bytes=max_message_bytes,
            verdicts=verdicts,
        )
        await self.send(welcome=welcome)
        return hello

    async def start(self, turn_id: str, **values: Any) -> None:
        await self.send(start_turn=start_turn(turn_id, **values))

    async def stop(self, turn_id: str, interrupt_id: str, epoch: int = 1, mode: Any = 1) -> None:
        stop = StopTurn(turn_id=turn_id, epoch=epoch, interrupt_id=interrupt_id, mode=mode)
        await self.send(stop_turn=stop)

    async def acknowledge(self, turn_id: str, epoch: int, number: int) -> None:
        await self.send(ack=Ack(turn_id=turn_id, epoch=epoch, number=number))

    async def refuse(self, turn_id: str, epoch: int, number: int) -> None:
        await self.send(ack=Ack(turn_id=turn_id, epoch=epoch, number=number, refused=True))

    async def drain(self) -> None:
        await self.send(drain=Drain())

    def cut(self) -> None:
        """Ends the stream as a server does that crashed or restarted: without a word."""
        self.cut_off.set()


class FakeServer(RunnerServiceServicer):
    """Accepts streams, and hands each to the test."""

    def __init__(self) -> None:
        self._connections: asyncio.Queue[Connection] = asyncio.Queue()
        self.refusal: Status | None = None
        self.address = ""

    async def Connect(self, request_iterator: Any, context: Any) -> None:
        if self.refusal is not None:
            await context.abort_with_status(rpc_status.to_status(self.refusal))
        connection = Connection(context)
        self._connections.put_nowait(connection)
        reading = asyncio.create_task(connection.read_all())
        cutting = asyncio.create_task(connection.cut_off.wait())
        try:
            await asyncio.wait({reading, cutting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reading.cancel()
            cutting.cancel()

    async def connection(self) -> Connection:
        """The next stream that a runner opened."""
        async with asyncio.timeout(PATIENCE):
            return await self._connections.get()

    async def greeted(self, *verdicts: Verdict, **terms: Any) -> Connection:
        """The next stream, past its welcome."""
        connection = await self.connection()
        await connection.greet(*verdicts, **terms)
        return connection

    def refuse(self, code: grpc.StatusCode, reason: str) -> None:
        """From now on streams are refused so."""
        detail = AnyMessage()
        detail.Pack(ErrorInfo(reason=reason, domain="steersman"))
        self.refusal = Status(code=code.value[0], message=f"refused: {reason}", details=[detail])


@asynccontextmanager
async def running_server(port: int = 0) -> AsyncIterator[FakeServer]:
    fake = FakeServer()
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    add_RunnerServiceServicer_to_server(fake, server)
    fake.address = f"127.0.0.1:{server.add_insecure_port(f'127.0.0.1:{port}')}"
    await server.start()
    try:
        yield fake
    finally:
        await server.stop(0)


def start_turn(
    turn_id: str, harness: str = "puppet", options: dict[str, Any] | None = None, **values: Any
) -> StartTurn:
    agent = Agent(name="a", harness=harness)
    ParseDict(options or {}, agent.options)
    base = {"epoch": 1, "attempt": 1, "try": 1, "session_id": "sess_1", "agent": agent}
    return StartTurn(turn_id=turn_id, **(base | values))


def kept(turn_id: str, acknowledged: int, epoch: int = 1) -> Verdict:
    return Verdict(turn_id=turn_id, epoch=epoch, keep=True, acknowledged=acknowledged)


def dropped(turn_id: str, epoch: int = 1) -> Verdict:
    return Verdict(turn_id=turn_id, epoch=epoch, keep=False)


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(int(seconds * 1e9))
    return duration
