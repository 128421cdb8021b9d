"""A way to a server that a test can make deaf: what is said arrives, answers get lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress


class Proxy:
    """Forwards connections. `deaf`: nothing that the server says comes through."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._carrying: set[asyncio.Task[None]] = set()
        self.deaf = False

    def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection until either side ends it."""
        task = asyncio.create_task(self._carry(reader, writer), name="proxy")
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def close(self) -> None:
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(OSError):
            there, out = await asyncio.open_connection(*self._target)
            with closing(out):
                ways = [
                    asyncio.create_task(self._forward(reader, out, answers=False)),
                    asyncio.create_task(self._forward(there, writer, answers=True)),
                ]
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for way in ways:
                        way.cancel()

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if not (answers and self.deaf):
                    writer.write(data)
                    await writer.drain()


@asynccontextmanager
async def proxy_to(target: str) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy and its address."""
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.take, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()
        yield proxy, f"{host}:{port}"
    finally:
        server.close()
        await proxy.close()
        await server.wait_closed()
