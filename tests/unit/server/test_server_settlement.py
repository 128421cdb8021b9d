"""What history holds when an attempt has ended: random attempts, the rules of a valid history."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Final, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from server_values import LATER, a_call, a_turn, an_output, said

from steersman_server.core.interrupt import InterruptMode
from steersman_server.core.items import Item, ItemRole, ItemStatus, ItemType, open_calls
from steersman_server.core.settlement import (
    Pen,
    Settlement,
    partial_message,
    settle_ended,
    settle_interrupted,
)
from steersman_server.core.values import ItemId

KEEP: Final = InterruptMode.KEEP
ROLLBACK: Final = InterruptMode.ROLLBACK


class Case(NamedTuple):
    """What history holds of the attempt, and what its end brought."""

    attempt: tuple[Item, ...]
    ending: tuple[Item, ...]


def a_pen() -> Pen:
    numbers = count(1)
    return Pen(a_turn(), "client", LATER, lambda: ItemId(f"item_new{next(numbers)}"))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Some whole rounds, one whose calls are answered in part, and an end of any kind."""
    attempt: list[Item] = []
    for number in range(draw(st.integers(0, 3))):
        attempt += _round(number, draw(st.lists(st.just(True), max_size=3)))
    attempt += _round(9, draw(st.lists(st.booleans(), max_size=4)))
    ending: list[Item] = []
    match draw(st.sampled_from(["nothing", "partial", "answer", "calls"])):
        case "partial":
            ending = [said("item_end", "so far", whole=False, round=10)]
        case "answer":
            ending = [said("item_end", "done", round=10)]
        case "calls":
            ending = [said("item_end", "let me see", round=10), a_call("item_endcall", round=10)]
    return Case(tuple(attempt), tuple(ending))


def _round(number: int, answered: Sequence[bool]) -> list[Item]:
    calls = [a_call(f"item_{number}c{i}", round=number) for i in range(len(answered))]
    outputs = [
        an_output(f"item_{number}o{i}", of=calls[i].id, round=number)
        for i, done in enumerate(answered)
        if done
    ]
    return [said(f"item_{number}m", "hm", round=number), *calls, *outputs]


def history(case: Case, settlement: Settlement) -> list[Item]:
    """What a model would get afterwards."""
    return [i for i in (*case.attempt, *settlement.add) if i.id not in settlement.withdraw]


def outputs_of(items: Sequence[Item], call: Item) -> list[Item]:
    return [i for i in items if i.call_item_id == call.id]


def assert_every_call_has_exactly_one_output(items: Sequence[Item]) -> None:
    for call in items:
        if call.type is ItemType.FUNCTION_CALL:
            answers = outputs_of(items, call)
            assert len(answers) == 1
            assert items.index(answers[0]) > items.index(call)


def assert_outputs_stand_behind_their_round(case: Case, settlement: Settlement) -> None:
    """A synthetic output comes before everything that is later than its round."""
    whole = [*case.attempt, *settlement.add]
    for at, item in enumerate(whole):
        if item.synthetic and not item.marker:
            assert all(earlier.round <= item.round for earlier in whole[:at])
            assert all(later.round >= item.round or later.marker for later in whole[at:])


def assert_is_made_up(output: Item, call: Item) -> None:
    assert output.synthetic
    assert output.status is ItemStatus.INCOMPLETE
    assert (output.name, output.call_id, output.round) == (call.name, call.call_id, call.round)
    assert (output.actor, output.created_at, output.attempt) == ("client", LATER, 1)
    assert output.output


@given(cases())
def test_keep_leaves_one_output_for_every_call_and_one_marker_last(case: Case) -> None:
    settlement = settle_interrupted(a_pen(), KEEP, case.attempt, case.ending)
    after = history(case, settlement)
    assert settlement.withdraw == ()
    assert_every_call_has_exactly_one_output(after)
    assert_outputs_stand_behind_their_round(case, settlement)
    assert [i for i in settlement.add if i in case.ending] == list(case.ending)
    for call in open_calls([*case.attempt, *case.ending]):
        assert_is_made_up(outputs_of(after, call)[0], call)
    markers = [i for i in after if i.marker]
    assert markers == [after[-1]]
    assert after[-1].marker == "interrupted"
    assert after[-1].role is ItemRole.USER
    assert after[-1].synthetic
    assert after[-1].status is ItemStatus.COMPLETED


def test_the_marker_says_that_the_request_was_abandoned_and_may_be_incomplete() -> None:
    marker = settle_interrupted(a_pen(), KEEP, (), ()).add[-1]
    text = marker.content[0].text
    assert marker.content[0].type == "input_text"
    assert all(word in text for word in ("interrupted", "abandoned", "incomplete"))


@given(cases())
def test_rollback_leaves_no_marker_no_partial_text_and_no_call_without_a_real_output(
    case: Case,
) -> None:
    settlement = settle_interrupted(a_pen(), ROLLBACK, case.attempt, case.ending)
    after = history(case, settlement)
    assert_every_call_has_exactly_one_output(after)
    assert not any(i.marker or i.synthetic for i in after)
    assert all(i.status is ItemStatus.COMPLETED for i in after)
    kept = {i.id for i in case.attempt if i.type is not ItemType.FUNCTION_CALL}
    assert kept <= {i.id for i in after}, "a real output or a message was lost"
    withdrawn = {i.id for i in open_calls([*case.attempt, *case.ending])}
    assert set(settlement.withdraw) == withdrawn


@given(cases())
def test_an_attempt_that_ended_by_itself_leaves_no_call_open_and_no_marker(case: Case) -> None:
    settlement = settle_ended(a_pen(), case.attempt, case.ending)
    after = history(case, settlement)
    assert settlement.withdraw == ()
    assert_every_call_has_exactly_one_output(after)
    assert_outputs_stand_behind_their_round(case, settlement)
    assert not any(i.marker for i in after)


def test_partial_text_is_an_incomplete_message_of_the_next_round() -> None:
    message = partial_message(a_pen(), "so far", truncated=True)
    assert message.role is ItemRole.ASSISTANT
    assert message.status is ItemStatus.INCOMPLETE
    assert message.truncated
    assert message.round == a_turn().round + 1
    assert [b.text for b in message.content] == ["so far"]
    assert not partial_message(a_pen(), "so far", truncated=False).truncated


def test_calls_are_told_apart_by_item_id_for_providers_reuse_call_ids() -> None:
    first, second = a_call("item_a"), a_call("item_b")
    assert first.call_id == second.call_id
    assert open_calls([first, second, an_output("item_o", of="item_a")]) == [second]


def test_a_withdrawn_output_answers_nothing_and_a_withdrawn_call_is_not_open() -> None:
    call = a_call("item_a")
    output = an_output("item_o", of="item_a")
    assert open_calls([call, replace(output, withdrawn_at=LATER)]) == [call]
    assert open_calls([replace(call, withdrawn_at=LATER)]) == []
