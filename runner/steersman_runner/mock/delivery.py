"""Sends one scripted answer to one client, and notices when that client leaves."""

import asyncio

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from steersman_runner.mock.gate import Gate
from steersman_runner.mock.ledger import Closing, Record
from steersman_runner.mock.reply import Frame, Reply
from steersman_runner.mock.script import ScriptedResponse, chunks


class Exchanges:
    """The requests that are being answered, so that they can be cut off together."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self._open: set[asyncio.Task[Closing]] = set()
        self._closed = False

    def cut(self) -> None:
        """Drops every request in flight."""
        for delivery in self._open:
            delivery.cancel()

    def close(self) -> None:
        """Drops every request in flight and all that come later."""
        self._closed = True
        self.cut()

    async def run(self, delivery: "Delivery", receive: Receive, send: Send) -> None:
        """Sends the answer, and records how it ended."""
        sending = asyncio.create_task(delivery.send(self.gate, send))
        leaving = asyncio.create_task(_client_left(receive))
        self._open.add(sending)
        if self._closed:
            sending.cancel()
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            ended = sending.done()
            sending.cancel()
            leaving.cancel()
            await asyncio.wait({sending, leaving})
        finally:
            self._open.discard(sending)
        if ended and sending.cancelled():
            await delivery.cut_off(send)
        how: Closing = "dropped" if ended else "disconnected"
        delivery.record.close(how if sending.cancelled() else sending.result())
        self.gate.changes.happened()


class Delivery(Response):
    """One answer on its way."""

    def __init__(
        self, exchanges: Exchanges, script: ScriptedResponse, reply: Reply, record: Record
    ) -> None:
        super().__init__()
        self.record = record
        self._exchanges = exchanges
        self._script = script
        self._reply = reply
        self._started = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._exchanges.run(self, receive, send)

    async def send(self, gate: Gate, send: Send) -> Closing:
        """Sends it as scripted; answers whether it was sent to its end."""
        if self._script.parks_first:
            await gate.park()
        if not self._paced():
            await asyncio.sleep(self._script.delay)
        await self._start(send)
        sent = 0
        block_after, drop_after = self._script.block_after, self._script.drop_after
        for frame in self._frames():
            if block_after is not None and sent >= block_after:
                block_after = None
                await gate.park()
            if drop_after is not None and sent >= drop_after:
                # Returning without the end of the body makes the server cut the line.
                return "dropped"
            if frame.characters and sent and self._paced():
                await asyncio.sleep(self._script.delay)
            await send({"type": "http.response.body", "body": frame.data, "more_body": True})
            sent += frame.characters
        await send({"type": "http.response.body", "body": b""})
        return "completed"

    def _paced(self) -> bool:
        """Whether there are chunks for the delay to stand between; else it comes first."""
        return sum(frame.characters > 0 for frame in self._reply.frames) > 1

    async def cut_off(self, send: Send) -> None:
        """Leaves an answer without its end; the server cuts the line once this is over."""
        if not self._started:
            await self._start(send)

    async def _start(self, send: Send) -> None:
        self._started = True
        headers = [(name.lower(), value) for name, value in self._reply.headers.items()]
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        status_code = self._reply.status_code
        await send({"type": "http.response.start", "status": status_code, "headers": raw})

    def _frames(self) -> list[Frame]:
        """The frames; a body in one piece is cut by character where the script asks for it."""
        frames = list(self._reply.frames)
        if self.record.request.stream or self._script.refuses or not self._script.cuts():
            return frames
        pieces = chunks(frames[0].data.decode(), 1, self._script.cuts())
        return [Frame(piece.encode(), len(piece)) for piece in pieces]


async def _client_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
