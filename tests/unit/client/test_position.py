"""Cursor and text of a watcher, frame by frame."""

from typing import Any

import pytest

from steersman.errors import BrokenWatch
from steersman.frames import Delta, Gap, Lagging, SessionFrame, Snapshot
from steersman.position import Position
from steersman.v1.event_pb2 import Event
from steersman.v1.session_service_pb2 import (
    EventBatch,
    SessionSnapshot,
    TextDelta,
    TextInFlight,
    WatchGap,
    WatchLagging,
    WatchProgress,
    WatchSessionResponse,
)


def events(*sequences: int) -> WatchSessionResponse:
    return WatchSessionResponse(
        events=EventBatch(events=[Event(sequence=number) for number in sequences])
    )


def of_round(number: int, **fields: Any) -> Any:
    return {"turn_id": "t", "attempt": 1, "try": 1, "round": number, **fields}


def delta(offset: int, text: str, number: int = 1) -> WatchSessionResponse:
    return WatchSessionResponse(delta=TextDelta(**of_round(number, offset=offset, text=text)))


def snapshot(head: int, streamed: str | None = None) -> WatchSessionResponse:
    in_flight = None
    if streamed is not None:
        in_flight = TextInFlight(**of_round(1, text=streamed, length=len(streamed)))
    return WatchSessionResponse(snapshot=SessionSnapshot(head_sequence=head, in_flight=in_flight))


def take(position: Position, *responses: WatchSessionResponse) -> list[SessionFrame]:
    return [frame for response in responses for frame in position.take(response)]


def texts(frames: list[SessionFrame]) -> list[tuple[int, str]]:
    return [(frame.offset, frame.text) for frame in frames if isinstance(frame, Delta)]


def test_an_event_that_was_taken_is_dropped() -> None:
    position = Position(0)
    frames = take(position, events(1, 2), events(1, 2, 3), events(3))
    assert [frame.sequence for frame in frames if isinstance(frame, Event)] == [1, 2, 3]
    assert position.sequence == 3


def test_a_hole_is_an_error_and_the_cursor_stays_before_it() -> None:
    position = Position(4)
    with pytest.raises(BrokenWatch) as caught:
        take(position, events(5, 7))
    assert caught.value.details == {"expected": "6", "got": "7"}
    assert position.sequence == 5


def test_a_gap_moves_the_cursor_and_is_told() -> None:
    position = Position(2)
    frames = take(position, WatchSessionResponse(gap=WatchGap(first_available=10)), events(10))
    assert frames[0] == Gap(10)
    assert position.sequence == 10


def test_lagging_is_told_and_progress_is_not() -> None:
    lagging = WatchSessionResponse(lagging=WatchLagging(sequence=3))
    progress = WatchSessionResponse(progress=WatchProgress(head_sequence=3))
    assert take(Position(3), lagging, progress) == [Lagging(3)]


def test_only_the_new_part_of_a_delta_is_told_in_code_points() -> None:
    frames = take(Position(0), delta(0, "ab🐉"), delta(2, "🐉cd"), delta(1, "b🐉"))
    assert texts(frames) == [(0, "ab🐉"), (3, "cd")]


def test_text_of_another_round_starts_at_its_own_beginning() -> None:
    frames = take(Position(0), delta(0, "first"), delta(0, "second", number=2))
    assert texts(frames) == [(0, "first"), (0, "second")]


def test_text_that_was_lost_on_the_way_shows_in_the_offset() -> None:
    frames = take(Position(0), delta(0, "ab"), delta(5, "fg"))
    assert texts(frames) == [(0, "ab"), (5, "fg")]


def test_text_in_flight_comes_after_the_events_that_stand_before_it() -> None:
    frames = take(Position(0), snapshot(2, "abc"), events(1), events(2, 3), delta(3, "d"))
    told = [
        frame.text if isinstance(frame, Delta) else getattr(frame, "sequence", None)
        for frame in frames
        if not isinstance(frame, Snapshot)
    ]
    assert told == [1, 2, "abc", 3, "d"]


def test_after_a_reconnect_only_the_missing_part_of_the_text_in_flight_is_told() -> None:
    position = Position(0)
    take(position, snapshot(0), delta(0, "abc"))
    frames = take(position, snapshot(0, "abcde"))
    assert frames[0] == Snapshot(frames[0].session, 0, resumed=True)  # type: ignore[union-attr]
    assert texts(frames) == [(3, "de")]


def test_a_watch_from_now_starts_at_the_head_of_its_first_snapshot() -> None:
    position = Position(None)
    take(position, snapshot(7))
    assert position.sequence == 7
    take(position, snapshot(9))
    assert position.sequence == 7
