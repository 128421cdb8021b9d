"""The text of rounds in flight: what is new of a delta, and what belongs to another round."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_values import TURN, a_turn

from steersman_server.core.livetext import Delta, LiveText
from steersman_server.core.values import Epoch, TurnId

EPOCH: Final = Epoch(2)


def delta(offset: int, text: str, *, round_: int = 4, number: int = 1) -> Delta:
    return Delta(TURN, 1, number, round_, offset, text)


def text_of(live: LiveText) -> str:
    at = live.of(TURN)
    return "" if at is None else at.text


def test_a_delta_that_overlaps_is_trimmed_to_what_is_new() -> None:
    live = LiveText()
    assert live.take(delta(0, "hello"), EPOCH) == delta(0, "hello")
    assert live.take(delta(3, "lo wor"), EPOCH) == delta(5, " wor")
    assert live.take(delta(0, "hello"), EPOCH) is None
    assert live.take(delta(9, ""), EPOCH) is None
    assert text_of(live) == "hello wor"


def test_offsets_count_code_points() -> None:
    live = LiveText()
    live.take(delta(0, "a🚢é"), EPOCH)
    assert live.take(delta(3, "n"), EPOCH) == delta(3, "n")
    assert live.take(delta(1, "🚢én!"), EPOCH) == delta(4, "!")


def test_a_delta_behind_a_gap_is_dropped() -> None:
    live = LiveText()
    assert live.take(delta(2, "lost its start"), EPOCH) is None
    assert live.of(TURN) is None
    live.take(delta(0, "ab"), EPOCH)
    assert live.take(delta(3, "d"), EPOCH) is None
    assert text_of(live) == "ab"


@pytest.mark.parametrize(
    ("begins", "epoch"),
    [
        (delta(0, "new", round_=5), EPOCH),
        (delta(0, "new", number=2), EPOCH),
        (delta(0, "new"), Epoch(3)),
    ],
    ids=["round", "try", "epoch"],
)
def test_another_round_try_or_epoch_begins_from_nothing(begins: Delta, epoch: Epoch) -> None:
    live = LiveText()
    live.take(delta(0, "the old text"), EPOCH)
    assert live.take(begins, epoch) == begins
    assert text_of(live) == "new"


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_whatever_arrives_twice_or_cut_the_text_is_a_prefix_without_holes(
    whole: str, cuts: list[tuple[int, int]]
) -> None:
    live = LiveText()
    told = ""
    for start, length in cuts:
        fresh = live.take(delta(start, whole[start : start + length]), EPOCH)
        if fresh is not None:
            assert fresh.offset == len(told)
            told += fresh.text
    assert whole.startswith(told)
    assert text_of(live) == told


def test_text_of_a_committed_round_or_an_old_epoch_is_not_in_flight() -> None:
    live = LiveText()
    live.take(delta(0, "text"), EPOCH)
    flying = live.of_turn(a_turn(round=3))
    assert flying is not None
    assert (flying.text, flying.length) == ("text", 4)
    assert live.of_turn(a_turn(round=4)) is None
    assert live.of_turn(a_turn(epoch=Epoch(3))) is None
    assert live.of_turn(a_turn(id=TurnId("turn_2"))) is None


def test_what_a_returning_runner_holds_replaces_what_was_relayed() -> None:
    live = LiveText()
    live.take(delta(0, "half"), EPOCH)
    live.hold(a_turn(), 4, "half and more")
    assert live.take(delta(9, "more!"), EPOCH) == delta(13, "!")
    live.forget(TURN)
    assert live.of(TURN) is None
    live.forget(TURN)
