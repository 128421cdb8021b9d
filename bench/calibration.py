"""The yardsticks of everything else: round trips to the bare echo, and bare commits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from bench.disk import commits
from bench.echo import BIDI, UNARY
from bench.figures import Figures
from bench.moments import now

Unary = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
Bidi = grpc.aio.StreamStreamCall[bytes, bytes]

PAYLOAD = b"x" * 200  # about the size of an Interrupt on the wire
WARM_UP = 20


class Calibration:
    """Measures each for `seconds` when asked: on one channel, one stream, one disk."""

    def __init__(self, channel: grpc.aio.Channel, directory: Path, seconds: float) -> None:
        self._unary: Unary = channel.unary_unary(UNARY)
        self._bidi: Bidi = channel.stream_stream(BIDI)()
        self._directory = directory
        self._seconds = seconds

    async def measure(self, figures: Figures, phase: str) -> None:
        """Adds them all, under their names and under those of the phase."""
        for name, once in (("echo, unary", self._call), ("echo, bidirectional", self._message)):
            for _ in range(WARM_UP):
                await once()
            until = now() + self._seconds
            while (began := now()) < until:
                await once()
                _add(figures, name, phase, now() - began)
        for took in await asyncio.to_thread(commits, self._directory, self._seconds):
            _add(figures, "commit to disk, bare", phase, took)

    async def close(self) -> None:
        """Ends the stream in peace: a cancelled one makes the server's end noisy."""
        await self._bidi.done_writing()
        await self._bidi.read()

    async def _call(self) -> None:
        await self._unary(PAYLOAD)

    async def _message(self) -> None:
        await self._bidi.write(PAYLOAD)
        await self._bidi.read()


def _add(figures: Figures, name: str, phase: str, took: float) -> None:
    figures.add(name, took)
    figures.add(f"{name}, {phase}", took)


@asynccontextmanager
async def calibration(address: str, directory: Path, seconds: float) -> AsyncIterator[Calibration]:
    """A calibration against the echo at `address`, and the disk of the server's data."""
    options = (("grpc.enable_http_proxy", 0),)
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        yardstick = Calibration(channel, directory, seconds)
        try:
            yield yardstick
        finally:
            await yardstick.close()
