"""Event rows ⇄ event values. An item's event is its item; nothing is stored twice."""

from dataclasses import replace
from typing import Any

from steersman_server.core.events import (
    CallStarted,
    Event,
    EventData,
    EventKind,
    ItemsWithdrawn,
)
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.session import Session, SessionStatus
from steersman_server.core.turn import Turn
from steersman_server.core.values import Instant, ItemId, SessionId, TurnId
from steersman_server.store import rows
from steersman_server.store.rows import Values
from steersman_server.store.transaction import Row


def event_values(event: Event) -> Values:
    return {
        "session_id": event.session_id,
        "sequence": event.sequence,
        "kind": event.kind.value,
        "turn_id": event.turn_id,
        "attempt": event.attempt,
        "actor": event.actor,
        "created_at": event.created_at,
        "session_status": event.session_status.value,
        "data": _data_values(event.data),
    }


def _data_values(data: EventData) -> Values | None:
    match data:
        case Item():
            return None
        case Session():
            return rows.session_values(data)
        case Turn():
            return rows.turn_values(data)
        case PendingInput():
            return rows.input_values(data)
        case Interrupt():
            return rows.interrupt_values(data)
        case CallStarted(item_id):
            return {"item_id": item_id}
        case ItemsWithdrawn(item_ids, cause):
            return {"item_ids": list(item_ids), "cause": cause}


def event_from_row(row: Row, item: Item | None) -> Event:
    """The event of `row`; `item` is the one with its sequence, where its kind has one."""
    kind = EventKind(row["kind"])
    return Event(
        session_id=SessionId(row["session_id"]),
        sequence=row["sequence"],
        kind=kind,
        actor=row["actor"],
        created_at=Instant(row["created_at"]),
        session_status=SessionStatus(row["session_status"]),
        data=_data(kind, row["data"], item),
        turn_id=None if row["turn_id"] is None else TurnId(row["turn_id"]),
        attempt=row["attempt"],
    )


def _data(kind: EventKind, data: Any, item: Item | None) -> EventData:
    family, _, _ = kind.partition("_")
    match kind, family:
        case EventKind.ITEM_ADDED, _:
            assert item is not None, "an item's event without its item"  # noqa: S101
            return replace(item, started_at=None, withdrawn_at=None)  # as it was then
        case EventKind.ITEMS_WITHDRAWN, _:
            return ItemsWithdrawn(tuple(map(ItemId, data["item_ids"])), data["cause"])
        case EventKind.CALL_STARTED, _:
            return CallStarted(ItemId(data["item_id"]))
        case _, "session":
            return rows.session_from_row(data)
        case _, "turn":
            return rows.turn_from_row(data)
        case _, "input":
            return rows.input_from_row(data)
        case _:
            return rows.interrupt_from_row(data)
