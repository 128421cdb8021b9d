"""Reading the log."""

from sqlalchemy import bindparam, func, select

from steersman_server.core.events import Event, EventKind
from steersman_server.core.values import SessionId
from steersman_server.store import event_rows, rows
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

_AFTER = Prepared(
    select(sql.EVENT)
    .where(
        sql.EVENT.c.session_id == bindparam("session_id"),
        sql.EVENT.c.sequence > bindparam("after"),
    )
    .order_by(sql.EVENT.c.sequence)
    .limit(bindparam("limit"))
)
_ITEMS = Prepared(
    select(sql.ITEM).where(
        sql.ITEM.c.session_id == bindparam("session_id"),
        sql.ITEM.c.sequence.between(bindparam("first"), bindparam("last")),
    )
)
_FIRST = Prepared(
    select(func.min(sql.EVENT.c.sequence).label("first")).where(
        sql.EVENT.c.session_id == bindparam("session_id")
    )
)


def after(tx: Transaction, session_id: SessionId, sequence: int, limit: int) -> list[Event]:
    """The next events of the log, at most `limit`."""
    found = tx.rows(_AFTER, session_id=session_id, after=sequence, limit=limit)
    if not found:
        return []
    items = {}
    if any(row["kind"] == EventKind.ITEM_ADDED for row in found):
        first, last = found[0]["sequence"], found[-1]["sequence"]
        spread = tx.rows(_ITEMS, session_id=session_id, first=first, last=last)
        items = {row["sequence"]: rows.item_from_row(row) for row in spread}
    return [event_rows.event_from_row(row, items.get(row["sequence"])) for row in found]


def first_available(tx: Transaction, session_id: SessionId) -> int:
    """The oldest sequence that the log still has; 1 for an empty log."""
    row = tx.row(_FIRST, session_id=session_id)
    return 1 if row is None or row["first"] is None else int(row["first"])
