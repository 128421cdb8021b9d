"""Rules of a turn's frames and its text, without a stream."""

import pytest

from steersman.v1.runner_pb2 import Accepted, Progress, RunnerMessage, TurnEnded
from steersman_runner.engine.frames import TurnFrames
from steersman_runner.engine.text import Piece, RoundText
from steersman_runner.errors import OutboxFull


def frames(limit: int = 10) -> TurnFrames:
    return TurnFrames("turn_1", epoch=2, try_number=1, text=RoundText(1), limit=limit)


def taken(turn: TurnFrames) -> list[RunnerMessage]:
    return list(iter(turn.take, None))


def numbers(messages: list[RunnerMessage]) -> list[int]:
    return [getattr(m, m.WhichOneof("frame")).number for m in messages]


def test_durable_frames_are_numbered_from_1_and_carry_the_epoch() -> None:
    turn = frames()
    assert [turn.add(Accepted()), turn.add(Progress()), turn.add(TurnEnded())] == [1, 2, 3]
    sent = taken(turn)
    assert numbers(sent) == [1, 2, 3]
    assert (sent[0].accepted.turn_id, sent[0].accepted.epoch) == ("turn_1", 2)


def test_a_frame_is_taken_once_on_a_stream() -> None:
    turn = frames()
    turn.add(Accepted())
    assert numbers(taken(turn)) == [1]
    assert not taken(turn)


def test_after_a_new_hello_everything_behind_the_servers_number_goes_out_again() -> None:
    turn = frames()
    for frame in (Accepted(), Progress(), Progress(), Progress()):
        turn.add(frame)
    taken(turn)
    turn.acknowledge(1)
    assert turn.held().acknowledged == 1
    turn.add(TurnEnded())  # between hello and welcome
    turn.resume(2)
    assert numbers(taken(turn)) == [3, 4, 5]


def test_two_hellos_in_a_row_send_nothing_twice() -> None:
    turn = frames()
    turn.add(Accepted())
    turn.held()
    turn.add(Progress())
    turn.held()
    turn.resume(0)
    assert numbers(taken(turn)) == [1, 2]


def test_an_older_acknowledgement_changes_nothing() -> None:
    turn = frames()
    turn.add(Accepted())
    turn.add(Progress())
    turn.acknowledge(2)
    turn.acknowledge(1)
    assert turn.acknowledged == 2


def test_text_goes_out_before_the_frame_that_follows_it() -> None:
    turn = frames()
    turn.text.append("thinking")
    turn.add(Progress())
    turn.text.append("more")
    kinds = [m.WhichOneof("frame") for m in taken(turn)]
    assert kinds == ["delta", "progress", "delta"]


def test_text_that_hello_told_is_not_sent_as_a_delta_again() -> None:
    turn = frames()
    turn.text.append("told")
    assert turn.held().text == "told"
    turn.text.append(" new")
    turn.resume(0)
    [delta] = taken(turn)
    assert (delta.delta.offset, delta.delta.text) == (4, " new")


def test_text_between_hello_and_welcome_stays_in_its_place() -> None:
    turn = frames()
    turn.text.append("a")
    turn.held()
    turn.text.append("b")
    turn.add(Progress())
    turn.text.append("c")
    turn.resume(0)
    assert [(m.delta.offset, m.delta.text) for m in taken(turn) if m.HasField("delta")] == [
        (1, "b"),
        (2, "c"),
    ]


def test_more_unacknowledged_frames_than_the_limit_are_refused_but_for_the_end() -> None:
    turn = frames(limit=2)
    turn.add(Accepted())
    turn.add(Progress())
    with pytest.raises(OutboxFull):
        turn.add(Progress())
    assert turn.add(TurnEnded()) == 3


def test_offsets_count_code_points() -> None:
    text = RoundText(1)
    text.append("\N{GRINNING FACE}e\N{COMBINING ACUTE ACCENT}")
    assert text.take() == Piece(0, "\N{GRINNING FACE}e\N{COMBINING ACUTE ACCENT}")
    text.append("x")
    text.append("y")
    assert text.take() == Piece(3, "xy")
    assert text.take() is None


def test_a_lone_surrogate_does_not_reach_the_wire() -> None:
    text = RoundText(1)
    text.append("a\ud83d")
    assert text.whole() == "a?"
    assert text.take() == Piece(0, "a?")


def test_the_next_round_starts_empty_at_offset_0() -> None:
    text = RoundText(1)
    text.append("old")
    text.next_round()
    assert (text.round, text.whole(), text.take()) == (2, "", None)
    text.append("new")
    assert text.take() == Piece(0, "new")
