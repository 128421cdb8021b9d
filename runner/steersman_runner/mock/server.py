"""Runs mock-model on a socket, as a process or inside a test. Routes live in app.py."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from steersman_runner.mock.app import Mock


@asynccontextmanager
async def running_mock_model(host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """A mock-model on this event loop; yields its base URL, which ends in `/v1`.

    Port 0 takes a free one. Leaving the block cuts off what is in flight. Raises
    OSError when the address cannot be taken.
    """
    listener = _listen(host, port)
    server = _Server(Mock())
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    ready = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        yield _base_url(listener)
    finally:
        ready.cancel()
        server.leaving.set()
        await serving


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle off only where it is; with
    # it, every answer in two writes waits 40 ms for an acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


def _base_url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/v1" if ":" in host else f"http://{host}:{port}/v1"


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers, which belong to the process, with a ready signal."""

    def __init__(self, mock: Mock) -> None:
        config = uvicorn.Config(mock.app(), lifespan="off", log_config=None, date_header=False)
        super().__init__(config)
        logging.getLogger("uvicorn.error").addFilter(_is_news)
        self._mock = mock
        self.ready = asyncio.Event()
        self.leaving = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        # Instead of looking every 100 ms whether it is time to leave.
        await self.leaving.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Parked requests would hold the process for ever.
        self._mock.close()
        await super().shutdown(sockets)


def _is_news(entry: logging.LogRecord) -> bool:
    """A dropped connection is what the script asked for, and no fault to report."""
    return "returned without completing response" not in entry.getMessage()
