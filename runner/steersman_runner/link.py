"""One stream from hello to its end, and the loops that share it. Never decides on a second try."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog
from grpc.aio import AioRpcError, StreamStreamCall

from steersman.v1.runner_pb2 import Hello, RunnerMessage, ServerMessage, Welcome
from steersman.v1.runner_pb2_grpc import RunnerServiceStub
from steersman_runner.channel import how_it_ended, open_channel
from steersman_runner.engine.turns import Turns
from steersman_runner.errors import LinkLost, LinkRefused, OutboxFull
from steersman_runner.heartbeat import Heartbeats
from steersman_runner.inbox import Inbox
from steersman_runner.isolation import Isolation
from steersman_runner.outbox import Outbox
from steersman_runner.reconnect import verdict_on
from steersman_runner.settings import RunnerSettings
from steersman_runner.terms import Terms, terms_of

log = structlog.get_logger()

Call = StreamStreamCall[RunnerMessage, ServerMessage]
T = TypeVar("T")


class Link:
    """Joins the loops of one stream; a new stream is a new Link."""

    def __init__(
        self,
        server: str,
        hello: Hello,
        turns: Turns,
        outbox: Outbox,
        isolation: Isolation,
        settings: RunnerSettings,
    ) -> None:
        self._server = server
        self._hello = hello
        self._turns = turns
        self._outbox = outbox
        self._isolation = isolation
        self._settings = settings
        self._goodbye_said = False

    async def hold(self, token: str, on_welcome: Callable[[], None]) -> None:
        """Returns once goodbye is said. Raises LinkLost, LinkRefused."""
        channel = open_channel(self._server)
        try:
            metadata = (("authorization", f"Bearer {token}"),)
            call: Call = RunnerServiceStub(channel).Connect(metadata=metadata)
            try:
                await self._talk(call, on_welcome)
            finally:
                self._outbox.close()
                self._turns.cut()
                call.cancel()
        finally:
            await channel.close()

    async def _talk(self, call: Call, on_welcome: Callable[[], None]) -> None:
        said_at = asyncio.get_running_loop().time()
        welcome = await self._greet(call)
        terms = terms_of(welcome)
        on_welcome()
        self._isolation.heard(said_at, terms.isolation_limit)
        self._outbox.open(terms, self._turns.resume(welcome.verdicts))
        ends: list[Exception] = []
        try:
            await self._join(call, terms)
        except* (LinkLost, LinkRefused, OutboxFull) as group:
            ends.extend(group.exceptions)
        if ends and not self._goodbye_said:
            raise _foremost(ends)

    async def _greet(self, call: Call) -> Welcome:
        # The call is what is cancelled: a timeout around a read leaks its batch.
        timeout = self._settings.handshake_timeout
        timer = asyncio.get_running_loop().call_later(timeout, call.cancel)
        try:
            await _spoken(call, call.write(RunnerMessage(hello=self._hello)))
            first = await _receive(call)
        finally:
            timer.cancel()
        if not first.HasField("welcome"):
            raise LinkLost(f"the server answered hello with {first.WhichOneof('frame')}")
        return first.welcome

    async def _join(self, call: Call, terms: Terms) -> None:
        heartbeats = Heartbeats(
            terms, self._outbox, lambda at: self._isolation.heard(at, terms.isolation_limit)
        )
        inbox = Inbox(self._turns, heartbeats)
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(inbox.run(lambda: _receive(call)), name="inbox")
            beating = group.create_task(heartbeats.run(), name="heartbeat")
            group.create_task(self._leave(), name="leave")
            await self._outbox.run(lambda frame: _spoken(call, call.write(frame)))
            self._goodbye_said = True
            beating.cancel()
            await call.done_writing()
            # The server ends the stream; one that does not keeps nobody here.
            await asyncio.wait({reading}, timeout=self._settings.goodbye_grace)
            reading.cancel()

    async def _leave(self) -> None:
        await self._turns.wait_until_left()
        self._outbox.finish(self._turns.parting)


async def _receive(call: Call) -> ServerMessage:
    message = await _spoken(call, call.read())
    if isinstance(message, ServerMessage):
        return message
    # A clean end without our goodbye: a server that crashed looks like this too.
    raise verdict_on(await how_it_ended(call))


async def _spoken(call: Call, operation: Awaitable[T]) -> T:
    """Reads or writes; a call that is over raises what its status says."""
    try:
        return await operation
    except (AioRpcError, asyncio.InvalidStateError):
        pass
    except asyncio.CancelledError:
        # A call that we cancelled ourselves (the greeting's timer does) raises this
        # too, without anybody having cancelled this task.
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
    raise verdict_on(await how_it_ended(call))


def _foremost(ends: list[Exception]) -> LinkLost | LinkRefused:
    for end in ends:
        if isinstance(end, LinkRefused):
            return end
    return LinkLost("; ".join(map(str, ends)))
