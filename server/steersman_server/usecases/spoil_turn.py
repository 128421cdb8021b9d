"""A runner reported what cannot be: the turn fails, rather than being tried for ever."""

from steersman_server.core.refusals import LeaseLost
from steersman_server.core.turn import Failed, decide, hold
from steersman_server.core.values import Epoch, Failure, FailureKind, RunnerId, TurnId, Usage
from steersman_server.store import sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.finish_turn import finish_turn


def spoil_turn(
    tx: Transaction, runner_id: RunnerId, turn_id: TurnId, epoch: Epoch, problem: str
) -> None:
    """Fail a turn whose frame does not fit it; changes nothing when the epoch is over."""
    turn = turns.find(tx, turn_id)
    if turn is None:
        return
    try:
        hold(turn, runner_id, epoch)
    except LeaseLost:
        return
    ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "server")
    failure = Failure(FailureKind.INTERNAL, "protocol", f"the runner reported: {problem}")
    finish_turn(tx, ledger, turn, decide(turn, Failed(failure, "error", Usage()), tx.now))
    ledger.close()
