"""Notices: what others must be told once a unit of work is committed.

A notice is a doorbell. What it announces stands in the store; losing one costs
time, never a fact.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from steersman_server.core.assignment import Assignment
from steersman_server.core.events import Event
from steersman_server.core.interrupt import InterruptMode
from steersman_server.core.reconciliation import Reconciled
from steersman_server.core.runner import Runner
from steersman_server.core.session import Session
from steersman_server.core.values import (
    Epoch,
    Instant,
    InterruptId,
    RunnerId,
    SessionId,
    Tenant,
    TurnId,
)


@dataclass(frozen=True, slots=True)
class SessionAdvanced:
    """New events, in order and without a hole, and the session after them."""

    session: Session
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class SessionDeleted:
    tenant: Tenant
    session_id: SessionId


@dataclass(frozen=True, slots=True)
class TurnReady:
    """An active turn is queued and wants a runner that fits."""

    turn_id: TurnId
    tenant: Tenant
    queued_at: Instant
    harness: str
    tools: frozenset[str]
    selector: Mapping[str, str]
    runner_id: RunnerId | None


@dataclass(frozen=True, slots=True)
class TurnUnready:
    """A queued turn ended without having had a runner."""

    turn_id: TurnId


@dataclass(frozen=True, slots=True)
class RunnerWelcomed:
    """What a runner works on was held against the record. Every notice for it that
    follows is news; every earlier one is in here."""

    runner: Runner
    agreed: Reconciled


@dataclass(frozen=True, slots=True)
class StartWanted:
    """The runner is to take the turn."""

    assignment: Assignment


@dataclass(frozen=True, slots=True)
class TurnReleased:
    """The runner's slot is free: the turn ended, moved, or was declined."""

    tenant: Tenant
    runner_id: RunnerId
    turn_id: TurnId
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class StopWanted:
    """The runner is to stop the turn and report its end."""

    tenant: Tenant
    runner_id: RunnerId
    turn_id: TurnId
    epoch: Epoch
    interrupt_id: InterruptId
    mode: InterruptMode


@dataclass(frozen=True, slots=True)
class EpochOver:
    """The runner is to drop the turn: its epoch is over."""

    tenant: Tenant
    runner_id: RunnerId
    turn_id: TurnId
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class InterruptOpen:
    """An interrupt waits for its runner; after the grace it is forced."""

    turn_id: TurnId
    interrupt_id: InterruptId


Notice = (
    SessionAdvanced
    | SessionDeleted
    | TurnReady
    | TurnUnready
    | RunnerWelcomed
    | StartWanted
    | TurnReleased
    | StopWanted
    | EpochOver
    | InterruptOpen
)
