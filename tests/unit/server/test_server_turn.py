"""The turn machine: every event in every state, against a table written by hand."""

from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_values import LATER, NOW, RUNNER, a_turn

from steersman_server.core.refusals import LeaseLost
from steersman_server.core.turn import (
    FENCING,
    HELD,
    TERMINAL,
    TRANSITIONS,
    Accepted,
    Assigned,
    Completed,
    Declined,
    Failed,
    Forced,
    IllegalTransition,
    InterruptRequested,
    Moved,
    RunnerLost,
    Stopped,
    Turn,
    TurnEvent,
    TurnState,
    allowed_states,
    decide,
    hold,
)
from steersman_server.core.values import (
    RUNNER_LOST,
    Failure,
    FailureKind,
    InterruptId,
    RunnerId,
    Usage,
)

SPENT: Final = Usage(input_tokens=5, output_tokens=2)
BROKEN: Final = Failure(FailureKind.PERMANENT, "context_length", "too long", 400)

EVENTS: Final[dict[str, TurnEvent]] = {
    "assigned": Assigned(RunnerId("runner-2")),
    "accepted": Accepted(),
    "declined": Declined(),
    "interrupt": InterruptRequested(InterruptId("int_2")),
    "completed": Completed("end_turn", SPENT),
    "failed": Failed(BROKEN, "error", SPENT),
    "stopped": Stopped(SPENT),
    "forced": Forced(),
    "lost": RunnerLost(),
    "moved": Moved(),
}

TABLE: Final = """
             assigned accepted     declined    interrupt    completed   failed      stopped     forced      lost        moved
queued       assigned .            .           interrupted  .           .           .           .           .           .
assigned     .        running      queued      interrupting .           failed      .           .           failed      queued
running      .        .            .           interrupting completed   failed      queued      .           failed      queued
backing_off  .        .            .           interrupting .           failed      queued      .           failed      queued
waiting      .        .            .           interrupted  .           .           .           .           .           .
interrupting .        interrupting interrupted interrupting interrupted interrupted interrupted interrupted interrupted interrupted
completed    .        .            .           .            .           .           .           .           .           .
failed       .        .            .           .            .           .           .           .           .           .
interrupted  .        .            .           interrupted  .           .           .           .           .           .
"""  # noqa: E501  (a table)


def cells() -> dict[tuple[TurnState, str], TurnState | None]:
    head, *lines = [line.split() for line in TABLE.strip().splitlines()]
    return {
        (TurnState(state), event): None if after == "." else TurnState(after)
        for state, *afters in lines
        for event, after in zip(head, afters, strict=True)
    }


EXPECTED: Final = cells()
ILLEGAL: Final = [cell for cell, after in EXPECTED.items() if after is None]
LEGAL: Final = [cell for cell, after in EXPECTED.items() if after is not None]


def facts_of(before: Turn, name: str) -> dict[str, Any]:
    """What the event itself brings, whatever state it leads to."""
    spent = before.usage + SPENT
    facts: dict[str, dict[str, Any]] = {
        "assigned": {"runner_id": RunnerId("runner-2"), "try_number": before.try_number + 1},
        "interrupt": {"interrupt_id": InterruptId("int_2")},
        "completed": {"stop_reason": "end_turn", "usage": spent},
        "failed": {"error": BROKEN, "stop_reason": "error", "usage": spent},
        "stopped": {"usage": spent},
        "lost": {"error": RUNNER_LOST, "stop_reason": "runner_lost"},
        "accepted": {"started_at": LATER},
    }
    return facts.get(name, {})


def test_the_table_names_every_state_and_every_event() -> None:
    named = {type(event) for event in EVENTS.values()}
    assert {state for state, _ in EXPECTED} == set(TurnState)
    assert {event for _, event in TRANSITIONS} <= named
    assert len(EXPECTED) == len(TurnState) * len(EVENTS)


@pytest.mark.parametrize(("state", "name"), ILLEGAL)
def test_an_event_without_a_place_is_refused_with_the_states_that_take_it(
    state: TurnState, name: str
) -> None:
    with pytest.raises(IllegalTransition) as refused:
        decide(a_turn(state), EVENTS[name], LATER)
    takes = tuple(s for s in TurnState if EXPECTED[s, name] is not None)
    assert refused.value.allowed == takes == allowed_states(type(EVENTS[name]))
    assert refused.value.turn.state is state


@pytest.mark.parametrize(("state", "name"), LEGAL)
def test_an_event_with_a_place_brings_its_facts_and_nothing_else(
    state: TurnState, name: str
) -> None:
    before = a_turn(state)
    after = decide(before, EVENTS[name], LATER)
    target = EXPECTED[state, name]
    if target is state:
        assert after is before
        return
    facts: dict[str, Any] = {"state": target, **facts_of(before, name)}
    if name in {"assigned", "declined", "stopped", "forced", "lost", "moved"}:
        facts |= {"epoch": before.epoch + 1, "frame": 0}
    if target in {TurnState.COMPLETED, TurnState.FAILED, TurnState.INTERRUPTED}:
        facts["ended_at"] = LATER
    if target is TurnState.INTERRUPTED:
        facts |= {"stop_reason": "interrupted", "error": None}
    assert after == replace(before, **facts)


def test_a_move_keeps_when_the_turn_first_started() -> None:
    moved = decide(a_turn(started_at=NOW), Moved(), LATER)
    again = decide(decide(moved, EVENTS["assigned"], LATER), Accepted(), LATER)
    assert (again.started_at, again.epoch, again.try_number) == (NOW, 4, 2)


def test_once_interrupting_only_interrupted_can_follow() -> None:
    reached = {after for (state, _), after in TRANSITIONS.items() if state == "interrupting"}
    assert reached == {TurnState.INTERRUPTING, TurnState.INTERRUPTED}


def test_terminal_states_absorb_but_for_the_second_interrupt() -> None:
    out = {(state, event) for state, event in TRANSITIONS if state in TERMINAL}
    assert out == {(TurnState.INTERRUPTED, InterruptRequested)}


@given(st.lists(st.sampled_from(sorted(EVENTS)), max_size=30))
def test_no_sequence_of_events_breaks_an_ended_or_stopping_attempt(names: list[str]) -> None:
    turn = a_turn(TurnState.QUEUED)
    for name in names:
        before = turn
        try:
            turn = decide(turn, EVENTS[name], LATER)
        except IllegalTransition:
            continue
        assert turn.epoch >= before.epoch
        assert (turn.ended_at is not None) == (turn.state in TERMINAL)
        if before.state in TERMINAL:
            assert turn is before
        if before.state is TurnState.INTERRUPTING:
            assert turn.state in {TurnState.INTERRUPTING, TurnState.INTERRUPTED}
        if before.state in HELD and turn.state not in HELD | TERMINAL:
            assert turn.epoch > before.epoch, "a turn given back keeps its old epoch"


@pytest.mark.parametrize("state", TurnState)
def test_only_the_runner_of_this_epoch_holds_the_turn_and_only_while_it_is_held(
    state: TurnState,
) -> None:
    turn = a_turn(state, runner_id=RUNNER)
    if state in {"assigned", "running", "backing_off", "interrupting"}:
        hold(turn, RUNNER, 2)
    else:
        with pytest.raises(LeaseLost):
            hold(turn, RUNNER, 2)
    for runner_id, epoch in ((RunnerId("other"), 2), (RUNNER, 1), (RUNNER, 3)):
        with pytest.raises(LeaseLost):
            hold(turn, runner_id, epoch)


def test_every_event_that_takes_the_turn_from_its_runner_fences_it() -> None:
    for (state, event), after in TRANSITIONS.items():
        if state in HELD and after is TurnState.QUEUED:
            assert event in FENCING
