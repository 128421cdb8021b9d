"""The lease of a runner: how long its turns are its own. Times are monotonic seconds."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple


class LeaseState(StrEnum):
    CONNECTED = "connected"
    # The stream is gone without a goodbye; the runner may come back.
    DISCONNECTED = "disconnected"
    ENDED = "ended"


class Terms(NamedTuple):
    """How long a silent and a disconnected runner keep their turns, in seconds."""

    silence: float = 10.0
    disconnect_grace: float = 3.0


@dataclass(frozen=True, slots=True)
class Lease:
    """`since` is when the runner was heard last, or lost its stream."""

    state: LeaseState
    since: float


@dataclass(frozen=True, slots=True)
class Connected:
    """A stream with a hello."""

    now: float


@dataclass(frozen=True, slots=True)
class Heard:
    """A heartbeat."""

    now: float


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The stream ended without a goodbye."""

    now: float


@dataclass(frozen=True, slots=True)
class SaidGoodbye:
    """The runner left."""

    now: float


@dataclass(frozen=True, slots=True)
class Checked:
    """Somebody looked at the clock."""

    now: float


LeaseEvent = Connected | Heard | Disconnected | SaidGoodbye | Checked

TRANSITIONS: Final[dict[tuple[LeaseState, type[LeaseEvent]], LeaseState]] = {
    (LeaseState.CONNECTED, Connected): LeaseState.CONNECTED,
    (LeaseState.CONNECTED, Heard): LeaseState.CONNECTED,
    (LeaseState.CONNECTED, Disconnected): LeaseState.DISCONNECTED,
    (LeaseState.CONNECTED, SaidGoodbye): LeaseState.ENDED,
    (LeaseState.DISCONNECTED, Connected): LeaseState.CONNECTED,
    (LeaseState.DISCONNECTED, Disconnected): LeaseState.DISCONNECTED,
    (LeaseState.DISCONNECTED, SaidGoodbye): LeaseState.ENDED,
    (LeaseState.ENDED, Connected): LeaseState.CONNECTED,
}
"""What is not here changes nothing. `Checked` ends what is overdue; see `deadline`."""


def deadline(lease: Lease, terms: Terms) -> float | None:
    """When the lease ends if nothing is heard; None when it has ended."""
    match lease.state:
        case LeaseState.CONNECTED:
            return lease.since + terms.silence
        case LeaseState.DISCONNECTED:
            return lease.since + terms.disconnect_grace
        case LeaseState.ENDED:
            return None


def decide(lease: Lease, event: LeaseEvent, terms: Terms) -> Lease:
    """The lease after `event`."""
    if isinstance(event, Checked):
        due = deadline(lease, terms)
        overdue = due is not None and event.now >= due
        return Lease(LeaseState.ENDED, event.now) if overdue else lease
    state = TRANSITIONS.get((lease.state, type(event)))
    if state is None:
        return lease
    if state is lease.state is LeaseState.DISCONNECTED:
        return lease
    return replace(lease, state=state, since=event.now)


def unseen(now: float, terms: Terms) -> Lease:
    """The lease of a runner that held turns when the server started.

    It has a full lease from readiness to come back in.
    """
    return Lease(LeaseState.DISCONNECTED, now + terms.silence - terms.disconnect_grace)
