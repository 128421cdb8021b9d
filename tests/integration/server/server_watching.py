"""A watcher that a test reads frame by frame, and words for what it saw. It never resumes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from server_house import Door, within

from steersman import kind, short, text
from steersman.v1.event_pb2 import Event
from steersman.v1.session_service_pb2 import SessionSnapshot, TextDelta


class Watching:
    """One WatchSession stream. Frames that are not asked for are kept by their kind."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.events: list[Event] = []
        self.deltas: list[TextDelta] = []
        self.progress: list[int] = []
        self.lagging: list[int] = []
        self.snapshot = SessionSnapshot()

    async def frame(self) -> str:
        """Take one frame and answer its kind; EOFError at a clean end."""
        frame = await within(self.call.read())
        if frame is grpc.aio.EOF:
            raise EOFError("the watch ended")
        match frame.WhichOneof("frame"):
            case "snapshot":
                self.snapshot = frame.snapshot
            case "events":
                self.events.extend(frame.events.events)
            case "delta":
                self.deltas.append(frame.delta)
            case "progress":
                self.progress.append(frame.progress.head_sequence)
            case "lagging":
                self.lagging.append(frame.lagging.sequence)
        kind_of_frame: str = frame.WhichOneof("frame")
        return kind_of_frame

    async def until(self, wanted: str, turn_id: str = "") -> Event:
        """Read until an event of this kind (of this turn) was seen; answers the first."""
        seen = 0
        while True:
            for event in self.events[seen:]:
                if kind(event) == wanted and turn_id in ("", event.turn_id):
                    return event
            seen = len(self.events)
            await self.frame()

    async def up_to(self, sequence: int) -> list[Event]:
        """Read until the event with this sequence was seen; answers all."""
        while not self.events or self.events[-1].sequence < sequence:
            await self.frame()
        return self.events


@asynccontextmanager
async def watching(door: Door, session_id: str, **fields: Any) -> AsyncIterator[Watching]:
    """A watch from the start unless `after_sequence` says otherwise, past its snapshot."""
    call = door.WatchSession(session_id=session_id, **{"after_sequence": 0, **fields})
    watch = Watching(call)
    try:
        assert await watch.frame() == "snapshot"
        yield watch
    finally:
        call.cancel()


async def log_of(door: Door, session_id: str) -> list[Event]:
    """Every event that is committed now."""
    async with watching(door, session_id) as watch:
        return await watch.up_to(watch.snapshot.head_sequence)


def kinds(events: list[Event]) -> list[str]:
    return [kind(event) for event in events]


def dense(events: list[Event], start: int = 1) -> bool:
    return [event.sequence for event in events] == list(range(start, start + len(events)))


def history(items: list[Any]) -> list[tuple[str, str]]:
    """Each item as (who or what, text): `user`, `assistant`, `marker`, `call`, `output`."""
    return [(_who(item), item.name if _who(item) == "call" else text(item)) for item in items]


def _who(item: Any) -> str:
    if item.marker:
        return "marker"
    word = short(item, "type")
    if word == "message":
        return short(item, "role")
    return {"function_call": "call", "function_call_output": "output"}.get(word, word)
