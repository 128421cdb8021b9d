"""Interrupt: a durable wish to stop, bound to the attempt that it was made for."""

from dataclasses import dataclass, replace

from steersman_server.core.interrupt import (
    Confirmed,
    Interrupt,
    InterruptMode,
    InterruptState,
    StoppedTurn,
)
from steersman_server.core.interrupt import decide as decide_interrupt
from steersman_server.core.items import PendingInput
from steersman_server.core.notices import InterruptOpen, StopWanted
from steersman_server.core.refusals import NotFound, TurnNotActive
from steersman_server.core.session import Session
from steersman_server.core.turn import (
    IllegalTransition,
    InterruptRequested,
    Turn,
    TurnState,
    allowed_states,
    decide,
)
from steersman_server.core.values import Caller, InterruptId
from steersman_server.store import interrupts, sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.finish_turn import finish_turn


@dataclass(frozen=True, slots=True)
class Wish:
    """How to stop: what stays of the attempt, and of the inputs that wait."""

    mode: InterruptMode = InterruptMode.KEEP
    keep_queued: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class InterruptTurn:
    caller: Caller
    session_id: str
    wish: Wish
    turn_id: str = ""
    attempt: int | None = None


def interrupt_turn(tx: Transaction, command: InterruptTurn) -> Interrupt:
    """Ask a turn to stop; answers the Interrupt that is ending, or has ended, its attempt.

    Raises NotFound (session, turn, attempt) and TurnNotActive when the attempt
    ended by itself.
    """
    session = sessions.get(tx, command.caller.tenant, command.session_id)
    turn_id = command.turn_id or session.active_turn_id
    if not turn_id:
        return _already_idle(tx, session, command)
    turn = turns.get(tx, session.id, turn_id)
    attempt = turn.attempt if command.attempt is None else command.attempt
    if not 1 <= attempt <= turn.attempt:
        raise NotFound("attempt", f"{attempt} of turn {turn.id}")
    standing = _standing(tx, turn, attempt)
    if standing is not None:
        return standing
    if attempt < turn.attempt:
        raise _not_active(turn, attempt, TurnState.FAILED)
    ledger = Ledger(tx, session, command.caller.name)
    stop = stop_active if turn.active else _withdraw_waiting
    interrupt = stop(tx, ledger, turn, command.wish)
    ledger.close()
    return interrupt


def _standing(tx: Transaction, turn: Turn, attempt: int) -> Interrupt | None:
    """The interrupt that is ending, or has ended, this attempt, or dropped its input."""
    own = interrupts.of_attempt(tx, turn.id, attempt)
    if own is None and attempt == turn.attempt and turn.interrupt_id is not None:
        return interrupts.find(tx, turn.interrupt_id)
    return own


def stop_active(tx: Transaction, ledger: Ledger, turn: Turn, wish: Wish) -> Interrupt:
    """Stop the session's active turn, within a unit of work that may do more.

    Answers the standing Interrupt when one is ending the turn already.
    """
    standing = interrupts.of_attempt(tx, turn.id, turn.attempt)
    if standing is not None:
        return standing
    interrupt = _interrupt(tx, ledger, turn, wish)
    after = _requested(tx, turn, interrupt.id)
    dropped = () if wish.keep_queued else tuple(turns.pending(tx, turn.session_id))
    interrupt = replace(interrupt, dropped_inputs=dropped)
    ledger.new_interrupt(interrupt)
    for waiting in dropped:
        _drop(tx, ledger, waiting, interrupt.id)
    if after.state is TurnState.INTERRUPTED:  # no runner has it
        settled = finish_turn(tx, ledger, turn, after)
        assert settled is not None  # noqa: S101  (an interrupted turn has its interrupt)
        return settled
    ledger.turn(turn, after)
    assert turn.runner_id is not None  # noqa: S101  (interrupting is a held state)
    tx.tell(StopWanted(turn.tenant, turn.runner_id, turn.id, turn.epoch, interrupt.id, wish.mode))
    tx.tell(InterruptOpen(turn.id, interrupt.id))
    return interrupt


def _withdraw_waiting(tx: Transaction, ledger: Ledger, turn: Turn, wish: Wish) -> Interrupt:
    """A turn that waits behind the active one is stopped by dropping its input alone."""
    interrupt = _interrupt(tx, ledger, turn, wish)
    after = _requested(tx, turn, interrupt.id)
    dropped = tuple(w for w in turns.pending(tx, turn.session_id) if w.turn_id == turn.id)
    interrupt = replace(interrupt, dropped_inputs=dropped)
    ledger.new_interrupt(interrupt)
    for waiting in dropped:
        _drop(tx, ledger, waiting, interrupt.id)
    stopped = (StoppedTurn(turn.session_id, turn.id, after.state),)
    settled = decide_interrupt(interrupt, Confirmed(stopped), tx.now)
    ledger.interrupt(interrupt, settled)
    return settled


def _drop(tx: Transaction, ledger: Ledger, waiting: PendingInput, by: InterruptId) -> None:
    turn = turns.get(tx, waiting.session_id, waiting.turn_id)
    ledger.drop_input(waiting, turn.attempt)
    after = replace(_requested(tx, turn, by), stop_reason="dropped")
    ledger.turn(turn, after)


def _requested(tx: Transaction, turn: Turn, interrupt_id: InterruptId) -> Turn:
    try:
        return decide(turn, InterruptRequested(interrupt_id), tx.now)
    except IllegalTransition:
        raise _not_active(turn, turn.attempt, turn.state) from None


def _not_active(turn: Turn, attempt: int, state: TurnState) -> TurnNotActive:
    return TurnNotActive(turn.id, attempt, state, allowed_states(InterruptRequested))


def _interrupt(tx: Transaction, ledger: Ledger, turn: Turn, wish: Wish) -> Interrupt:
    return Interrupt(
        id=InterruptId(tx.new_id("int")),
        tenant=turn.tenant,
        session_id=turn.session_id,
        state=InterruptState.REQUESTED,
        mode=wish.mode,
        reason=wish.reason,
        actor=ledger.actor,
        requested_at=tx.now,
        turn_id=turn.id,
        attempt=turn.attempt,
    )


def _already_idle(tx: Transaction, session: Session, command: InterruptTurn) -> Interrupt:
    interrupt = Interrupt(
        id=InterruptId(tx.new_id("int")),
        tenant=session.tenant,
        session_id=session.id,
        state=InterruptState.ALREADY_IDLE,
        mode=command.wish.mode,
        reason=command.wish.reason,
        actor=command.caller.name,
        requested_at=tx.now,
        settled_at=tx.now,
    )
    interrupts.add(tx, interrupt)
    return interrupt
