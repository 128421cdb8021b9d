"""Values → resources."""

from collections.abc import Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from steersman.v1 import interrupt_pb2, item_pb2, session_pb2, session_service_pb2, turn_pb2
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import ContentBlock, Item, PendingInput
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import Failure, Instant, Usage
from steersman_server.usecases.send_message import SendOutcome, Sent
from steersman_server.wire import pairs


def timestamp(at: Instant | None) -> Timestamp | None:
    if at is None:
        return None
    seconds, micros = divmod(at, 1_000_000)
    return Timestamp(seconds=seconds, nanos=micros * 1000)


def usage(value: Usage) -> item_pb2.Usage:
    return item_pb2.Usage(
        input_tokens=value.input_tokens,
        cached_tokens=value.cached_tokens,
        output_tokens=value.output_tokens,
        reasoning_tokens=value.reasoning_tokens,
        failed_tokens=value.failed_tokens,
    )


def failure(value: Failure | None) -> turn_pb2.Failure | None:
    if value is None:
        return None
    return turn_pb2.Failure(
        kind=pairs.FAILURE_KIND.number(value.kind),
        code=value.code,
        message=value.message,
        provider_status=value.provider_status,
        retryable=value.retryable,
    )


def content(blocks: Sequence[ContentBlock]) -> list[item_pb2.ContentBlock]:
    return [item_pb2.ContentBlock(type=block.type, text=block.text) for block in blocks]


def item(value: Item) -> item_pb2.Item:
    return item_pb2.Item(
        id=value.id,
        type=pairs.ITEM_TYPE.number(value.type),
        role=None if value.role is None else pairs.ITEM_ROLE.number(value.role),
        status=pairs.ITEM_STATUS.number(value.status),
        content=content(value.content),
        name=value.name,
        arguments=value.arguments,
        call_id=value.call_id,
        call_item_id=value.call_item_id,
        output=value.output,
        marker=value.marker,
        truncated=value.truncated,
        synthetic=value.synthetic,
        turn_id=value.turn_id,
        attempt=value.attempt,
        round=value.round,
        sequence=value.sequence,
        created_at=timestamp(value.created_at),
        withdrawn_at=timestamp(value.withdrawn_at),
        actor=value.actor,
    )


def pending_input(value: PendingInput) -> turn_pb2.PendingInput:
    return turn_pb2.PendingInput(
        item_id=value.item_id,
        turn_id=value.turn_id,
        role=pairs.ITEM_ROLE.number(value.role),
        content=content(value.content),
        actor=value.actor,
        created_at=timestamp(value.created_at),
    )


def turn(value: Turn) -> turn_pb2.Turn:
    named: dict[str, Any] = {"try": value.try_number}  # a keyword in Python only
    return turn_pb2.Turn(
        id=value.id,
        session_id=value.session_id,
        state=pairs.TURN_STATE.number(value.state),
        attempt=value.attempt,
        round=value.round,
        runner_id=value.runner_id,
        epoch=value.epoch,
        error=failure(value.error),
        stop_reason=value.stop_reason,
        usage=usage(value.usage),
        input_item_id=value.input_item_id,
        active=value.active,
        created_at=timestamp(value.created_at),
        started_at=timestamp(value.started_at),
        ended_at=timestamp(value.ended_at),
        **named,
    )


def session(
    value: Session, active: Turn | None = None, pending: Sequence[PendingInput] = ()
) -> session_pb2.Session:
    return session_pb2.Session(
        id=value.id,
        agent=value.agent,
        agent_version=value.agent_version,
        title=value.title,
        labels=value.labels,
        status=pairs.SESSION_STATUS.number(value.status),
        active_turn=None if active is None else turn(active),
        pending_inputs=map(pending_input, pending),
        last_error=failure(value.last_error),
        runner_id=value.runner_id,
        selector=value.selector,
        head_sequence=value.head_sequence,
        usage=usage(value.usage),
        created_at=timestamp(value.created_at),
        updated_at=timestamp(value.updated_at),
        archived_at=timestamp(value.archived_at),
        etag=str(value.revision),
    )


def interrupt(value: Interrupt) -> interrupt_pb2.Interrupt:
    return interrupt_pb2.Interrupt(
        id=value.id,
        session_id=value.session_id,
        turn_id=value.turn_id or "",
        attempt=value.attempt,
        state=pairs.INTERRUPT_STATE.number(value.state),
        mode=pairs.INTERRUPT_MODE.number(value.mode),
        reason=value.reason,
        actor=value.actor,
        requested_at=timestamp(value.requested_at),
        delivered_at=timestamp(value.delivered_at),
        settled_at=timestamp(value.settled_at),
        may_run_until=timestamp(value.may_run_until),
        stopped=[
            interrupt_pb2.StoppedTurn(
                session_id=stopped.session_id,
                turn_id=stopped.turn_id,
                state=pairs.TURN_STATE.number(stopped.state),
            )
            for stopped in value.stopped
        ],
        dropped_inputs=map(pending_input, value.dropped_inputs),
    )


def sent(value: Sent) -> session_service_pb2.SendMessageResponse:
    return session_service_pb2.SendMessageResponse(
        outcome=pairs.SEND_OUTCOME.number(value.outcome),
        queued=value.outcome is not SendOutcome.STARTED,
        item_id=value.item_id,
        turn_id=value.turn_id,
        interrupt=None if value.interrupt is None else interrupt(value.interrupt),
    )
