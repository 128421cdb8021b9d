"""The tables. Rows are dumb: what they mean is in core, how they map in rows.py."""

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, PrimaryKeyConstraint, Text, text
from sqlmodel import Field, SQLModel


def _big(**options: Any) -> Any:
    return Field(sa_type=BigInteger, **options)


def _text(**options: Any) -> Any:
    return Field(sa_type=Text, **options)


def _json() -> Any:
    return Field(sa_column=Column(JSON, nullable=False))


def _maybe_json() -> Any:
    return Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))


class TokenRow(SQLModel, table=True):
    __tablename__ = "token"

    id: str = Field(primary_key=True)
    tenant: str
    name: str
    role: str
    digest: str
    created_at: int = _big()
    revoked_at: int | None = _big(default=None)


class AgentRow(SQLModel, table=True):
    __tablename__ = "agent"
    __table_args__ = (PrimaryKeyConstraint("tenant", "name", "version"),)

    tenant: str
    name: str
    version: int
    spec: dict[str, Any] = _json()
    created_at: int = _big()
    newest: bool
    deleted_at: int | None = _big(default=None)


class RunnerRow(SQLModel, table=True):
    __tablename__ = "runner"
    __table_args__ = (PrimaryKeyConstraint("tenant", "id"),)

    tenant: str
    id: str
    generation: int = _big()
    labels: dict[str, str] = _json()
    slots: int
    harnesses: list[str] = _json()
    tools: list[str] = _json()
    version: str
    protocol: int
    address: str
    connected_at: int = _big()
    last_seen_at: int = _big()


class SessionRow(SQLModel, table=True):
    __tablename__ = "session"
    __table_args__ = (Index("session_by_tenant", "tenant", "id"),)

    id: str = Field(primary_key=True)
    tenant: str
    agent: str
    agent_version: int
    title: str = _text()
    labels: dict[str, str] = _json()
    status: str
    active_turn_id: str | None = None
    waiting: int
    last_error: dict[str, Any] | None = _maybe_json()
    runner_id: str | None = None
    selector: dict[str, str] = _json()
    head_sequence: int = _big()
    usage: list[int] = _json()
    created_at: int = _big()
    updated_at: int = _big()
    archived_at: int | None = _big(default=None)
    revision: int


class TurnRow(SQLModel, table=True):
    __tablename__ = "turn"
    __table_args__ = (
        Index("turn_by_session", "session_id", "id"),
        Index("turn_by_runner", "runner_id", sqlite_where=text("ended_at IS NULL")),
        Index("turn_live", "state", sqlite_where=text("ended_at IS NULL")),
    )

    id: str = Field(primary_key=True)
    session_id: str
    tenant: str
    input_item_id: str
    created_at: int = _big()
    state: str
    active: bool
    attempt: int
    try_number: int
    round: int
    epoch: int = _big()
    frame: int = _big()
    runner_id: str | None = None
    interrupt_id: str | None = None
    error: dict[str, Any] | None = _maybe_json()
    stop_reason: str
    usage: list[int] = _json()
    started_at: int | None = _big(default=None)
    ended_at: int | None = _big(default=None)


class ItemRow(SQLModel, table=True):
    __tablename__ = "item"
    __table_args__ = (
        Index("item_by_session", "session_id", "sequence", unique=True),
        Index("item_by_turn", "turn_id", "sequence"),
    )

    id: str = Field(primary_key=True)
    session_id: str
    sequence: int = _big()
    turn_id: str
    attempt: int
    round: int
    type: str
    role: str | None = None
    status: str
    content: list[list[str]] = _json()
    name: str = _text()
    arguments: str = _text()
    call_id: str = _text()
    call_item_id: str
    output: str = _text()
    marker: str
    truncated: bool
    synthetic: bool
    actor: str
    created_at: int = _big()
    started_at: int | None = _big(default=None)
    withdrawn_at: int | None = _big(default=None)


class PendingInputRow(SQLModel, table=True):
    __tablename__ = "pending_input"
    __table_args__ = (Index("pending_by_session", "session_id", "turn_id"),)

    item_id: str = Field(primary_key=True)
    session_id: str
    turn_id: str
    role: str
    content: list[list[str]] = _json()
    actor: str
    created_at: int = _big()


class InterruptRow(SQLModel, table=True):
    __tablename__ = "interrupt"
    __table_args__ = (
        Index("interrupt_by_session", "session_id", "id"),
        Index("interrupt_by_turn", "turn_id", "attempt", unique=True),
    )

    id: str = Field(primary_key=True)
    tenant: str
    session_id: str
    turn_id: str | None = None
    attempt: int
    state: str
    mode: str
    reason: str = _text()
    actor: str
    requested_at: int = _big()
    delivered_at: int | None = _big(default=None)
    settled_at: int | None = _big(default=None)
    may_run_until: int | None = _big(default=None)
    stopped: list[list[str]] = _json()
    dropped_inputs: list[dict[str, Any]] = _json()


class EventRow(SQLModel, table=True):
    """An item's event holds no data of its own: it is the item with this sequence."""

    __tablename__ = "event"
    __table_args__ = (
        PrimaryKeyConstraint("session_id", "sequence"),
        {"sqlite_with_rowid": False},
    )

    session_id: str
    sequence: int = _big()
    kind: str
    turn_id: str | None = None
    attempt: int
    actor: str
    created_at: int = _big()
    session_status: str
    data: dict[str, Any] | None = _maybe_json()


class RequestRow(SQLModel, table=True):
    """A mutation that was answered under a request_id, and the answer."""

    __tablename__ = "request"
    __table_args__ = (
        PrimaryKeyConstraint("tenant", "token", "method", "request_id"),
        Index("request_by_age", "created_at"),
    )

    tenant: str
    token: str
    method: str
    request_id: str
    fingerprint: str
    answer: bytes
    created_at: int = _big()
