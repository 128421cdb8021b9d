"""The turn machine: states, events, the table of transitions, and `decide`."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from steersman_server.core.refusals import LeaseLost
from steersman_server.core.values import (
    RUNNER_LOST,
    Epoch,
    Failure,
    Instant,
    InterruptId,
    ItemId,
    RunnerId,
    SessionId,
    Tenant,
    TurnId,
    Usage,
)


class TurnState(StrEnum):
    QUEUED = "queued"
    ASSIGNED = "assigned"
    RUNNING = "running"
    BACKING_OFF = "backing_off"
    WAITING = "waiting"
    INTERRUPTING = "interrupting"
    COMPLETED = "completed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


TERMINAL: Final = frozenset({TurnState.COMPLETED, TurnState.FAILED, TurnState.INTERRUPTED})
HELD: Final = frozenset(
    {TurnState.ASSIGNED, TurnState.RUNNING, TurnState.BACKING_OFF, TurnState.INTERRUPTING}
)
"""States in which a runner holds the turn under a lease."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn at its newest attempt.

    `frame` is the last durable frame of `epoch` that is committed. A turn that is
    not `active` waits behind the session's active one.
    """

    id: TurnId
    session_id: SessionId
    tenant: Tenant
    input_item_id: ItemId
    created_at: Instant
    state: TurnState = TurnState.QUEUED
    active: bool = False
    attempt: int = 1
    try_number: int = 0
    round: int = 0
    epoch: Epoch = Epoch(0)
    frame: int = 0
    runner_id: RunnerId | None = None
    interrupt_id: InterruptId | None = None
    error: Failure | None = None
    stop_reason: str = ""
    usage: Usage = Usage()
    started_at: Instant | None = None
    ended_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class Assigned:
    """A runner was chosen; it has not accepted yet."""

    runner_id: RunnerId


@dataclass(frozen=True, slots=True)
class Accepted:
    """The runner took the turn."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The runner did not take the turn."""


@dataclass(frozen=True, slots=True)
class InterruptRequested:
    """Somebody asked to stop."""

    interrupt_id: InterruptId


@dataclass(frozen=True, slots=True)
class Completed:
    """The runner reports the final answer."""

    stop_reason: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Failed:
    """The runner reports that the turn cannot go on."""

    failure: Failure
    stop_reason: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Stopped:
    """The runner reports that the work has ended without an answer."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Forced:
    """The interrupt's grace is over; the server settles alone."""


@dataclass(frozen=True, slots=True)
class RunnerLost:
    """The lease ended, and the agent's policy is to fail."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The lease ended, and another runner is to go on."""


TurnEvent = (
    Assigned
    | Accepted
    | Declined
    | InterruptRequested
    | Completed
    | Failed
    | Stopped
    | Forced
    | RunnerLost
    | Moved
)

TRANSITIONS: Final[dict[tuple[TurnState, type[TurnEvent]], TurnState]] = {
    (TurnState.QUEUED, Assigned): TurnState.ASSIGNED,
    (TurnState.QUEUED, InterruptRequested): TurnState.INTERRUPTED,
    (TurnState.ASSIGNED, Accepted): TurnState.RUNNING,
    (TurnState.ASSIGNED, Declined): TurnState.QUEUED,
    (TurnState.ASSIGNED, InterruptRequested): TurnState.INTERRUPTING,
    (TurnState.ASSIGNED, Moved): TurnState.QUEUED,
    (TurnState.ASSIGNED, RunnerLost): TurnState.FAILED,
    # A runner that reports nonsense before it accepts.
    (TurnState.ASSIGNED, Failed): TurnState.FAILED,
    (TurnState.RUNNING, InterruptRequested): TurnState.INTERRUPTING,
    (TurnState.RUNNING, Completed): TurnState.COMPLETED,
    (TurnState.RUNNING, Failed): TurnState.FAILED,
    # Nobody asked for this stop: the runner leaves, and somebody else goes on.
    (TurnState.RUNNING, Stopped): TurnState.QUEUED,
    (TurnState.RUNNING, Moved): TurnState.QUEUED,
    (TurnState.RUNNING, RunnerLost): TurnState.FAILED,
    (TurnState.BACKING_OFF, InterruptRequested): TurnState.INTERRUPTING,
    (TurnState.BACKING_OFF, Failed): TurnState.FAILED,
    (TurnState.BACKING_OFF, Stopped): TurnState.QUEUED,
    (TurnState.BACKING_OFF, Moved): TurnState.QUEUED,
    (TurnState.BACKING_OFF, RunnerLost): TurnState.FAILED,
    (TurnState.WAITING, InterruptRequested): TurnState.INTERRUPTED,
    # Once interrupting is committed, the attempt can only end interrupted; what
    # arrives later confirms it.
    (TurnState.INTERRUPTING, Accepted): TurnState.INTERRUPTING,
    (TurnState.INTERRUPTING, InterruptRequested): TurnState.INTERRUPTING,
    (TurnState.INTERRUPTING, Declined): TurnState.INTERRUPTED,
    (TurnState.INTERRUPTING, Completed): TurnState.INTERRUPTED,
    (TurnState.INTERRUPTING, Failed): TurnState.INTERRUPTED,
    (TurnState.INTERRUPTING, Stopped): TurnState.INTERRUPTED,
    (TurnState.INTERRUPTING, Forced): TurnState.INTERRUPTED,
    (TurnState.INTERRUPTING, RunnerLost): TurnState.INTERRUPTED,
    (TurnState.INTERRUPTING, Moved): TurnState.INTERRUPTED,
    # A wish already granted is answered, not refused.
    (TurnState.INTERRUPTED, InterruptRequested): TurnState.INTERRUPTED,
}

FENCING: Final = frozenset({Assigned, Declined, Stopped, Forced, RunnerLost, Moved})
"""Events after which no frame of the old epoch may write."""


class IllegalTransition(Exception):
    """An event that its state has no place for. Carries where it would have one."""

    def __init__(self, turn: Turn, event: type[TurnEvent]) -> None:
        self.turn = turn
        self.event = event
        self.allowed = allowed_states(event)
        super().__init__(f"{event.__name__} in {turn.state} of turn {turn.id}")


def allowed_states(event: type[TurnEvent]) -> tuple[TurnState, ...]:
    """The states that take `event`, in the order of the enum."""
    return tuple(state for state in TurnState if (state, event) in TRANSITIONS)


def decide(turn: Turn, event: TurnEvent, now: Instant) -> Turn:
    """The turn after `event`.

    Raises IllegalTransition when the table has no place for the event. An event
    that changes nothing answers the same object.
    """
    state = TRANSITIONS.get((turn.state, type(event)))
    if state is None:
        raise IllegalTransition(turn, type(event))
    if state is turn.state:
        return turn
    after = replace(turn, state=state, **_facts(turn, event))
    if type(event) in FENCING:
        after = replace(after, epoch=Epoch(turn.epoch + 1), frame=0)
    return _ended(after, now) if state in TERMINAL else _begun(after, event, now)


def _facts(turn: Turn, event: TurnEvent) -> dict[str, Any]:
    match event:
        case Assigned(runner_id):
            return {"runner_id": runner_id, "try_number": turn.try_number + 1}
        case InterruptRequested(interrupt_id):
            return {"interrupt_id": interrupt_id}
        case Completed(stop_reason, usage):
            return {"stop_reason": stop_reason, "usage": turn.usage + usage}
        case Failed(failure, stop_reason, usage):
            return {"error": failure, "stop_reason": stop_reason, "usage": turn.usage + usage}
        case Stopped(usage):
            return {"usage": turn.usage + usage}
        case RunnerLost():
            return {"error": RUNNER_LOST, "stop_reason": "runner_lost"}
        case _:
            return {}


def _ended(turn: Turn, now: Instant) -> Turn:
    if turn.state is TurnState.INTERRUPTED:
        return replace(turn, ended_at=now, stop_reason="interrupted", error=None)
    return replace(turn, ended_at=now)


def _begun(turn: Turn, event: TurnEvent, now: Instant) -> Turn:
    if isinstance(event, Accepted) and turn.started_at is None:
        return replace(turn, started_at=now)
    return turn


def hold(turn: Turn, runner_id: RunnerId, epoch: int) -> None:
    """Check that `runner_id` still holds the turn under `epoch`; raises LeaseLost."""
    if turn.runner_id != runner_id or turn.epoch != epoch or turn.state not in HELD:
        raise LeaseLost(turn.id, epoch)
