"""The runner has the stop."""

from steersman_server.core.interrupt import Delivered, decide
from steersman_server.core.turn import hold
from steersman_server.core.values import Epoch, InterruptId, RunnerId, TurnId
from steersman_server.store import interrupts, sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction


def deliver_interrupt(
    tx: Transaction, runner_id: RunnerId, turn_id: TurnId, epoch: Epoch, interrupt_id: InterruptId
) -> None:
    """Raises LeaseLost when the epoch is over; a second receipt changes nothing."""
    turn = turns.find(tx, turn_id)
    interrupt = interrupts.find(tx, interrupt_id)
    if turn is None or interrupt is None or interrupt.turn_id != turn.id:
        return
    hold(turn, runner_id, epoch)
    delivered = decide(interrupt, Delivered(), tx.now)
    if delivered is interrupt:
        return
    ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), runner_id)
    ledger.interrupt(interrupt, delivered)
    ledger.close()
