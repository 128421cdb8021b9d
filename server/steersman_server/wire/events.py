"""Events and live text → what watchers get."""

from collections.abc import Iterable

from steersman.v1 import event_pb2
from steersman.v1.session_service_pb2 import TextDelta, TextInFlight, WatchSessionResponse
from steersman_server.core.events import CallStarted, Event, ItemsWithdrawn
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.livetext import Delta, Round
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.wire import pairs, resources

PAGE_BYTES = 4 * 1024 * 1024
"""A page of items and a batch of events are cut at this size."""


def event(value: Event) -> event_pb2.Event:
    message = event_pb2.Event(
        sequence=value.sequence,
        kind=pairs.EVENT_KIND.number(value.kind),
        session_id=value.session_id,
        turn_id=value.turn_id or "",
        attempt=value.attempt,
        actor=value.actor,
        created_at=resources.timestamp(value.created_at),
        session_status=pairs.SESSION_STATUS.number(value.session_status),
    )
    _put_data(message, value)
    return message


def _put_data(message: event_pb2.Event, value: Event) -> None:
    match value.data:
        case Session() as session:
            message.session.CopyFrom(resources.session(session))
        case Turn() as turn:
            message.turn.CopyFrom(resources.turn(turn))
        case Item() as item:
            message.item.CopyFrom(resources.item(item))
        case PendingInput() as waiting:
            message.input.CopyFrom(resources.pending_input(waiting))
        case Interrupt() as interrupt:
            message.interrupt.CopyFrom(resources.interrupt(interrupt))
        case CallStarted(item_id):
            message.call_started.item_id = item_id
        case ItemsWithdrawn(item_ids, cause):
            message.items_withdrawn.item_ids.extend(item_ids)
            message.items_withdrawn.cause = cause


def batches(values: Iterable[Event]) -> Iterable[WatchSessionResponse]:
    """The events in frames of at most 4 MiB, one event at least in each."""
    batch = WatchSessionResponse()
    size = 0
    for value in values:
        message = event(value)
        more = message.ByteSize()
        if size and size + more > PAGE_BYTES:
            yield batch
            batch, size = WatchSessionResponse(), 0
        batch.events.events.append(message)
        size += more
    if size:
        yield batch


def text_delta(value: Delta) -> TextDelta:
    delta = TextDelta(
        turn_id=value.turn_id,
        attempt=value.attempt,
        round=value.round,
        offset=value.offset,
        text=value.text,
    )
    setattr(delta, "try", value.try_number)
    return delta


def in_flight(value: Round) -> TextInFlight:
    text = value.text
    message = TextInFlight(
        turn_id=value.turn_id,
        attempt=value.attempt,
        round=value.round,
        text=text,
        length=len(text),
    )
    setattr(message, "try", value.try_number)
    return message
