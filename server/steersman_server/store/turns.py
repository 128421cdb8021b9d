"""Reading turns and the inputs that wait."""

from collections.abc import Iterable

from sqlalchemy import bindparam, or_, select

from steersman_server.core.items import PendingInput
from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.turn import HELD, Turn, TurnState
from steersman_server.core.values import RunnerId, SessionId, Tenant, TurnId
from steersman_server.store import rows
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

_ONE = sql.by_id(sql.TURN)
_IN_SESSION = sql.by_id(sql.TURN, "session_id")
_PAGE = (
    select(sql.TURN)
    .where(sql.TURN.c.session_id == bindparam("session_id"))
    .order_by(sql.TURN.c.id.desc())
)
_HELD = or_(*(sql.TURN.c.state == state.value for state in TurnState if state in HELD))
_LIVE = select(sql.TURN).where(sql.TURN.c.ended_at.is_(None))
_HELD_BY = Prepared(
    _LIVE.where(
        sql.TURN.c.tenant == bindparam("tenant"),
        sql.TURN.c.runner_id == bindparam("runner_id"),
        _HELD,
    )
)
_PENDING = (
    select(sql.PENDING)
    .where(sql.PENDING.c.session_id == bindparam("session_id"))
    .order_by(sql.PENDING.c.turn_id)
)
_ALL_PENDING = Prepared(_PENDING)
_FIRST_PENDING = Prepared(_PENDING.limit(1))


def find(tx: Transaction, turn_id: TurnId) -> Turn | None:
    row = tx.row(_ONE, id=turn_id)
    return None if row is None else rows.turn_from_row(row)


def get(tx: Transaction, session_id: SessionId, turn_id: str) -> Turn:
    """Raises NotFound, also for a turn of another session."""
    row = tx.row(_IN_SESSION, id=turn_id, session_id=session_id)
    if row is None:
        raise NotFound("turn", turn_id)
    return rows.turn_from_row(row)


def page(tx: Transaction, session_id: SessionId, after: str, limit: int) -> tuple[list[Turn], bool]:
    """Newest first; answers the page and whether another follows. Raises InvalidCursor."""
    statement = _PAGE
    if after:
        if tx.row(_IN_SESSION, id=after, session_id=session_id) is None:
            raise InvalidCursor(after, "no such turn in this session")
        statement = statement.where(sql.TURN.c.id < after)
    found = tx.rows(statement.limit(limit + 1), session_id=session_id)
    return [rows.turn_from_row(row) for row in found[:limit]], len(found) > limit


def held_by(tx: Transaction, tenant: Tenant, runner_id: RunnerId) -> list[Turn]:
    """The turns under a lease of this runner."""
    return [
        rows.turn_from_row(row) for row in tx.rows(_HELD_BY, tenant=tenant, runner_id=runner_id)
    ]


def live(tx: Transaction, states: Iterable[TurnState]) -> list[Turn]:
    """Active turns in any of these states, oldest first."""
    statement = _LIVE.where(
        sql.TURN.c.state.in_([state.value for state in states]), sql.TURN.c.active
    ).order_by(sql.TURN.c.created_at, sql.TURN.c.id)
    found = tx.rows(statement)
    return [rows.turn_from_row(row) for row in found]


def pending(tx: Transaction, session_id: SessionId) -> list[PendingInput]:
    """The inputs that wait, first in first."""
    return [rows.input_from_row(row) for row in tx.rows(_ALL_PENDING, session_id=session_id)]


def first_pending(tx: Transaction, session_id: SessionId) -> PendingInput | None:
    row = tx.row(_FIRST_PENDING, session_id=session_id)
    return None if row is None else rows.input_from_row(row)


def held_runners(tx: Transaction) -> set[tuple[Tenant, RunnerId]]:
    """Every runner that holds a turn."""
    statement = _LIVE.where(_HELD)
    return {
        (Tenant(row["tenant"]), RunnerId(row["runner_id"]))
        for row in tx.rows(statement)
        if row["runner_id"] is not None
    }
