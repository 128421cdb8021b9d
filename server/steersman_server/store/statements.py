"""Statements that several rooms of the store use, built once: SQLAlchemy caches by object."""

from typing import Any

from sqlalchemy import Table, bindparam, insert, select, update
from sqlmodel import SQLModel

from steersman_server.store.prepared import Prepared
from steersman_server.store.tables import (
    AgentRow,
    EventRow,
    InterruptRow,
    ItemRow,
    PendingInputRow,
    RequestRow,
    RunnerRow,
    SessionRow,
    TokenRow,
    TurnRow,
)


def table_of(row: type[SQLModel]) -> Table:
    table: Table = row.__table__  # type: ignore[attr-defined]
    return table


TOKEN = table_of(TokenRow)
AGENT = table_of(AgentRow)
RUNNER = table_of(RunnerRow)
SESSION = table_of(SessionRow)
TURN = table_of(TurnRow)
ITEM = table_of(ItemRow)
PENDING = table_of(PendingInputRow)
INTERRUPT = table_of(InterruptRow)
EVENT = table_of(EventRow)
REQUEST = table_of(RequestRow)


def by_id(table: Table, *more: str) -> Prepared:
    """SELECT of one row by `id` and the columns named."""
    statement = select(table).where(table.c.id == bindparam("id"))
    for name in more:
        statement = statement.where(table.c[name] == bindparam(name))
    return Prepared(statement)


def update_guarded(table: Table, *guards: str) -> Prepared:
    """UPDATE of one row by `id`, where each guard column still is `was_<name>`.

    The values given at execution name the columns; the guard values come as
    `was_<name>` beside them.
    """
    statement = update(table).where(table.c.id == bindparam("was_id"))
    for name in guards:
        statement = statement.where(table.c[name] == bindparam(f"was_{name}"))
    return Prepared(statement.values(bound(table, but="id")))


def bound(table: Table, but: str = "") -> dict[str, Any]:
    """Every column, its value a parameter of its name and type."""
    return {c.name: bindparam(c.name, type_=c.type) for c in table.c if c.name != but}


def insert_into(table: Table) -> Prepared:
    """INSERT of one whole row."""
    return Prepared(insert(table).values(bound(table)))


def changes(values: dict[str, Any], **was: Any) -> dict[str, Any]:
    """The parameters of a guarded update: all columns but the id, and what they were."""
    new = {name: value for name, value in values.items() if name != "id"}
    return new | {f"was_{name}": value for name, value in was.items()}


INSERT_SESSION = insert_into(SESSION)
INSERT_TURN = insert_into(TURN)
INSERT_ITEM = insert_into(ITEM)
INSERT_PENDING = insert_into(PENDING)
INSERT_INTERRUPT = insert_into(INTERRUPT)
INSERT_EVENT = insert_into(EVENT)

# The guards that make a decision hold: nobody else wrote to the session's log, and
# the turn is in the state and under the epoch and frame it was decided on.
UPDATE_SESSION = update_guarded(SESSION, "head_sequence", "revision")
UPDATE_TURN = update_guarded(TURN, "state", "epoch", "frame", "attempt")
UPDATE_INTERRUPT = update_guarded(INTERRUPT, "state")
