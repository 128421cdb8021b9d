"""Agents: who answers in a session, and under which rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from steersman_server.core.refusals import BadRequest
from steersman_server.core.values import Instant, Tenant

NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


class ApprovalPolicy(StrEnum):
    ASK = "ask"
    ALLOW = "allow"
    DENY = "deny"


class RunnerLossPolicy(StrEnum):
    MOVE = "move"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Waits in seconds before each retry; `deadline` in seconds per attempt."""

    delays: tuple[float, ...] = ()
    max_attempts: int = 50
    deadline: float = 1800.0


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """What an agent's author writes. None means the default."""

    harness: str
    model: str = ""
    endpoint: str = ""
    instructions: str = ""
    tools: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    retry: RetryPolicy | None = None
    max_rounds: int | None = None
    approvals: ApprovalPolicy = ApprovalPolicy.ASK
    on_runner_loss: RunnerLossPolicy = RunnerLossPolicy.MOVE
    selector: Mapping[str, str] = field(default_factory=dict)
    context_items: int | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """One version of an agent."""

    tenant: Tenant
    name: str
    version: int
    spec: AgentSpec
    created_at: Instant


DEFAULT_CONTEXT_ITEMS: Final = 2000


def check_name(field_name: str, name: str) -> None:
    """Raises BadRequest unless `name` may name an agent or a runner."""
    if NAME.fullmatch(name) is None:
        raise BadRequest(
            field_name, "takes 1 to 63 of a-z 0-9 - _ . starting with a letter or digit"
        )


def check_spec(spec: AgentSpec) -> None:
    """Raises BadRequest with the field that is out of range."""
    if not spec.harness:
        raise BadRequest("agent.harness", "must name a harness")
    if spec.max_rounds is not None and not 1 <= spec.max_rounds <= 1000:
        raise BadRequest("agent.max_rounds", "must be 1 to 1000")
    if spec.context_items is not None and not 1 <= spec.context_items <= 100_000:
        raise BadRequest("agent.context_items", "must be 1 to 100000")
    if len(set(spec.tools)) != len(spec.tools):
        raise BadRequest("agent.tools", "names a tool twice")
    if spec.retry is not None:
        _check_retry(spec.retry)


def _check_retry(retry: RetryPolicy) -> None:
    if any(delay < 0 for delay in retry.delays):
        raise BadRequest("agent.retry.delays", "must not be negative")
    if not 1 <= retry.max_attempts <= 1000:
        raise BadRequest("agent.retry.max_attempts", "must be 1 to 1000")
    if retry.deadline <= 0:
        raise BadRequest("agent.retry.deadline", "must be positive")
