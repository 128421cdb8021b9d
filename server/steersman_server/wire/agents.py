"""Agent ⇄ AgentSpec, and what an update changes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct

from steersman.v1 import agent_pb2
from steersman_server.core.agent import (
    Agent,
    AgentSpec,
    ApprovalPolicy,
    RetryPolicy,
    RunnerLossPolicy,
)
from steersman_server.core.refusals import BadRequest
from steersman_server.wire import pairs, resources

_WRITABLE = (
    "harness",
    "model",
    "endpoint",
    "instructions",
    "tools",
    "options",
    "retry",
    "max_rounds",
    "approvals",
    "on_runner_loss",
    "selector",
    "context_items",
)


def spec(message: agent_pb2.Agent) -> AgentSpec:
    return AgentSpec(
        harness=message.harness,
        model=message.model,
        endpoint=message.endpoint,
        instructions=message.instructions,
        tools=tuple(message.tools),
        options=MessageToDict(message.options),
        retry=_retry(message.retry) if message.HasField("retry") else None,
        max_rounds=message.max_rounds if message.HasField("max_rounds") else None,
        approvals=pairs.APPROVALS.member_or(
            "agent.approvals", message.approvals, ApprovalPolicy.ASK
        ),
        on_runner_loss=pairs.RUNNER_LOSS.member_or(
            "agent.on_runner_loss", message.on_runner_loss, RunnerLossPolicy.MOVE
        ),
        selector=dict(message.selector),
        context_items=message.context_items if message.HasField("context_items") else None,
    )


def _retry(message: agent_pb2.RetryPolicy) -> RetryPolicy:
    default = RetryPolicy()
    return RetryPolicy(
        delays=tuple(delay.ToMicroseconds() / 1e6 for delay in message.delays),
        max_attempts=message.max_attempts
        if message.HasField("max_attempts")
        else default.max_attempts,
        deadline=message.deadline.ToMicroseconds() / 1e6
        if message.HasField("deadline")
        else default.deadline,
    )


def change(message: agent_pb2.Agent, paths: Sequence[str]) -> Callable[[AgentSpec], AgentSpec]:
    """How the masked fields of `message` change a spec.

    Without paths, every field that is set. Raises BadRequest for a path that is
    not a writable field.
    """
    for path in paths:
        if path not in _WRITABLE:
            raise BadRequest("update_mask", f"{path} is not one of: {', '.join(_WRITABLE)}")
    chosen = paths or [f.name for f, _ in message.ListFields() if f.name in _WRITABLE]
    given = spec(message)
    changes: dict[str, Any] = {name: getattr(given, name) for name in chosen}
    return lambda old: replace(old, **changes)


def agent(value: Agent) -> agent_pb2.Agent:
    of = value.spec
    return agent_pb2.Agent(
        name=value.name,
        version=value.version,
        harness=of.harness,
        model=of.model,
        endpoint=of.endpoint,
        instructions=of.instructions,
        tools=of.tools,
        options=ParseDict(dict(of.options), Struct()) if of.options else None,
        retry=None if of.retry is None else _retry_message(of.retry),
        max_rounds=of.max_rounds,
        approvals=pairs.APPROVALS.number(of.approvals),
        on_runner_loss=pairs.RUNNER_LOSS.number(of.on_runner_loss),
        selector=of.selector,
        context_items=of.context_items,
        etag=str(value.version),
        created_at=resources.timestamp(value.created_at),
    )


def _retry_message(policy: RetryPolicy) -> agent_pb2.RetryPolicy:
    return agent_pb2.RetryPolicy(
        delays=[duration(seconds) for seconds in policy.delays],
        max_attempts=policy.max_attempts,
        deadline=duration(policy.deadline),
    )


def duration(seconds: float) -> Duration:
    message = Duration()
    message.FromMicroseconds(round(seconds * 1e6))
    return message
