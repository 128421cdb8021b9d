"""Events: the rows of a session's log."""

from dataclasses import dataclass
from enum import StrEnum

from steersman_server.core.interrupt import Interrupt, InterruptState
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.session import Session, SessionStatus
from steersman_server.core.turn import Turn, TurnState
from steersman_server.core.values import Instant, ItemId, SessionId, TurnId


class EventKind(StrEnum):
    SESSION_CREATED = "session_created"
    SESSION_UPDATED = "session_updated"
    SESSION_ARCHIVED = "session_archived"
    INPUT_QUEUED = "input_queued"
    INPUT_DROPPED = "input_dropped"
    ITEM_ADDED = "item_added"
    ITEMS_WITHDRAWN = "items_withdrawn"
    CALL_STARTED = "call_started"
    TURN_QUEUED = "turn_queued"
    TURN_ASSIGNED = "turn_assigned"
    TURN_RUNNING = "turn_running"
    TURN_BACKING_OFF = "turn_backing_off"
    TURN_WAITING = "turn_waiting"
    TURN_INTERRUPTING = "turn_interrupting"
    TURN_COMPLETED = "turn_completed"
    TURN_FAILED = "turn_failed"
    TURN_INTERRUPTED = "turn_interrupted"
    INTERRUPT_REQUESTED = "interrupt_requested"
    INTERRUPT_DELIVERED = "interrupt_delivered"
    INTERRUPT_CONFIRMED = "interrupt_confirmed"
    INTERRUPT_FORCED = "interrupt_forced"


def kind_of_turn(state: TurnState) -> EventKind:
    """The event of a turn that entered `state`."""
    return EventKind(f"turn_{state}")


def kind_of_interrupt(state: InterruptState) -> EventKind:
    """The event of an interrupt that entered `state`; `already_idle` has none."""
    return EventKind(f"interrupt_{state}")


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call whose tool must not run twice is about to run."""

    item_id: ItemId


@dataclass(frozen=True, slots=True)
class ItemsWithdrawn:
    """Items that left the history; `cause` is `rollback` or `retry`."""

    item_ids: tuple[ItemId, ...]
    cause: str


EventData = Session | Turn | Item | PendingInput | Interrupt | CallStarted | ItemsWithdrawn


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the log. `data` is what the event is about, as it was then."""

    session_id: SessionId
    sequence: int
    kind: EventKind
    actor: str
    created_at: Instant
    session_status: SessionStatus
    data: EventData
    turn_id: TurnId | None = None
    attempt: int = 0
