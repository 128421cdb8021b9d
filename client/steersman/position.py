"""Where a watcher stands: its cursor and the text it has. No I/O: frames in, what is new out."""

from collections.abc import Iterable, Iterator

from steersman.errors import BrokenWatch
from steersman.frames import Delta, Gap, Lagging, SessionFrame, Snapshot
from steersman.v1.event_pb2 import Event
from steersman.v1.session_service_pb2 import (
    SessionSnapshot,
    TextDelta,
    TextInFlight,
    WatchSessionResponse,
)


class Position:
    """Turns the frames of one connection after another into one gapless sequence.

    `sequence` is the last event taken: the cursor of the next connection. None
    means that the watch begins wherever the first snapshot finds the head.
    """

    def __init__(self, sequence: int | None) -> None:
        self.sequence = sequence
        self._seen = SeenText()
        self._connections = 0
        # Text in flight belongs after the events that the snapshot stands behind.
        self._in_flight: SessionSnapshot | None = None

    def take(self, response: WatchSessionResponse) -> Iterator[SessionFrame]:
        """What the frame holds that is new. Raises BrokenWatch when an event is missing."""
        match response.WhichOneof("frame"):
            case "snapshot":
                yield self._begin(response.snapshot)
            case "events":
                yield from self._events(response.events.events)
            case "delta":
                yield from self._seen.new_part(response.delta, response.delta.offset)
            case "gap":
                self.sequence = response.gap.first_available - 1
                yield Gap(response.gap.first_available)
            case "lagging":
                yield Lagging(response.lagging.sequence)
        yield from self._text_in_flight()

    def _begin(self, snapshot: SessionSnapshot) -> Snapshot:
        self._connections += 1
        if self.sequence is None:
            self.sequence = snapshot.head_sequence
        self._in_flight = snapshot if snapshot.HasField("in_flight") else None
        resumed = self._connections > 1
        return Snapshot(snapshot.session, snapshot.head_sequence, resumed)

    def _events(self, events: Iterable[Event]) -> Iterator[SessionFrame]:
        for event in events:
            if self._is_next(event):
                self.sequence = event.sequence
                yield event
                yield from self._text_in_flight()

    def _is_next(self, event: Event) -> bool:
        expected = (self.sequence or 0) + 1
        if event.sequence > expected:
            raise BrokenWatch(
                f"event {event.sequence} of {event.session_id} came where {expected} was due",
                details={"expected": str(expected), "got": str(event.sequence)},
            )
        return event.sequence == expected

    def _text_in_flight(self) -> Iterator[Delta]:
        held = self._in_flight
        if held is not None and (self.sequence or 0) >= held.head_sequence:
            self._in_flight = None
            yield from self._seen.new_part(held.in_flight, 0)


class SeenText:
    """How much of the round in flight this watcher has, in code points."""

    def __init__(self) -> None:
        self._round: tuple[str, int, int, int] | None = None
        self._length = 0

    def new_part(self, text: TextDelta | TextInFlight, offset: int) -> Iterator[Delta]:
        """The part of a piece of text that is new, if any."""
        of_round = (text.turn_id, text.attempt, getattr(text, "try"), text.round)
        if of_round != self._round:
            self._round, self._length = of_round, 0
        start = max(offset, self._length)
        new = text.text[start - offset :]
        if new:
            self._length = start + len(new)
            yield Delta(*of_round, start, new)
