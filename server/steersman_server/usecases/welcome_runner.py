"""A runner says hello: what it works on is held against the record."""

from collections.abc import Sequence

from steersman_server.core.interrupt import Interrupt
from steersman_server.core.notices import RunnerWelcomed
from steersman_server.core.reconciliation import Held, Reconciled, Verdict
from steersman_server.core.runner import Runner
from steersman_server.core.turn import Turn, TurnState
from steersman_server.store import interrupts, runners, turns
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.assign_turn import assignment_of


def welcome_runner(tx: Transaction, runner: Runner, working_on: Sequence[Held]) -> Reconciled:
    """Record the runner and decide for each turn that either side thinks it holds."""
    known = runners.find(tx, runner.tenant, runner.id)
    same_process = known is not None and known.generation == runner.generation
    runners.put(tx, runner)
    ours = {turn.id: turn for turn in turns.held_by(tx, runner.tenant, runner.id)}
    verdicts = tuple(_verdict(held, ours.get(held.turn_id)) for held in working_on)
    both = {verdict.turn_id for verdict in verdicts if verdict.keep}
    kept = [ours[turn_id] for turn_id in ours if turn_id in both]
    missing = [turn for turn_id, turn in ours.items() if turn_id not in both]
    unsent = [t for t in missing if same_process and t.state is TurnState.ASSIGNED]
    stops = ((turn, _standing(tx, turn)) for turn in kept)
    agreed = Reconciled(
        verdicts=verdicts,
        kept=tuple(kept),
        starts=tuple(assignment_of(tx, turn) for turn in unsent),
        stops=tuple((turn, interrupt) for turn, interrupt in stops if interrupt is not None),
        lost=tuple(turn for turn in missing if turn not in unsent),
    )
    tx.tell(RunnerWelcomed(runner, agreed))
    return agreed


def _verdict(held: Held, turn: Turn | None) -> Verdict:
    keep = turn is not None and turn.epoch == held.epoch
    acknowledged = turn.frame if keep and turn is not None else 0
    return Verdict(held.turn_id, held.epoch, keep, acknowledged)


def _standing(tx: Transaction, turn: Turn) -> Interrupt | None:
    if turn.state is not TurnState.INTERRUPTING:
        return None
    return interrupts.of_attempt(tx, turn.id, turn.attempt)
