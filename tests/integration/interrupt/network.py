"""A TCP proxy that a test can freeze and heal: nothing passes while it is frozen. No rules."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Network:
    """The way between a runner and its server."""

    def __init__(self, host: str, port: int) -> None:
        self._there = (host, port)
        self._passes = asyncio.Event()
        self._passes.set()
        self._pipes: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.address = ""

    def freeze(self) -> None:
        """Connections stay, and carry nothing either way."""
        self._passes.clear()

    def heal(self) -> None:
        """What was held up goes on."""
        self._passes.set()

    def cut(self) -> None:
        """Every connection is gone, and what was held up with it."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def open(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(*self._there)
        self._writers += (writer, far_writer)
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            pipe = asyncio.create_task(self._pipe(source, sink), name="pipe")
            self._pipes.add(pipe)
            pipe.add_done_callback(self._pipes.discard)

    async def _pipe(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                await self._passes.wait()
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            return
        finally:
            sink.close()

    async def close(self) -> None:
        self.cut()
        for pipe in self._pipes:
            pipe.cancel()
        if self._pipes:
            await asyncio.wait(self._pipes)


@asynccontextmanager
async def network_to(address: str) -> AsyncIterator[Network]:
    """A way to HOST:PORT; `address` of it is where to go instead."""
    host, _, port = address.rpartition(":")
    network = Network(host, int(port))
    server = await asyncio.start_server(network.open, "127.0.0.1", 0)
    network.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield network
    finally:
        server.close()
        await network.close()
        await server.wait_closed()
