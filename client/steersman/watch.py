"""A stream that outlives its connections. Never knows what the frames mean."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar, cast

import grpc

from steersman.backoff import delays
from steersman.errors import SteersmanError, Unavailable, error_info
from steersman.transport import Transport

Response = TypeVar("Response")
Frame = TypeVar("Frame")
Call = grpc.aio.UnaryStreamCall[Any, Response]

# Another connection would meet the same answer. UNAVAILABLE, INTERNAL, UNKNOWN and
# CANCELLED are absent on purpose: proxies and dying servers produce them for streams
# that were cut, and the cursor makes another try harmless.
UNRECOVERABLE = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)


class Watch(Generic[Response, Frame]):
    """Frames of a stream, over as many connections as it takes.

    Iterate it with `async for`; leaving the loop ends the call as soon as nothing
    refers to the watch. `async with` says when, for those who keep it. Raises the
    SteersmanError that another connection would meet again, and Unavailable when
    the server could not be reached at first.
    """

    def __init__(
        self,
        transport: Transport,
        connect: Callable[[], Call[Response]],
        take: Callable[[Response], Iterable[Frame]],
    ) -> None:
        self._transport = transport
        self._connect = connect
        self._take = take
        self._ready: deque[Frame] = deque()
        self._call: Call[Response] | None = None
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._silent = False
        self._delays = delays()
        # Until the first frame, patience is bounded; a watch that stood is resumed for ever.
        self._give_up_at: float | None = self._loop.time() + transport.timing.retry

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Frame:
        while not self._ready:
            if self._closed:
                raise StopAsyncIteration
            await self._fill()
        return self._ready.popleft()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the watch and its call; frames not yet taken are gone."""
        self._closed = True
        self._ready.clear()
        self._hang_up()

    def __del__(self) -> None:
        # grpc keeps a call going that nobody reads. The collector may run anywhere,
        # so the call is cancelled on the loop that owns it.
        call = getattr(self, "_call", None)
        if call is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call.cancel)

    async def _fill(self) -> None:
        """Read one frame, or wait for the next connection; unrecoverable errors end it."""
        try:
            response = await self._read()
            if response is not None:
                self._stands()
                self._ready.extend(self._take(response))
        except Unavailable as lost:
            await self._pause(lost)
        except SteersmanError:
            await self.aclose()
            raise

    async def _read(self) -> Response | None:
        """One frame; None once closed. Raises Unavailable when the connection is lost."""
        if self._call is None:
            self._silent = False
            self._call = self._connect()
        # A timer that cancels the call, not a timeout around read(), which leaks its batch.
        alarm = self._loop.call_later(self._transport.timing.silence, self._on_silence)
        try:
            response = await self._call.read()
        except grpc.aio.AioRpcError as error:
            self._call = None
            raise self._refusal(error) from None
        except asyncio.CancelledError:
            if self._reader_is_cancelled():
                raise
            return None
        finally:
            alarm.cancel()
        if response is grpc.aio.EOF:
            self._call = None
            raise Unavailable(f"{self._transport.server} ended the stream")
        return cast(Response, response)

    def _reader_is_cancelled(self) -> bool:
        """Tell apart who cancelled: the reader's task, our alarm (Unavailable), or a close."""
        self._hang_up()
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            return True
        if self._silent:
            raise Unavailable(f"nothing came from {self._transport.server} for too long")
        self._closed = True
        return False

    def _refusal(self, error: grpc.aio.AioRpcError) -> SteersmanError:
        refusal = self._transport.refusal(error)
        if error_info(error) is not None or error.code() in UNRECOVERABLE:
            return refusal
        return Unavailable(refusal.message, code=refusal.code)

    def _stands(self) -> None:
        self._give_up_at = None
        self._delays = delays()

    async def _pause(self, lost: Unavailable) -> None:
        delay = next(self._delays)
        if self._give_up_at is not None and self._loop.time() + delay > self._give_up_at:
            await self.aclose()
            raise lost
        await asyncio.sleep(delay)

    def _on_silence(self) -> None:
        self._silent = True
        self._hang_up()

    def _hang_up(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            call.cancel()
