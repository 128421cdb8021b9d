"""A lease has ended: the turn moves, fails, or its interrupt is settled alone."""

from steersman_server.core.agent import RunnerLossPolicy
from steersman_server.core.session import Session
from steersman_server.core.turn import HELD, TERMINAL, Moved, RunnerLost, decide
from steersman_server.core.values import Epoch, TurnId
from steersman_server.store import agents, sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.finish_turn import Alone, finish_turn
from steersman_server.usecases.take_frame import hand_back


def lose_turn(tx: Transaction, turn_id: TurnId, epoch: Epoch, alone: Alone) -> None:
    """Take the turn from the runner that held it under `epoch`.

    Changes nothing when that epoch is over already. `alone` tells what watchers
    saw of the round in flight, for an interrupt that nobody will confirm now.
    """
    turn = turns.find(tx, turn_id)
    if turn is None or turn.epoch != epoch or turn.state not in HELD:
        return
    session = sessions.get_any(tx, turn.session_id)
    ledger = Ledger(tx, session, "server")
    after = decide(turn, _policy(tx, session), tx.now)
    if after.state in TERMINAL:
        finish_turn(tx, ledger, turn, after, alone=alone)
    else:
        hand_back(tx, ledger, turn, after, fenced=True)
    ledger.close()


def _policy(tx: Transaction, session: Session) -> Moved | RunnerLost:
    agent = agents.version(tx, session.tenant, session.agent, session.agent_version)
    fails = agent.spec.on_runner_loss is RunnerLossPolicy.FAIL
    return RunnerLost() if fails else Moved()
