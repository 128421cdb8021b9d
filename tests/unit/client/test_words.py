"""Enum words, kinds and texts."""

import pytest

import steersman
from steersman.v1.event_pb2 import Event
from steersman.v1.interrupt_pb2 import InterruptWait
from steersman.v1.item_pb2 import ContentBlock, Item
from steersman.v1.turn_pb2 import Turn
from steersman.words import proto_name


def test_an_enum_reads_as_its_short_word() -> None:
    assert steersman.short(Turn(state="TURN_STATE_BACKING_OFF"), "state") == "backing_off"
    assert steersman.kind(Event(kind="EVENT_KIND_TURN_COMPLETED")) == "turn_completed"


def test_a_value_of_a_newer_server_reads_as_its_number() -> None:
    turn = Turn()
    turn.state = 99  # type: ignore[assignment]
    assert steersman.short(turn, "state") == "99"


@pytest.mark.parametrize("word", ["settled", "SETTLED", "INTERRUPT_WAIT_SETTLED"])
def test_short_and_full_words_are_accepted(word: str) -> None:
    assert proto_name(InterruptWait, word) == "INTERRUPT_WAIT_SETTLED"


@pytest.mark.parametrize("word", ["forever", "", "unspecified"])
def test_any_other_word_is_refused_with_those_allowed(word: str) -> None:
    with pytest.raises(ValueError, match="allowed: none, delivered, settled"):
        proto_name(InterruptWait, word)


def test_no_word_means_unset() -> None:
    assert proto_name(InterruptWait, None) is None


def test_the_text_of_an_item_is_its_content_or_its_output() -> None:
    blocks = [ContentBlock(text="a"), ContentBlock(text="b")]
    assert steersman.text(Item(content=blocks)) == "ab"
    assert steersman.text(Item(output="9")) == "9"
