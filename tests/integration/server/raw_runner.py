"""A runner under a test's control: a bare Connect stream, frame by frame. Nothing is automatic."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from server_house import PATIENCE, Door, House, fresh, within

from steersman.v1.item_pb2 import Item
from steersman.v1.runner_pb2 import RunnerMessage, ServerMessage, StartTurn, StopTurn, Welcome


class RawRunner:
    """One stream of one runner. `runner_id` and `harness` are its own unless given."""

    def __init__(self, door: Door, runner_id: str = "", harness: str = "") -> None:
        self.runner_id = runner_id or fresh("raw")
        self.harness = harness or self.runner_id
        self._call = door.Connect()
        self._received: asyncio.Queue[ServerMessage | None] = asyncio.Queue()
        self._reader = asyncio.create_task(self._read(), name=f"reads {self.runner_id}")
        self._numbers: dict[tuple[str, int], int] = {}
        self.error: grpc.aio.AioRpcError | None = None

    async def _read(self) -> None:
        try:
            while (message := await self._call.read()) is not grpc.aio.EOF:
                self._received.put_nowait(message)
        except grpc.aio.AioRpcError as error:
            self.error = error
        except asyncio.CancelledError:
            if not self._call.cancelled():
                raise
        finally:
            self._received.put_nowait(None)

    async def send(self, **frame: Any) -> None:
        await within(self._call.write(RunnerMessage(**frame)))

    async def hello(self, **fields: Any) -> None:
        facts = {
            "runner_id": self.runner_id,
            "generation": 1,
            "slots": 1,
            "harnesses": [self.harness],
            "protocol_min": 1,
            "protocol_max": 1,
        }
        await self.send(hello=facts | fields)

    async def greeted(self, **fields: Any) -> Welcome:
        await self.hello(**fields)
        first = await self.next()
        assert first.HasField("welcome"), first
        return first.welcome

    async def next(self) -> ServerMessage:
        """The next frame; EOFError when the stream has ended."""
        message = await within(self._received.get())
        if message is None:
            self._received.put_nowait(None)
            raise EOFError(str(self.error))
        return message

    async def next_of(self, kind: str) -> Any:
        """The next frame, which must be of this kind."""
        message = await self.next()
        assert message.WhichOneof("frame") == kind, message
        return getattr(message, kind)

    async def ended(self) -> grpc.aio.AioRpcError | None:
        """What ended the stream, once it has ended; None for a clean end."""
        async with asyncio.timeout(PATIENCE):
            while await self._received.get() is not None:
                pass
        self._received.put_nowait(None)
        return self.error

    async def silent(self) -> None:
        """Nothing was sent before this: a heartbeat's answer is the next frame."""
        await self.send(heartbeat={"number": 777})
        assert (await self.next_of("ping")).heartbeat == 777

    async def start(self) -> StartTurn:
        start: StartTurn = await self.next_of("start_turn")
        return start

    async def stop(self) -> StopTurn:
        stop: StopTurn = await self.next_of("stop_turn")
        return stop

    async def accepted(self, held: StartTurn) -> None:
        await self.frame(held, "accepted")
        await self.acked(held)

    async def taken(self) -> StartTurn:
        """The next turn, accepted."""
        held = await self.start()
        await self.accepted(held)
        return held

    async def frame(self, held: StartTurn, kind: str, number: int = 0, **fields: Any) -> int:
        """Send a durable frame; its number counts by itself unless given."""
        key = (held.turn_id, held.epoch)
        number = number or self._numbers.get(key, 0) + 1
        self._numbers[key] = max(number, self._numbers.get(key, 0))
        place = {"turn_id": held.turn_id, "epoch": held.epoch, "number": number}
        await self.send(**{kind: place | fields})
        return number

    async def acked(self, held: StartTurn, number: int = 0) -> None:
        """The next frame acknowledges this number, or the newest sent, of the turn."""
        ack = await self.next_of("ack")
        newest = number or self._numbers[held.turn_id, held.epoch]
        assert (ack.turn_id, ack.epoch, ack.number) == (held.turn_id, held.epoch, newest)
        assert not ack.refused

    async def refused(self, held: StartTurn) -> None:
        ack = await self.next_of("ack")
        assert (ack.turn_id, ack.epoch, ack.refused) == (held.turn_id, held.epoch, True)

    async def round(self, held: StartTurn, *calls: Item, round: int = 1) -> None:
        """A model answer with these calls, committed."""
        await self.frame(held, "progress", round={"round": round, "items": calls})
        await self.acked(held)

    async def output(self, held: StartTurn, call: Item, text: str) -> None:
        await self.frame(held, "progress", output=output(call, text))
        await self.acked(held)

    async def delta(self, held: StartTurn, offset: int, text: str, round: int = 1) -> None:
        place = {"turn_id": held.turn_id, "epoch": held.epoch, "try": getattr(held, "try")}
        await self.send(delta=place | {"round": round, "offset": offset, "text": text})

    async def receipt(self, stop: StopTurn) -> None:
        place = {"turn_id": stop.turn_id, "epoch": stop.epoch}
        await self.send(receipt=place | {"interrupt_id": stop.interrupt_id})

    async def complete(self, held: StartTurn, text: str = "done", round: int = 1) -> None:
        await self.frame(
            held, "turn_ended", outcome="TURN_OUTCOME_COMPLETED", items=[said(text)], round=round
        )
        await self.acked(held)

    async def stopped(self, held: StartTurn, partial: str = "") -> None:
        items = [said(partial, status="ITEM_STATUS_INCOMPLETE")] if partial else []
        await self.frame(held, "turn_ended", outcome="TURN_OUTCOME_STOPPED", items=items, round=1)
        await self.acked(held)

    def cut(self) -> None:
        """The stream is gone without a goodbye."""
        self._call.cancel()

    async def close(self) -> None:
        self._call.cancel()
        await asyncio.wait({self._reader})


@asynccontextmanager
async def raw_runner(
    house: House, runner_id: str = "", harness: str = "", **hello: Any
) -> AsyncIterator[RawRunner]:
    """A runner past its welcome."""
    runner = RawRunner(house.runner, runner_id, harness)
    try:
        await runner.greeted(**hello)
        yield runner
    finally:
        await runner.close()


def said(text: str, **fields: Any) -> Item:
    """An assistant's message."""
    return Item(
        id=f"item_{fresh('said')}",
        type="ITEM_TYPE_MESSAGE",
        role="ITEM_ROLE_ASSISTANT",
        content=[{"type": "output_text", "text": text}],
        **fields,
    )


def a_call(name: str = "tool") -> Item:
    return Item(
        id=f"item_{fresh('call')}",
        type="ITEM_TYPE_FUNCTION_CALL",
        name=name,
        arguments="{}",
        call_id="same-for-all",
    )


def output(call: Item, text: str) -> Item:
    return Item(
        id=f"item_{fresh('output')}",
        type="ITEM_TYPE_FUNCTION_CALL_OUTPUT",
        call_item_id=call.id,
        output=text,
    )
