"""The grace of an interrupt is over: the server settles alone and raises the epoch."""

from steersman_server.core.turn import Forced, TurnState, decide
from steersman_server.core.values import InterruptId, TurnId
from steersman_server.store import sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.finish_turn import Alone, finish_turn


def force_interrupt(
    tx: Transaction, turn_id: TurnId, interrupt_id: InterruptId, alone: Alone
) -> None:
    """Changes nothing when the runner was quicker."""
    turn = turns.find(tx, turn_id)
    if turn is None or turn.state is not TurnState.INTERRUPTING:
        return
    if turn.interrupt_id != interrupt_id:
        return
    ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "server")
    finish_turn(tx, ledger, turn, decide(turn, Forced(), tx.now), alone=alone)
    ledger.close()
