"""One unit of work: a connection, the time, new ids, and what to tell afterwards."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from sqlalchemy import ClauseElement

from steersman_server.core.notices import Notice
from steersman_server.core.values import Instant
from steersman_server.store.prepared import Driver, Prepared, Row

__all__ = ["Ids", "Missed", "Row", "Transaction"]

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's, lower case: sorts as it counts
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]


class Ids:
    """Sortable ids: later ones sort later, also within a millisecond and after the clock
    was set back. Inputs wait, and lists page, in their order."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        """`given`: ids from before this process, which new ones follow."""
        self._last = max(map(_number, given), default=0)

    def new(self, prefix: str, now: Instant) -> str:
        """The prefix and a ULID: 48 bits of milliseconds, then 80 of entropy."""
        fresh = (now // 1000 << 80) | secrets.randbits(79)
        last = self._last = max(fresh, self._last + 1 + secrets.randbits(32))
        digits = [_PAIRS[(last >> shift) & 1023] for shift in range(120, -1, -10)]
        return f"{prefix}_{''.join(digits)}"


def _number(given: str) -> int:
    """What an id counts as; 0 for one that was not made here."""
    digits = given.rpartition("_")[2]
    if len(digits) != 26 or not set(digits) <= set(_ALPHABET):
        return 0
    return reduce(lambda number, digit: number << 5 | _ALPHABET.index(digit), digits, 0)


class Missed(Exception):
    """A guarded write found another state than it was decided on: decide anew."""


class Transaction:
    """What a use case works with. Its work is committed with its batch, or not at all.

    `now` stands still within one unit of work. Notices are published after the
    commit, in the order of the log, and only then. Statements that are always the
    same come as Prepared; one that is built for the occasion is compiled for it.
    """

    def __init__(self, driver: Driver, now: Instant, ids: Ids) -> None:
        self.now = now
        self.notices: list[Notice] = []
        self.driver = driver
        self._ids = ids

    def new_id(self, prefix: str) -> str:
        """A prefixed, sortable id; later ones sort later."""
        return self._ids.new(prefix, self.now)

    def tell(self, notice: Notice) -> None:
        self.notices.append(notice)

    def rows(self, statement: Prepared | ClauseElement, **values: Any) -> list[Row]:
        return self.driver.rows(_prepared(statement), values)

    def row(self, statement: Prepared | ClauseElement, **values: Any) -> Row | None:
        return self.driver.row(_prepared(statement), values)

    def run(
        self, statement: Prepared | ClauseElement, values: Mapping[str, Any] | None = None
    ) -> int:
        """Execute a write and answer how many rows it touched."""
        return self.driver.run(_prepared(statement), values or {})

    def run_many(self, statement: Prepared, many: Sequence[Mapping[str, Any]]) -> None:
        """Execute a write for each of `many`."""
        self.driver.run_many(statement, many)

    def guarded(self, statement: Prepared, values: Mapping[str, Any]) -> None:
        """Execute an update that must find its row as it was decided on; raises Missed."""
        if self.run(statement, values) != 1:
            raise Missed(str(statement.statement))


def _prepared(statement: Prepared | ClauseElement) -> Prepared:
    return statement if isinstance(statement, Prepared) else Prepared(statement)
