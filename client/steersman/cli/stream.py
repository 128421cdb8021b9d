"""Frames of a watch as JSON lines or as a transcript, up to the end of a turn."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from steersman.cli.output import Output
from steersman.cli.transcript import Transcript
from steersman.frames import Delta, Gap, Lagging, SessionFrame, Snapshot
from steersman.json_form import to_json
from steersman.session import Session
from steersman.v1.event_pb2 import Event
from steersman.v1.turn_pb2 import Turn
from steersman.words import ended

Show = Callable[[SessionFrame], None]


def shower(out: Output, *, echo: bool = False) -> Show:
    """What prints frames: JSON lines, or a transcript for people."""
    if out.as_json:
        return lambda frame: out.line(frame_document(frame))
    return Transcript(out.console, echo=echo).show


def frame_document(frame: SessionFrame) -> dict[str, Any]:
    """A frame as a JSON object; `kind` tells what it is."""
    match frame:
        case Event():
            return to_json(frame)
        case Delta():
            named = asdict(frame)
            return {"kind": "delta", "try": named.pop("try_number"), **named}
        case Snapshot(session, head, resumed):
            known = {"session": to_json(session), "head_sequence": head, "resumed": resumed}
            return {"kind": "snapshot", **known}
        case Lagging():
            return {"kind": "lagging", **asdict(frame)}
        case Gap():
            return {"kind": "gap", **asdict(frame)}


def end_of(frame: SessionFrame, turn_id: str) -> Turn | None:
    """The turn as it ended, when that is what the frame tells."""
    if isinstance(frame, Event) and frame.turn_id == turn_id and frame.HasField("turn"):
        return frame.turn if ended(frame.turn) else None
    return None


def of_turn(frame: SessionFrame, turn_id: str) -> bool:
    """Whether a frame is about this turn, or about the watch itself."""
    return not isinstance(frame, Event | Delta) or frame.turn_id == turn_id


async def follow(session: Session, turn_id: str, after: int, show: Show) -> Turn:
    """Show the frames of a turn until it ends; answers it as it ended."""
    async with session.watch(after) as frames:
        async for frame in frames:
            if of_turn(frame, turn_id):
                show(frame)
            if turn := end_of(frame, turn_id):
                return turn
    raise AssertionError("a watch goes on until it is left")
