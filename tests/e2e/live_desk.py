"""The desk that tools of a runner under test visit: which ran, how often, and when they may end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from live_process import PATIENCE


class Visit:
    """One run of a tool."""

    def __init__(
        self, tool: str, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.tool = tool
        self.name = name
        self._reader = reader
        self._writer = writer

    def answer(self, text: str = "") -> None:
        """Let the tool end, with this output."""
        self._writer.write(f"{text}\n".encode())

    async def stopping(self) -> None:
        """Returns once the tool was told to stop."""
        async with asyncio.timeout(PATIENCE):
            assert await self._reader.readline() == b"stopping\n"

    async def gone(self) -> None:
        """Returns once the tool has ended."""
        async with asyncio.timeout(PATIENCE):
            while await self._reader.readline():
                pass

    def close(self) -> None:
        self._writer.close()


class Desk:
    """Every run of a tool, in the order in which they began."""

    def __init__(self) -> None:
        self.visits: list[Visit] = []
        self._came = asyncio.Condition()

    def runs(self, name: str) -> list[str]:
        """The tools that ran under this name, each as often as it did."""
        return [visit.tool for visit in self.visits if visit.name == name]

    async def visit(self, name: str, number: int = 1) -> Visit:
        """The so-manyth run under this name, once it has begun."""
        async with asyncio.timeout(PATIENCE), self._came:
            await self._came.wait_for(lambda: len(self.runs(name)) >= number)
        return [visit for visit in self.visits if visit.name == name][number - 1]

    async def open(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tool, _, name = (await reader.readline()).decode().strip().partition(" ")
        async with self._came:
            self.visits.append(Visit(tool, name, reader, writer))
            self._came.notify_all()


@asynccontextmanager
async def open_desk(path: str) -> AsyncIterator[Desk]:
    """A desk at this socket."""
    desk = Desk()
    server = await asyncio.start_unix_server(desk.open, path)
    try:
        yield desk
    finally:
        for visit in desk.visits:
            visit.close()
        server.close()
        await server.wait_closed()
