"""The interrupt machine, and the status that a turn's state gives its session."""

from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_values import LATER, NOW, SESSION, TURN, an_interrupt

from steersman_server.core.events import EventKind, kind_of_interrupt, kind_of_turn
from steersman_server.core.interrupt import (
    SETTLED,
    Confirmed,
    Delivered,
    ForcedAlone,
    InterruptEvent,
    InterruptState,
    StoppedTurn,
    decide,
)
from steersman_server.core.refusals import SessionArchived
from steersman_server.core.session import STATUS_WITH, Session, SessionStatus
from steersman_server.core.turn import TERMINAL, TurnState
from steersman_server.core.values import Instant, Tenant, TurnId

STOPPED: Final = (StoppedTurn(SESSION, TURN, TurnState.INTERRUPTED),)
UNTIL: Final = Instant(LATER + 1)
EVENTS: Final[tuple[InterruptEvent, ...]] = (
    Delivered(),
    Confirmed(STOPPED),
    ForcedAlone(STOPPED, UNTIL),
)
S: Final = InterruptState
EXPECTED: Final = {
    (S.REQUESTED, Delivered): S.DELIVERED,
    (S.REQUESTED, Confirmed): S.CONFIRMED,
    (S.REQUESTED, ForcedAlone): S.FORCED,
    (S.DELIVERED, Confirmed): S.CONFIRMED,
    (S.DELIVERED, ForcedAlone): S.FORCED,
}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("state", InterruptState)
def test_an_interrupt_takes_what_moves_it_on_and_ignores_what_comes_late(
    state: InterruptState, event: InterruptEvent
) -> None:
    before = an_interrupt(state)
    after = decide(before, event, LATER)
    target = EXPECTED.get((state, type(event)))
    match target:
        case None:
            assert after is before
        case S.DELIVERED:
            assert after == replace(before, state=target, delivered_at=LATER)
        case S.CONFIRMED:
            assert after == replace(before, state=target, settled_at=LATER, stopped=STOPPED)
        case S.FORCED:
            settled = replace(before, state=target, settled_at=LATER, stopped=STOPPED)
            assert after == replace(settled, may_run_until=UNTIL)


@given(st.lists(st.sampled_from(EVENTS), max_size=10))
def test_an_interrupt_settles_once_and_stays_as_it_was_settled(
    events: list[InterruptEvent],
) -> None:
    interrupt = an_interrupt()
    for at, event in enumerate(events):
        before = interrupt
        interrupt = decide(interrupt, event, Instant(NOW + at))
        assert (interrupt.settled_at is not None) == (interrupt.state in SETTLED)
        if before.state in SETTLED:
            assert interrupt is before
        if before.delivered_at is not None:
            assert interrupt.delivered_at == before.delivered_at


@pytest.mark.parametrize("state", TurnState)
def test_a_session_is_what_its_turn_makes_it(state: TurnState) -> None:
    if state not in TERMINAL:
        waits = state is TurnState.WAITING
        expected = SessionStatus.WAITING if waits else SessionStatus.RUNNING
    else:
        failed = state is TurnState.FAILED
        expected = SessionStatus.FAILED if failed else SessionStatus.IDLE
    assert STATUS_WITH[state] is expected


def test_every_state_of_a_turn_and_of_an_interrupt_has_its_event() -> None:
    assert {kind_of_turn(state) for state in TurnState} <= set(EventKind)
    with_event = set(InterruptState) - {InterruptState.ALREADY_IDLE}
    assert {kind_of_interrupt(state) for state in with_event} <= set(EventKind)


def test_an_archived_session_takes_no_message_and_an_active_turn_makes_it_busy() -> None:
    session = Session(SESSION, Tenant("default"), "helper", 1, NOW, NOW)
    session.open_for_messages()
    assert not session.busy
    assert replace(session, active_turn_id=TurnId("turn_1")).busy
    with pytest.raises(SessionArchived):
        replace(session, archived_at=NOW).open_for_messages()
