"""The one transaction before a session is idle: history, turn, interrupt, status, what is next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from steersman_server.core.interrupt import Confirmed, ForcedAlone, Interrupt, StoppedTurn
from steersman_server.core.interrupt import decide as decide_interrupt
from steersman_server.core.items import Item
from steersman_server.core.notices import EpochOver, TurnReleased, TurnUnready
from steersman_server.core.session import STATUS_WITH
from steersman_server.core.settlement import (
    Pen,
    Settlement,
    partial_message,
    settle_ended,
    settle_interrupted,
)
from steersman_server.core.turn import HELD, Turn, TurnState
from steersman_server.core.values import Instant, ItemId
from steersman_server.store import interrupts, items, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.begin_turn import begin_waiting


@dataclass(frozen=True, slots=True)
class Alone:
    """The server settles without the runner: the text it relayed, and until when a
    machine that is cut off may still work."""

    text: str
    may_run_until: Instant


def finish_turn(
    tx: Transaction,
    ledger: Ledger,
    before: Turn,
    after: Turn,
    ending: Sequence[Item] = (),
    alone: Alone | None = None,
) -> Interrupt | None:
    """Record that the active turn `before` ended as `after`, and start what waits.

    Answers the interrupt that ended it, settled; None when it ended by itself.
    """
    interrupt = None
    if after.state is TurnState.INTERRUPTED and after.interrupt_id is not None:
        interrupt = interrupts.find(tx, after.interrupt_id)
    pen = Pen(before, ledger.actor, tx.now, lambda: ItemId(tx.new_id("item")))
    if alone is not None and alone.text and interrupt is not None:
        # Watchers may have seen more than reached us: the text says so.
        ending = (*ending, partial_message(pen, alone.text, truncated=True))
    _settle(ledger, before, _settlement(pen, interrupt, items.of_attempt(tx, before), ending))
    ledger.turn(before, replace(after, active=False))
    ledger.session = replace(
        ledger.session,
        active_turn_id=None,
        status=STATUS_WITH[after.state],
        last_error=after.error,
        usage=ledger.session.usage + after.usage,
    )
    if interrupt is not None:
        interrupt = _settled(tx, ledger, interrupt, after, alone)
    release(tx, before, fenced=alone is not None)
    if before.state is TurnState.QUEUED:
        tx.tell(TurnUnready(before.id))
    _begin_next(tx, ledger)
    return interrupt


def release(tx: Transaction, before: Turn, *, fenced: bool) -> None:
    """Tell the hub that the runner holds the turn no longer."""
    if before.state in HELD and before.runner_id is not None:
        tx.tell(TurnReleased(before.tenant, before.runner_id, before.id, before.epoch))
        if fenced:
            tx.tell(EpochOver(before.tenant, before.runner_id, before.id, before.epoch))


def _settlement(
    pen: Pen, interrupt: Interrupt | None, attempt: Sequence[Item], ending: Sequence[Item]
) -> Settlement:
    if interrupt is None:
        return settle_ended(pen, attempt, ending)
    return settle_interrupted(pen, interrupt.mode, attempt, ending)


def _settle(ledger: Ledger, turn: Turn, settlement: Settlement) -> None:
    for item in settlement.add:
        ledger.item(item)
    ledger.withdraw(turn, settlement.withdraw, "rollback")


def _settled(
    tx: Transaction, ledger: Ledger, interrupt: Interrupt, turn: Turn, alone: Alone | None
) -> Interrupt:
    stopped = (StoppedTurn(turn.session_id, turn.id, turn.state),)
    event = Confirmed(stopped) if alone is None else ForcedAlone(stopped, alone.may_run_until)
    settled = decide_interrupt(interrupt, event, tx.now)
    ledger.interrupt(interrupt, settled)
    return settled


def _begin_next(tx: Transaction, ledger: Ledger) -> None:
    waiting = turns.first_pending(tx, ledger.session.id) if ledger.session.waiting else None
    if waiting is not None:
        begin_waiting(tx, ledger, waiting, turns.get(tx, waiting.session_id, waiting.turn_id))
