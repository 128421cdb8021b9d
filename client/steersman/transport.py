"""One way to make a unary call: deadline, token, request id, retries. Never knows which call."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from steersman.backoff import delays
from steersman.channel import Channels, open_channels
from steersman.errors import SteersmanError, Unavailable, from_rpc
from steersman.settings import Timing

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response")
Method = Callable[..., Awaitable[Response]]


class Transport:
    """The connections to one server and the token for it. Lives on one event loop."""

    def __init__(self, server: str, token: str | None, timing: Timing) -> None:
        self.server = server
        self.timing = timing
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._channels: Channels | None = None
        self._closed = False

    @property
    def channels(self) -> Channels:
        """Opened at first use, on the loop that uses them; RuntimeError once closed."""
        if self._closed:
            raise RuntimeError("this client is closed")
        if self._channels is None:
            self._channels = open_channels(self.server)
        return self._channels

    async def close(self) -> None:
        """Close the connections; watches that are open end with them."""
        channels, self._channels, self._closed = self._channels, None, True
        if channels is not None:
            await channels.close()

    async def call(
        self, method: Method[Response], request: Request, *, waiting: float = 0.0
    ) -> Response:
        """Make a call, again while the server is unavailable, under one request id.

        `waiting` is how long the server may hold the call on purpose, in seconds.
        Raises the SteersmanError of the last try.
        """
        identify(request)
        loop = asyncio.get_running_loop()
        start = loop.time()
        deadline = start + self.timing.deadline + waiting
        for delay in delays():
            try:
                return await self._once(method, request, deadline - loop.time())
            except Unavailable:
                if loop.time() + delay > min(start + self.timing.retry, deadline):
                    raise
            await asyncio.sleep(delay)
        raise AssertionError("delays never end")

    async def _once(self, method: Method[Response], request: Any, timeout: float) -> Response:
        try:
            return await method(request, timeout=timeout, metadata=self.metadata)
        except grpc.aio.AioRpcError as error:
            raise self.refusal(error) from None

    def refusal(self, error: grpc.aio.AioRpcError) -> SteersmanError:
        """The typed error of a failed call to this server."""
        return from_rpc(error, self.server)


def identify(request: Message) -> None:
    """Give a mutation a request id, so that a try whose answer was lost counts once."""
    field = "request_id"
    if field in request.DESCRIPTOR.fields_by_name and not getattr(request, field):
        setattr(request, field, uuid.uuid4().hex)
