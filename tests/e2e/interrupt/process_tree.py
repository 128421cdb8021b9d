"""Process ids that a tool tells through a FIFO, and whether those processes are there. No rules."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from live_process import PATIENCE


@asynccontextmanager
async def told_ids(fifo: Path) -> AsyncIterator[asyncio.StreamReader]:
    """A FIFO at this path, to be read line by line."""
    os.mkfifo(fifo)
    # Open for both, so that it has a writer for as long as it is read.
    pipe = os.fdopen(os.open(fifo, os.O_RDWR | os.O_NONBLOCK), "rb", 0)
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    try:
        yield reader
    finally:
        transport.close()


async def next_ids(reader: asyncio.StreamReader, count: int) -> list[int]:
    async with asyncio.timeout(PATIENCE):
        return [int(await reader.readline()) for _ in range(count)]
