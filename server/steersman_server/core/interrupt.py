"""The interrupt machine: requested, delivered, confirmed or forced."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from steersman_server.core.items import PendingInput
from steersman_server.core.turn import TurnState
from steersman_server.core.values import Instant, InterruptId, SessionId, Tenant, TurnId


class InterruptState(StrEnum):
    REQUESTED = "requested"
    DELIVERED = "delivered"
    CONFIRMED = "confirmed"
    FORCED = "forced"
    ALREADY_IDLE = "already_idle"


class InterruptMode(StrEnum):
    KEEP = "keep"
    ROLLBACK = "rollback"


SETTLED: Final = frozenset(
    {InterruptState.CONFIRMED, InterruptState.FORCED, InterruptState.ALREADY_IDLE}
)


@dataclass(frozen=True, slots=True)
class StoppedTurn:
    """A turn that an interrupt stopped, and the state it has since."""

    session_id: SessionId
    turn_id: TurnId
    state: TurnState


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A durable wish to stop one attempt of one turn, and what became of it.

    `turn_id` is unset only when there was nothing to stop (`already_idle`).
    """

    id: InterruptId
    tenant: Tenant
    session_id: SessionId
    state: InterruptState
    mode: InterruptMode
    reason: str
    actor: str
    requested_at: Instant
    turn_id: TurnId | None = None
    attempt: int = 0
    delivered_at: Instant | None = None
    settled_at: Instant | None = None
    may_run_until: Instant | None = None
    stopped: tuple[StoppedTurn, ...] = ()
    dropped_inputs: tuple[PendingInput, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivered:
    """The runner has the stop."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The runner says that the work has really ended, or no runner had it."""

    stopped: tuple[StoppedTurn, ...]


@dataclass(frozen=True, slots=True)
class ForcedAlone:
    """The server settled alone; a cut-off machine may work until `may_run_until`."""

    stopped: tuple[StoppedTurn, ...]
    may_run_until: Instant


InterruptEvent = Delivered | Confirmed | ForcedAlone

TRANSITIONS: Final[dict[tuple[InterruptState, type[InterruptEvent]], InterruptState]] = {
    (InterruptState.REQUESTED, Delivered): InterruptState.DELIVERED,
    (InterruptState.REQUESTED, Confirmed): InterruptState.CONFIRMED,
    (InterruptState.REQUESTED, ForcedAlone): InterruptState.FORCED,
    (InterruptState.DELIVERED, Confirmed): InterruptState.CONFIRMED,
    (InterruptState.DELIVERED, ForcedAlone): InterruptState.FORCED,
}


def decide(interrupt: Interrupt, event: InterruptEvent, now: Instant) -> Interrupt:
    """The interrupt after `event`.

    What comes late changes nothing and answers the same object: a settled
    interrupt stays as it was settled, and one delivery is enough.
    """
    state = TRANSITIONS.get((interrupt.state, type(event)))
    if state is None:
        return interrupt
    match event:
        case Delivered():
            return replace(interrupt, state=state, delivered_at=now)
        case Confirmed(stopped):
            return replace(interrupt, state=state, settled_at=now, stopped=stopped)
        case ForcedAlone(stopped, may_run_until):
            return replace(
                interrupt,
                state=state,
                settled_at=now,
                stopped=stopped,
                may_run_until=may_run_until,
            )
