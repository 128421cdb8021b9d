"""Statements that SQLAlchemy builds and compiles once, and the driver runs.

Building, quoting, types and dialects are SQLAlchemy's work; it is done at the first
use of a statement. What a turn pays for afterwards is the driver alone: through
the ORM's machinery the same statement costs about ten times as much.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ClauseElement, Connection, Dialect
from sqlalchemy.exc import DBAPIError

Row = Mapping[str, Any]
Processor = Callable[[Any], Any]


class _Plan(NamedTuple):
    """A statement for one dialect: its text, its parameters in order, its columns."""

    text: str
    positional: bool
    names: tuple[str, ...]
    binds: tuple[tuple[str, Processor], ...]
    constants: Mapping[str, Any]
    columns: tuple[str, ...]
    results: tuple[tuple[str, Processor], ...]


class Prepared:
    """A statement that is always the same but for the values of its `bindparam`s."""

    def __init__(self, statement: ClauseElement) -> None:
        self.statement = statement
        self._plans: dict[str, _Plan] = {}

    def plan(self, dialect: Dialect) -> _Plan:
        plan = self._plans.get(dialect.name)
        if plan is None:
            plan = self._plans[dialect.name] = _compile(self.statement, dialect)
        return plan


def _compile(statement: ClauseElement, dialect: Dialect) -> _Plan:
    compiled: Any = statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
    names = tuple(compiled.positiontup or compiled.params)
    binds = {name: compiled.binds[name] for name in names if name in compiled.binds}
    selected = tuple(getattr(statement, "selected_columns", ()))
    return _Plan(
        text=str(compiled),
        positional=compiled.positional,
        names=names,
        binds=_processors(
            (name, bind.type.dialect_impl(dialect).bind_processor(dialect))
            for name, bind in binds.items()
        ),
        constants={name: compiled.params[name] for name in names},
        columns=tuple(column.key for column in selected),
        results=_processors(
            (column.key, column.type.dialect_impl(dialect).result_processor(dialect, None))
            for column in selected
        ),
    )


def _processors(found: Any) -> tuple[tuple[str, Processor], ...]:
    return tuple((name, process) for name, process in found if process is not None)


class Driver:
    """A connection as the driver has it. Raises sqlalchemy.exc.DBAPIError, as SQLAlchemy does."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._dialect = connection.dialect
        dbapi: Any = connection.connection
        self._cursor = dbapi.cursor()
        self._error: Final = connection.dialect.loaded_dbapi.Error

    def command(self, text: str) -> None:
        """Run a statement without parameters: BEGIN, SAVEPOINT, COMMIT."""
        try:
            self._cursor.execute(text)
        except self._error as error:
            raise self._translated(text, error) from error

    def rows(self, prepared: Prepared, values: Mapping[str, Any]) -> list[Row]:
        plan = prepared.plan(self._dialect)
        self._execute(plan, values)
        return [self._row(plan, found) for found in self._cursor.fetchall()]

    def row(self, prepared: Prepared, values: Mapping[str, Any]) -> Row | None:
        plan = prepared.plan(self._dialect)
        self._execute(plan, values)
        found = self._cursor.fetchone()
        # A statement that is not read to its end would hold its lock.
        self._cursor.fetchall()
        return None if found is None else self._row(plan, found)

    def run(self, prepared: Prepared, values: Mapping[str, Any]) -> int:
        """Answers how many rows were touched."""
        self._execute(prepared.plan(self._dialect), values)
        count: int = self._cursor.rowcount
        return count

    def run_many(self, prepared: Prepared, many: Sequence[Mapping[str, Any]]) -> None:
        plan = prepared.plan(self._dialect)
        try:
            self._cursor.executemany(plan.text, [_bound(plan, values) for values in many])
        except self._error as error:
            raise self._translated(plan.text, error) from error

    def _execute(self, plan: _Plan, values: Mapping[str, Any]) -> None:
        try:
            self._cursor.execute(plan.text, _bound(plan, values))
        except self._error as error:
            raise self._translated(plan.text, error) from error

    def _row(self, plan: _Plan, found: Sequence[Any]) -> Row:
        row = dict(zip(plan.columns, found, strict=True))
        for name, process in plan.results:
            row[name] = process(row[name])
        return row

    def _translated(self, text: str, error: Exception) -> BaseException:
        # Without the parameters: what people said stands in them.
        return DBAPIError.instance(
            text, None, error, self._error, hide_parameters=True, dialect=self._dialect
        )

    def close(self) -> None:
        self._cursor.close()


def _bound(plan: _Plan, values: Mapping[str, Any]) -> Any:
    given = {**plan.constants, **values}
    for name, process in plan.binds:
        given[name] = process(given[name])
    if plan.positional:
        return [given[name] for name in plan.names]
    return {name: given[name] for name in plan.names}
