"""Reading sessions, and deleting them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Select, delete, select

from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.session import Session, SessionStatus
from steersman_server.core.values import SessionId, Tenant
from steersman_server.store import rows
from steersman_server.store import statements as sql
from steersman_server.store.transaction import Transaction

_ONE = sql.by_id(sql.SESSION, "tenant")
_OF_TURN = sql.by_id(sql.SESSION)
_TABLES_OF_A_SESSION = (sql.EVENT, sql.ITEM, sql.PENDING, sql.INTERRUPT, sql.TURN)


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """All that is set must hold. `title` is a part of it, upper and lower case alike."""

    statuses: Sequence[SessionStatus] = ()
    agent: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    include_archived: bool = False

    def admits(self, session: Session) -> bool:
        return (
            (not self.statuses or session.status in self.statuses)
            and self.agent in ("", session.agent)
            and self.labels.items() <= session.labels.items()
            and self.title.casefold() in session.title.casefold()
            and (self.include_archived or session.archived_at is None)
        )


def get(tx: Transaction, tenant: Tenant, session_id: str) -> Session:
    """Raises NotFound, also for another tenant's session."""
    row = tx.row(_ONE, id=session_id, tenant=tenant)
    if row is None:
        raise NotFound("session", session_id)
    return rows.session_from_row(row)


def get_any(tx: Transaction, session_id: SessionId) -> Session:
    """The session of a turn that a runner holds; the lease has checked who asks."""
    row = tx.row(_OF_TURN, id=session_id)
    if row is None:
        raise NotFound("session", session_id)
    return rows.session_from_row(row)


def page(
    tx: Transaction, tenant: Tenant, chosen: SessionFilter, after: str, limit: int
) -> tuple[list[Session], bool]:
    """Newest first; answers the page and whether another follows. Raises InvalidCursor."""
    statement = _chosen(tenant, chosen)
    if after:
        if tx.row(_ONE, id=after, tenant=tenant) is None:
            raise InvalidCursor(after, "no such session")
        statement = statement.where(sql.SESSION.c.id < after)
    found = tx.rows(statement.order_by(sql.SESSION.c.id.desc()).limit(limit + 1))
    return [rows.session_from_row(row) for row in found[:limit]], len(found) > limit


def _chosen(tenant: Tenant, chosen: SessionFilter) -> Select[tuple[object, ...]]:
    session = sql.SESSION.c
    statement: Select[tuple[object, ...]] = select(sql.SESSION).where(session.tenant == tenant)
    if chosen.statuses:
        statement = statement.where(session.status.in_([s.value for s in chosen.statuses]))
    if chosen.agent:
        statement = statement.where(session.agent == chosen.agent)
    for name, value in chosen.labels.items():
        statement = statement.where(session.labels[name].as_string() == value)
    if chosen.title:
        statement = statement.where(session.title.icontains(chosen.title, autoescape=True))
    if not chosen.include_archived:
        statement = statement.where(session.archived_at.is_(None))
    return statement


def remove(tx: Transaction, session_id: SessionId) -> None:
    """Delete the session and everything in it."""
    for table in _TABLES_OF_A_SESSION:
        tx.run(delete(table).where(table.c.session_id == session_id))
    tx.run(delete(sql.SESSION).where(sql.SESSION.c.id == session_id))
