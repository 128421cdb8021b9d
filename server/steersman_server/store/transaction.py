"""One unit of work: a connection, the time, new ids, and what to tell afterwards."""

import secrets
from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import Connection, Executable

from steersman_server.core.notices import Notice
from steersman_server.core.values import Instant

Row = Mapping[str, Any]

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's, lower case: sorts as it counts


class Ids:
    """Sortable ids: later ones sort later, also within a millisecond and after the clock
    was set back. Inputs wait, and lists page, in their order."""

    def __init__(self) -> None:
        self._last = 0

    def new(self, prefix: str, now: Instant) -> str:
        """The prefix and a ULID: 48 bits of milliseconds, then 80 of entropy."""
        fresh = (now // 1000 << 80) | secrets.randbits(79)
        self._last = max(fresh, self._last + 1 + secrets.randbits(32))
        digits = (_ALPHABET[(self._last >> shift) & 31] for shift in range(125, -1, -5))
        return f"{prefix}_{''.join(digits)}"


class Missed(Exception):
    """A guarded write found another state than it was decided on: decide anew."""


class Transaction:
    """What a use case works with. Its work is committed with its batch, or not at all.

    `now` stands still within one unit of work. Notices are published after the
    commit, in the order of the log, and only then.
    """

    def __init__(self, connection: Connection, now: Instant, ids: Ids) -> None:
        self.connection = connection
        self.now = now
        self.notices: list[Notice] = []
        self._ids = ids

    def new_id(self, prefix: str) -> str:
        """A prefixed, sortable id; later ones sort later."""
        return self._ids.new(prefix, self.now)

    def tell(self, notice: Notice) -> None:
        self.notices.append(notice)

    def rows(self, statement: Executable, **values: Any) -> list[Row]:
        return cast(list[Row], self.connection.execute(statement, values).mappings().all())

    def row(self, statement: Executable, **values: Any) -> Row | None:
        return cast(Row | None, self.connection.execute(statement, values).mappings().first())

    def run(self, statement: Executable, values: Any = None) -> int:
        """Execute a write and answer how many rows it touched."""
        return self.connection.execute(statement, values).rowcount

    def guarded(self, statement: Executable, values: Any) -> None:
        """Execute an update that must find its row as it was decided on; raises Missed."""
        if self.run(statement, values) != 1:
            raise Missed(str(statement))
