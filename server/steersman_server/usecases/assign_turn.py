"""Giving a queued turn to a runner. It counts when the runner accepts."""

from steersman_server.core.agent import DEFAULT_CONTEXT_ITEMS
from steersman_server.core.assignment import Assignment
from steersman_server.core.items import open_calls
from steersman_server.core.notices import StartWanted
from steersman_server.core.turn import Assigned, Turn, TurnState, decide
from steersman_server.core.values import RunnerId, TurnId
from steersman_server.store import agents, items, sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction


def assign_turn(tx: Transaction, turn_id: TurnId, runner_id: RunnerId) -> bool:
    """Assign the turn under a new epoch; False when it is not queued any more."""
    turn = turns.find(tx, turn_id)
    if turn is None or turn.state is not TurnState.QUEUED or not turn.active:
        return False
    ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "server")
    after = decide(turn, Assigned(runner_id), tx.now)
    ledger.turn(turn, after)
    # By notice, so that a stop committed later is sent later; and before the ledger's, so
    # that the runner does not wait until every watcher has been told.
    tx.tell(StartWanted(assignment_of(tx, after)))
    ledger.close()
    return True


def assignment_of(tx: Transaction, turn: Turn) -> Assignment:
    """What to send to the runner that has the turn."""
    session = sessions.get_any(tx, turn.session_id)
    agent = agents.version(tx, session.tenant, session.agent, session.agent_version)
    history = items.context(tx, turn, agent.spec.context_items or DEFAULT_CONTEXT_ITEMS)
    started = frozenset(call.id for call in open_calls(history) if call.started_at is not None)
    return Assignment(turn, agent, tuple(history), started)
