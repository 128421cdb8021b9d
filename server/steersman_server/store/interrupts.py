"""Reading interrupts."""

from sqlalchemy import bindparam, select

from steersman_server.core.interrupt import Interrupt
from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.values import InterruptId, SessionId, TurnId
from steersman_server.store import rows
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

_ONE = sql.by_id(sql.INTERRUPT)
_IN_SESSION = sql.by_id(sql.INTERRUPT, "session_id")
_OF_ATTEMPT = Prepared(
    select(sql.INTERRUPT).where(
        sql.INTERRUPT.c.turn_id == bindparam("turn_id"),
        sql.INTERRUPT.c.attempt == bindparam("attempt"),
    )
)
_PAGE = (
    select(sql.INTERRUPT)
    .where(sql.INTERRUPT.c.session_id == bindparam("session_id"))
    .order_by(sql.INTERRUPT.c.id.desc())
)


def find(tx: Transaction, interrupt_id: InterruptId) -> Interrupt | None:
    row = tx.row(_ONE, id=interrupt_id)
    return None if row is None else rows.interrupt_from_row(row)


def get(tx: Transaction, session_id: SessionId, interrupt_id: str) -> Interrupt:
    """Raises NotFound, also for an interrupt of another session."""
    row = tx.row(_IN_SESSION, id=interrupt_id, session_id=session_id)
    if row is None:
        raise NotFound("interrupt", interrupt_id)
    return rows.interrupt_from_row(row)


def of_attempt(tx: Transaction, turn_id: TurnId, attempt: int) -> Interrupt | None:
    """The interrupt that is ending, or has ended, this attempt."""
    row = tx.row(_OF_ATTEMPT, turn_id=turn_id, attempt=attempt)
    return None if row is None else rows.interrupt_from_row(row)


def page(
    tx: Transaction, session_id: SessionId, after: str, limit: int
) -> tuple[list[Interrupt], bool]:
    """Newest first; answers the page and whether another follows. Raises InvalidCursor."""
    statement = _PAGE
    if after:
        if tx.row(_IN_SESSION, id=after, session_id=session_id) is None:
            raise InvalidCursor(after, "no such interrupt in this session")
        statement = statement.where(sql.INTERRUPT.c.id < after)
    found = tx.rows(statement.limit(limit + 1), session_id=session_id)
    return [rows.interrupt_from_row(row) for row in found[:limit]], len(found) > limit


def add(tx: Transaction, interrupt: Interrupt) -> None:
    """Record an interrupt that found nothing to stop; the session's log has no part in it."""
    tx.run(sql.INSERT_INTERRUPT, rows.interrupt_values(interrupt))
