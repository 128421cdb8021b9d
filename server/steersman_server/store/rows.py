"""Rows ⇄ values. The one file that knows both shapes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from steersman_server.core.agent import (
    Agent,
    AgentSpec,
    ApprovalPolicy,
    RetryPolicy,
    RunnerLossPolicy,
)
from steersman_server.core.interrupt import Interrupt, InterruptMode, InterruptState, StoppedTurn
from steersman_server.core.items import (
    ContentBlock,
    Item,
    ItemRole,
    ItemStatus,
    ItemType,
    PendingInput,
)
from steersman_server.core.session import Session, SessionStatus
from steersman_server.core.turn import Turn, TurnState
from steersman_server.core.values import (
    Epoch,
    Failure,
    FailureKind,
    Instant,
    InterruptId,
    ItemId,
    RunnerId,
    SessionId,
    Tenant,
    TurnId,
    Usage,
)
from steersman_server.store.transaction import Row

Values = dict[str, Any]


def _failure(value: Mapping[str, Any] | None) -> Failure | None:
    return None if value is None else Failure(**{**value, "kind": FailureKind(value["kind"])})


def _failure_values(failure: Failure | None) -> Values | None:
    return None if failure is None else asdict(failure)


def _content(blocks: Sequence[Sequence[str]]) -> tuple[ContentBlock, ...]:
    return tuple(ContentBlock(kind, text) for kind, text in blocks)


def _content_values(content: Sequence[ContentBlock]) -> list[list[str]]:
    return [[block.type, block.text] for block in content]


def session_from_row(row: Row) -> Session:
    return Session(
        id=SessionId(row["id"]),
        tenant=Tenant(row["tenant"]),
        agent=row["agent"],
        agent_version=row["agent_version"],
        created_at=Instant(row["created_at"]),
        updated_at=Instant(row["updated_at"]),
        title=row["title"],
        labels=row["labels"],
        status=SessionStatus(row["status"]),
        active_turn_id=row["active_turn_id"],
        waiting=row["waiting"],
        last_error=_failure(row["last_error"]),
        runner_id=row["runner_id"],
        selector=row["selector"],
        head_sequence=row["head_sequence"],
        usage=Usage(*row["usage"]),
        archived_at=row["archived_at"],
        revision=row["revision"],
    )


def session_values(session: Session) -> Values:
    return {
        "id": session.id,
        "tenant": session.tenant,
        "agent": session.agent,
        "agent_version": session.agent_version,
        "title": session.title,
        "labels": dict(session.labels),
        "status": session.status.value,
        "active_turn_id": session.active_turn_id,
        "waiting": session.waiting,
        "last_error": _failure_values(session.last_error),
        "runner_id": session.runner_id,
        "selector": dict(session.selector),
        "head_sequence": session.head_sequence,
        "usage": session.usage.counts(),
        "created_at": session.created_at,
        "updated_at": session.updated_at,
        "archived_at": session.archived_at,
        "revision": session.revision,
    }


def turn_from_row(row: Row) -> Turn:
    return Turn(
        id=TurnId(row["id"]),
        session_id=SessionId(row["session_id"]),
        tenant=Tenant(row["tenant"]),
        input_item_id=ItemId(row["input_item_id"]),
        created_at=Instant(row["created_at"]),
        state=TurnState(row["state"]),
        active=bool(row["active"]),
        attempt=row["attempt"],
        try_number=row["try_number"],
        round=row["round"],
        epoch=Epoch(row["epoch"]),
        frame=row["frame"],
        runner_id=None if row["runner_id"] is None else RunnerId(row["runner_id"]),
        interrupt_id=None if row["interrupt_id"] is None else InterruptId(row["interrupt_id"]),
        error=_failure(row["error"]),
        stop_reason=row["stop_reason"],
        usage=Usage(*row["usage"]),
        started_at=row["started_at"],
        ended_at=row["ended_at"],
    )


def turn_values(turn: Turn) -> Values:
    return {
        "id": turn.id,
        "session_id": turn.session_id,
        "tenant": turn.tenant,
        "input_item_id": turn.input_item_id,
        "created_at": turn.created_at,
        "state": turn.state.value,
        "active": turn.active,
        "attempt": turn.attempt,
        "try_number": turn.try_number,
        "round": turn.round,
        "epoch": turn.epoch,
        "frame": turn.frame,
        "runner_id": turn.runner_id,
        "interrupt_id": turn.interrupt_id,
        "error": _failure_values(turn.error),
        "stop_reason": turn.stop_reason,
        "usage": turn.usage.counts(),
        "started_at": turn.started_at,
        "ended_at": turn.ended_at,
    }


def item_from_row(row: Row) -> Item:
    return Item(
        id=ItemId(row["id"]),
        type=ItemType(row["type"]),
        session_id=SessionId(row["session_id"]),
        turn_id=TurnId(row["turn_id"]),
        attempt=row["attempt"],
        created_at=Instant(row["created_at"]),
        actor=row["actor"],
        sequence=row["sequence"],
        round=row["round"],
        role=None if row["role"] is None else ItemRole(row["role"]),
        status=ItemStatus(row["status"]),
        content=_content(row["content"]),
        name=row["name"],
        arguments=row["arguments"],
        call_id=row["call_id"],
        call_item_id=ItemId(row["call_item_id"]),
        output=row["output"],
        marker=row["marker"],
        truncated=bool(row["truncated"]),
        synthetic=bool(row["synthetic"]),
        started_at=row["started_at"],
        withdrawn_at=row["withdrawn_at"],
    )


def item_values(item: Item) -> Values:
    return {
        "id": item.id,
        "session_id": item.session_id,
        "sequence": item.sequence,
        "turn_id": item.turn_id,
        "attempt": item.attempt,
        "round": item.round,
        "type": item.type.value,
        "role": None if item.role is None else item.role.value,
        "status": item.status.value,
        "content": _content_values(item.content),
        "name": item.name,
        "arguments": item.arguments,
        "call_id": item.call_id,
        "call_item_id": item.call_item_id,
        "output": item.output,
        "marker": item.marker,
        "truncated": item.truncated,
        "synthetic": item.synthetic,
        "actor": item.actor,
        "created_at": item.created_at,
        "started_at": item.started_at,
        "withdrawn_at": item.withdrawn_at,
    }


def input_from_row(row: Row) -> PendingInput:
    return PendingInput(
        item_id=ItemId(row["item_id"]),
        session_id=SessionId(row["session_id"]),
        turn_id=TurnId(row["turn_id"]),
        role=ItemRole(row["role"]),
        content=_content(row["content"]),
        actor=row["actor"],
        created_at=Instant(row["created_at"]),
    )


def input_values(waiting: PendingInput) -> Values:
    return {
        "item_id": waiting.item_id,
        "session_id": waiting.session_id,
        "turn_id": waiting.turn_id,
        "role": waiting.role.value,
        "content": _content_values(waiting.content),
        "actor": waiting.actor,
        "created_at": waiting.created_at,
    }


def interrupt_from_row(row: Row) -> Interrupt:
    return Interrupt(
        id=InterruptId(row["id"]),
        tenant=Tenant(row["tenant"]),
        session_id=SessionId(row["session_id"]),
        state=InterruptState(row["state"]),
        mode=InterruptMode(row["mode"]),
        reason=row["reason"],
        actor=row["actor"],
        requested_at=Instant(row["requested_at"]),
        turn_id=None if row["turn_id"] is None else TurnId(row["turn_id"]),
        attempt=row["attempt"],
        delivered_at=row["delivered_at"],
        settled_at=row["settled_at"],
        may_run_until=row["may_run_until"],
        stopped=tuple(
            StoppedTurn(SessionId(session_id), TurnId(turn_id), TurnState(state))
            for session_id, turn_id, state in row["stopped"]
        ),
        dropped_inputs=tuple(map(input_from_row, row["dropped_inputs"])),
    )


def interrupt_values(interrupt: Interrupt) -> Values:
    return {
        "id": interrupt.id,
        "tenant": interrupt.tenant,
        "session_id": interrupt.session_id,
        "turn_id": interrupt.turn_id,
        "attempt": interrupt.attempt,
        "state": interrupt.state.value,
        "mode": interrupt.mode.value,
        "reason": interrupt.reason,
        "actor": interrupt.actor,
        "requested_at": interrupt.requested_at,
        "delivered_at": interrupt.delivered_at,
        "settled_at": interrupt.settled_at,
        "may_run_until": interrupt.may_run_until,
        "stopped": [[s.session_id, s.turn_id, s.state.value] for s in interrupt.stopped],
        "dropped_inputs": [input_values(waiting) for waiting in interrupt.dropped_inputs],
    }


def agent_from_row(row: Row) -> Agent:
    spec = dict(row["spec"])
    if spec["retry"] is not None:
        delays = tuple(spec["retry"]["delays"])
        spec["retry"] = RetryPolicy(**{**spec["retry"], "delays": delays})
    spec["tools"] = tuple(spec["tools"])
    spec["approvals"] = ApprovalPolicy(spec["approvals"])
    spec["on_runner_loss"] = RunnerLossPolicy(spec["on_runner_loss"])
    return Agent(
        tenant=Tenant(row["tenant"]),
        name=row["name"],
        version=row["version"],
        spec=AgentSpec(**spec),
        created_at=Instant(row["created_at"]),
    )


def spec_values(spec: AgentSpec) -> Values:
    return asdict(spec)
