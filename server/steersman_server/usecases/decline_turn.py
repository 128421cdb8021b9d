"""A runner does not take the turn: it goes back to the queue, or the stop is done."""

from steersman_server.core.turn import TERMINAL, Declined, decide, hold
from steersman_server.core.values import Epoch, RunnerId, TurnId
from steersman_server.store import sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.finish_turn import finish_turn
from steersman_server.usecases.take_frame import hand_back


def decline_turn(tx: Transaction, runner_id: RunnerId, turn_id: TurnId, epoch: Epoch) -> None:
    """Raises LeaseLost when the epoch is over."""
    turn = turns.find(tx, turn_id)
    if turn is None:
        return
    hold(turn, runner_id, epoch)
    ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), runner_id)
    after = decide(turn, Declined(), tx.now)
    if after.state in TERMINAL:
        finish_turn(tx, ledger, turn, after)
    else:
        hand_back(tx, ledger, turn, after)
    ledger.close()
