"""A runner says hello: what it works on is held against the record."""

from collections.abc import Sequence
from dataclasses import dataclass

from steersman_server.core.assignment import Assignment
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.runner import Runner
from steersman_server.core.turn import Turn, TurnState
from steersman_server.core.values import Epoch, TurnId
from steersman_server.store import interrupts, runners, turns
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.assign_turn import assignment_of


@dataclass(frozen=True, slots=True)
class Held:
    """A turn that the runner says it works on."""

    turn_id: TurnId
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class Verdict:
    """Go on, resending from the frame after `acknowledged`; or drop the turn."""

    turn_id: TurnId
    epoch: Epoch
    keep: bool
    acknowledged: int


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What both sides hold after a hello.

    `starts` are assignments whose frame was lost with the old stream; `stops` are
    interrupts to send again; `lost` are turns that the runner no longer has.
    """

    verdicts: tuple[Verdict, ...]
    kept: tuple[Turn, ...]
    starts: tuple[Assignment, ...]
    stops: tuple[tuple[Turn, Interrupt], ...]
    lost: tuple[Turn, ...]


def welcome_runner(tx: Transaction, runner: Runner, working_on: Sequence[Held]) -> Reconciled:
    """Record the runner and decide for each turn that either side thinks it holds."""
    known = runners.find(tx, runner.tenant, runner.id)
    same_process = known is not None and known.generation == runner.generation
    runners.put(tx, runner)
    ours = {turn.id: turn for turn in turns.held_by(tx, runner.tenant, runner.id)}
    verdicts = tuple(_verdict(held, ours.get(held.turn_id)) for held in working_on)
    agreed = {verdict.turn_id for verdict in verdicts if verdict.keep}
    kept = [ours[turn_id] for turn_id in ours if turn_id in agreed]
    missing = [turn for turn_id, turn in ours.items() if turn_id not in agreed]
    unsent = [t for t in missing if same_process and t.state is TurnState.ASSIGNED]
    stops = ((turn, _standing(tx, turn)) for turn in kept)
    return Reconciled(
        verdicts=verdicts,
        kept=tuple(kept),
        starts=tuple(assignment_of(tx, turn) for turn in unsent),
        stops=tuple((turn, interrupt) for turn, interrupt in stops if interrupt is not None),
        lost=tuple(turn for turn in missing if turn not in unsent),
    )


def _verdict(held: Held, turn: Turn | None) -> Verdict:
    keep = turn is not None and turn.epoch == held.epoch
    acknowledged = turn.frame if keep and turn is not None else 0
    return Verdict(held.turn_id, held.epoch, keep, acknowledged)


def _standing(tx: Transaction, turn: Turn) -> Interrupt | None:
    if turn.state is not TurnState.INTERRUPTING:
        return None
    return interrupts.of_attempt(tx, turn.id, turn.attempt)
