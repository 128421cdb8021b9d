"""Frames of the runner link ⇄ values."""

from collections.abc import Iterator, Sequence
from typing import Any

from steersman.v1 import item_pb2, runner_pb2, turn_pb2
from steersman.v1.agent_pb2 import Agent
from steersman_server.core import frames
from steersman_server.core.assignment import Assignment
from steersman_server.core.items import ContentBlock, Item, ItemRole, ItemStatus, ItemType
from steersman_server.core.refusals import BadRequest
from steersman_server.core.turn import Completed, Failed, Stopped
from steersman_server.core.values import (
    Epoch,
    Failure,
    FailureKind,
    Instant,
    ItemId,
    RunnerId,
    SessionId,
    TurnId,
    Usage,
)
from steersman_server.wire import agents, pairs, resources

CHUNK_BYTES = 1024 * 1024
"""History travels in chunks of about this size: a large message is encoded on the loop."""


def frame(runner_id: RunnerId, message: runner_pb2.RunnerMessage, now: Instant) -> frames.Frame:
    """The durable frame in `message`; raises BadRequest for one that cannot be."""
    match message.WhichOneof("frame"):
        case "accepted":
            accepted = message.accepted
            return _frame(runner_id, accepted, frames.TurnAccepted())
        case "progress":
            return _frame(runner_id, message.progress, _progress(message.progress, now))
        case "turn_ended":
            return _frame(runner_id, message.turn_ended, _ended(message.turn_ended, now))
        case other:
            raise BadRequest("frame", f"{other} is not a durable frame")


def place(message: runner_pb2.RunnerMessage) -> tuple[TurnId, Epoch, int]:
    """The turn, epoch and number of a durable frame."""
    kind = message.WhichOneof("frame")
    numbered: _Numbered = getattr(message, kind or "accepted")
    return TurnId(numbered.turn_id), Epoch(numbered.epoch), numbered.number


_Numbered = runner_pb2.Accepted | runner_pb2.Progress | runner_pb2.TurnEnded
_What = (
    frames.TurnAccepted
    | frames.RoundCommitted
    | frames.OutputCommitted
    | frames.CallBegun
    | frames.TurnEnded
)


def _frame(runner_id: RunnerId, message: _Numbered, what: _What) -> frames.Frame:
    turn_id, epoch = TurnId(message.turn_id), Epoch(message.epoch)
    return frames.Frame(runner_id, turn_id, epoch, message.number, what)


def _progress(message: runner_pb2.Progress, now: Instant) -> _What:
    match message.WhichOneof("what"):
        case "round":
            return frames.RoundCommitted(
                round=message.round.round,
                items=items(message.round.items, now),
                usage=usage(message.round.usage),
            )
        case "output":
            return frames.OutputCommitted(output(message.output, now))
        case "call_started":
            return frames.CallBegun(ItemId(message.call_started))
        case _:
            raise BadRequest("progress", "is empty")


def _ended(message: runner_pb2.TurnEnded, now: Instant) -> frames.TurnEnded:
    how: Completed | Failed | Stopped
    spent = usage(message.usage)
    match message.outcome:
        case runner_pb2.TURN_OUTCOME_COMPLETED:
            how = Completed(message.stop_reason or "end_turn", spent)
        case runner_pb2.TURN_OUTCOME_FAILED:
            how = Failed(failure(message.error), message.stop_reason or "error", spent)
        case runner_pb2.TURN_OUTCOME_STOPPED | runner_pb2.TURN_OUTCOME_ABANDONED:
            how = Stopped(spent)
        case _:
            raise BadRequest("turn_ended.outcome", "is not set")
    return frames.TurnEnded(how, items(message.items, now), message.round)


def usage(message: item_pb2.Usage) -> Usage:
    return Usage(
        message.input_tokens,
        message.cached_tokens,
        message.output_tokens,
        message.reasoning_tokens,
        message.failed_tokens,
    )


def failure(message: turn_pb2.Failure) -> Failure:
    return Failure(
        kind=pairs.FAILURE_KIND.member_or("error.kind", message.kind, FailureKind.INTERNAL),
        code=message.code,
        message=message.message,
        provider_status=message.provider_status if message.HasField("provider_status") else None,
        retryable=message.retryable,
    )


def items(messages: Sequence[item_pb2.Item], now: Instant) -> tuple[Item, ...]:
    """What a model said; raises BadRequest for an item that no model says."""
    said = tuple(item(message, now) for message in messages)
    for one in said:
        if one.type is ItemType.FUNCTION_CALL_OUTPUT or one.role not in (None, ItemRole.ASSISTANT):
            raise BadRequest("item.type", f"{one.id} is not part of a model's answer")
    return said


def output(message: item_pb2.Item, now: Instant) -> Item:
    """Raises BadRequest for an item that is not the output of a call."""
    given = item(message, now)
    if given.type is not ItemType.FUNCTION_CALL_OUTPUT:
        raise BadRequest("output.type", f"{given.id} is not a function_call_output")
    return given


def item(message: item_pb2.Item, now: Instant) -> Item:
    """A runner's item; where it belongs is filled in from the turn."""
    if not message.id.startswith("item_"):
        raise BadRequest("item.id", "must be item_…")
    return Item(
        id=ItemId(message.id),
        type=pairs.ITEM_TYPE.member("item.type", message.type),
        session_id=SessionId(""),
        turn_id=TurnId(""),
        attempt=0,
        created_at=now,
        actor="",
        round=message.round,
        role=pairs.ITEM_ROLE.member_or("item.role", message.role, _role(message)),
        status=pairs.ITEM_STATUS.member_or("item.status", message.status, ItemStatus.COMPLETED),
        content=tuple(ContentBlock(block.type, block.text) for block in message.content),
        name=message.name,
        arguments=message.arguments,
        call_id=message.call_id,
        call_item_id=ItemId(message.call_item_id),
        output=message.output,
        truncated=message.truncated,
    )


def _role(message: item_pb2.Item) -> ItemRole | None:
    is_message = message.type == pairs.ITEM_TYPE.number(ItemType.MESSAGE)
    return ItemRole.ASSISTANT if is_message else None


def start_turn(assignment: Assignment) -> Iterator[runner_pb2.ServerMessage]:
    """The turn in frames of about 1 MiB; all but the last say that more follows."""
    chunk = _chunk(assignment, agents.agent(assignment.agent))
    size = 0
    for value in assignment.history:
        message = resources.item(value)
        more = message.ByteSize()
        if size and size + more > CHUNK_BYTES:
            chunk.start_turn.more = True
            yield chunk
            chunk, size = _chunk(assignment, None), 0
        chunk.start_turn.history.append(message)
        size += more
    chunk.start_turn.started_call_ids.extend(sorted(assignment.started_calls))
    yield chunk


def _chunk(assignment: Assignment, agent: Agent | None) -> runner_pb2.ServerMessage:
    turn = assignment.turn
    named: dict[str, Any] = {"try": turn.try_number}  # a keyword in Python only
    start = runner_pb2.StartTurn(
        turn_id=turn.id,
        session_id=turn.session_id,
        epoch=turn.epoch,
        attempt=turn.attempt,
        round=turn.round,
        agent=agent,
        **named,
    )
    return runner_pb2.ServerMessage(start_turn=start)
