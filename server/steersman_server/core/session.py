"""The session machine: its status is a function of its turns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from steersman_server.core.refusals import SessionArchived
from steersman_server.core.turn import TurnState
from steersman_server.core.values import (
    Failure,
    Instant,
    RunnerId,
    SessionId,
    Tenant,
    TurnId,
    Usage,
)


class SessionStatus(StrEnum):
    IDLE = "idle"
    RUNNING = "running"
    WAITING = "waiting"
    FAILED = "failed"


STATUS_WITH: Final[dict[TurnState, SessionStatus]] = {
    TurnState.QUEUED: SessionStatus.RUNNING,
    TurnState.ASSIGNED: SessionStatus.RUNNING,
    TurnState.RUNNING: SessionStatus.RUNNING,
    TurnState.BACKING_OFF: SessionStatus.RUNNING,
    TurnState.WAITING: SessionStatus.WAITING,
    TurnState.INTERRUPTING: SessionStatus.RUNNING,
    TurnState.COMPLETED: SessionStatus.IDLE,
    TurnState.FAILED: SessionStatus.FAILED,
    TurnState.INTERRUPTED: SessionStatus.IDLE,
}
"""A session's status while this is the state of its active turn, or of its last one."""


@dataclass(frozen=True, slots=True)
class Session:
    """A durable conversation.

    `head_sequence` is the newest event's; `waiting` counts inputs behind the
    active turn; `revision` counts changes of title and labels and is the etag.
    """

    id: SessionId
    tenant: Tenant
    agent: str
    agent_version: int
    created_at: Instant
    updated_at: Instant
    title: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    status: SessionStatus = SessionStatus.IDLE
    active_turn_id: TurnId | None = None
    waiting: int = 0
    last_error: Failure | None = None
    runner_id: RunnerId | None = None
    selector: Mapping[str, str] = field(default_factory=dict)
    head_sequence: int = 0
    usage: Usage = Usage()
    archived_at: Instant | None = None
    revision: int = 1

    @property
    def busy(self) -> bool:
        return self.active_turn_id is not None

    def open_for_messages(self) -> None:
        """Raises SessionArchived when no message may enter any more."""
        if self.archived_at is not None:
            raise SessionArchived(self.id)
