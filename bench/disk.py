"""The other bare limit: a commit of one row that is flushed to disk, as the server's are."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bench.moments import now


def commits(directory: Path, seconds: float) -> Sequence[float]:
    """How long each of the commits took that fit into `seconds`. Blocks meanwhile."""
    took = []
    with closing(sqlite3.connect(directory / "bare.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE IF NOT EXISTS bare (value TEXT)")
        until = now() + seconds
        while now() < until:
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO bare VALUES (?)", ("x" * 500,))
            began = now()
            database.execute("COMMIT")
            took.append(now() - began)
    return took
