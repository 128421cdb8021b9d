"""Reading history."""

from sqlalchemy import ColumnElement, Select, bindparam, select

from steersman_server.core.items import Item
from steersman_server.core.refusals import InvalidCursor
from steersman_server.core.turn import Turn
from steersman_server.core.values import SessionId
from steersman_server.store import rows
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

_IN_SESSION = sql.by_id(sql.ITEM, "session_id")
_STANDING = select(sql.ITEM).where(sql.ITEM.c.withdrawn_at.is_(None))
_OF_ATTEMPT = Prepared(
    _STANDING.where(
        sql.ITEM.c.turn_id == bindparam("turn_id"), sql.ITEM.c.attempt == bindparam("attempt")
    ).order_by(sql.ITEM.c.sequence)
)
_NEWEST = Prepared(
    _STANDING.where(sql.ITEM.c.session_id == bindparam("session_id"))
    .order_by(sql.ITEM.c.sequence.desc())
    .limit(bindparam("limit"))
)


def of_attempt(tx: Transaction, turn: Turn) -> list[Item]:
    """What history holds of the turn's newest attempt."""
    found = tx.rows(_OF_ATTEMPT, turn_id=turn.id, attempt=turn.attempt)
    return [rows.item_from_row(row) for row in found]


def context(tx: Transaction, turn: Turn, limit: int) -> list[Item]:
    """The history that a model gets: at most `limit` items, cut at a turn boundary.

    The running turn is always whole, however long it is.
    """
    found = tx.rows(_NEWEST, session_id=turn.session_id, limit=limit + 1)
    items = [rows.item_from_row(row) for row in reversed(found)]
    if len(items) <= limit:
        return items
    cut_turn = items[0].turn_id
    if cut_turn == turn.id:
        return of_attempt(tx, turn)
    return [item for item in items if item.turn_id != cut_turn]


def page(
    tx: Transaction,
    session_id: SessionId,
    *,
    descending: bool,
    after: str,
    before: str,
    limit: int,
    include_withdrawn: bool,
) -> tuple[list[Item], bool]:
    """A page by keyset on the sequence; answers it and whether another follows.

    With `before` alone the page is the one that ends there. Raises InvalidCursor
    for an item that is not of this session.
    """
    item = sql.ITEM.c
    statement = select(sql.ITEM).where(item.session_id == session_id)
    if not include_withdrawn:
        statement = statement.where(item.withdrawn_at.is_(None))
    backwards = bool(before) and not after
    for cursor, ahead in ((after, not descending), (before, descending)):
        if cursor:
            sequence = _sequence(tx, session_id, cursor)
            statement = statement.where(_side(item.sequence, sequence, ahead=ahead))
    found = tx.rows(_ordered(statement, descending is not backwards).limit(limit + 1))
    items = [rows.item_from_row(row) for row in found[:limit]]
    return (items[::-1] if backwards else items), len(found) > limit


def _sequence(tx: Transaction, session_id: SessionId, cursor: str) -> int:
    row = tx.row(_IN_SESSION, id=cursor, session_id=session_id)
    if row is None:
        raise InvalidCursor(cursor, "no such item in this session")
    sequence: int = row["sequence"]
    return sequence


def _side(column: ColumnElement[int], value: int, *, ahead: bool) -> ColumnElement[bool]:
    return column > value if ahead else column < value


def _ordered(statement: Select[tuple[object, ...]], descending: bool) -> Select[tuple[object, ...]]:
    column = sql.ITEM.c.sequence
    return statement.order_by(column.desc() if descending else column)
