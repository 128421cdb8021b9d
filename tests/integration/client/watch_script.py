"""Frames of a watched session, and a script that streams them up to a cut."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import grpc
from fake_steersman import Refusal

import steersman
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.event_pb2 import Event
from steersman.v1.session_pb2 import Session

Response = pb.WatchSessionResponse
STORY = "Es war einmal 🐉 a text"


def snapshot(head: int, streamed: str = "") -> Response:
    in_flight = None
    if streamed:
        in_flight = pb.TextInFlight(
            turn_id="turn_1", attempt=1, round=1, text=streamed, length=len(streamed), **{"try": 1}
        )
    return Response(
        snapshot=pb.SessionSnapshot(
            session=Session(id="sess_1"), head_sequence=head, in_flight=in_flight
        )
    )


def events(*sequences: int) -> Response:
    batch = [Event(sequence=number, session_id="sess_1") for number in sequences]
    return Response(events=pb.EventBatch(events=batch))


def delta(offset: int, text: str) -> Response:
    return Response(
        delta=pb.TextDelta(
            turn_id="turn_1", attempt=1, round=1, offset=offset, text=text, **{"try": 1}
        )
    )


class Script:
    """A log of four events and a text streamed behind them, cut where the test says."""

    def __init__(self, cuts: Sequence[int], end: Callable[[], None]) -> None:
        self._cuts = iter(cuts)
        self._end = end
        self._streamed = 0

    async def __call__(self, request: pb.WatchSessionRequest) -> AsyncIterator[Response]:
        left = next(self._cuts, 1000)
        for frame in self._frames(request.after_sequence):
            if left == 0:
                self._end()
                return
            if frame.HasField("delta"):
                self._streamed = frame.delta.offset + len(frame.delta.text)
            left -= 1
            yield frame
        await asyncio.Event().wait()

    def _frames(self, after: int) -> list[Response]:
        pieces = [(at, STORY[at : at + 4]) for at in range(self._streamed, len(STORY), 4)]
        replay = [events(number) for number in range(after + 1, 5)]
        live = [delta(at, text) for at, text in pieces]
        return [snapshot(4, STORY[: self._streamed]), *replay, *live]


def cut_off() -> None:
    raise Refusal(grpc.StatusCode.UNAVAILABLE)


def drain() -> None:
    raise Refusal(grpc.StatusCode.UNAVAILABLE, "draining")


def end() -> None:
    return None


async def read_all(client: steersman.Client) -> tuple[list[int], str]:
    """The sequences and the text of a watch, until the whole text is there."""
    sequences: list[int] = []
    text = ""
    async with client.sessions.handle("sess_1").watch() as frames:
        async for frame in frames:
            match frame:
                case steersman.Event():
                    assert not text
                    sequences.append(frame.sequence)
                case steersman.Delta():
                    assert frame.offset == len(text)
                    text += frame.text
            if len(text) >= len(STORY):
                break
    return sequences, text
