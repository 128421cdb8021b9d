"""Opening the database: its settings, its capabilities, its schema."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.pool import NullPool

MIGRATIONS = Path(__file__).parent / "migrations"
HEAD = "0001"
"""The newest revision in migrations/versions."""
BUSY_TIMEOUT = 5.0  # seconds a writer waits for somebody else's lock


@dataclass(frozen=True, slots=True)
class Database:
    """An engine whose schema is up to date."""

    engine: Engine

    def close(self) -> None:
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Connect and bring the schema up to date.

    `url` is an SQLAlchemy URL; for SQLite the file is made when it is not there.
    Raises sqlalchemy.exc.DBAPIError when the database cannot be opened, and
    NewerDatabase; UnsupportedDatabase for anything but SQLite.
    """
    if make_url(url).get_backend_name() != "sqlite":
        raise UnsupportedDatabase(url.partition(":")[0])
    engine = create_engine(
        url,
        poolclass=NullPool,
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
    )
    event.listen(engine, "connect", _configure_sqlite)
    migrate(engine)
    return Database(engine)


def _configure_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    # The driver must not open transactions behind our back: the writer says
    # BEGIN IMMEDIATE itself, so that a lock is met there and nowhere else.
    connection.isolation_level = None
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",  # OK means committed, also after a power cut
        f"busy_timeout = {int(BUSY_TIMEOUT * 1000)}",
        "foreign_keys = ON",
        "temp_store = MEMORY",
        "cache_size = -32768",
    ):
        connection.execute(f"PRAGMA {pragma}")
    # SQLite's own knows ASCII alone; watches compare titles as Python does.
    connection.create_function("lower", 1, str.casefold, deterministic=True)


class UnsupportedDatabase(Exception):
    """The store does not speak this database yet."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not supported; the store runs on SQLite")


class NewerDatabase(Exception):
    """The database was written by a newer version of this program."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"the database is at revision {revision}, which this version does not know; "
            "run the newer version that wrote it"
        )


def migrate(engine: Engine) -> None:
    """Run the migrations that this database lacks. Raises NewerDatabase."""
    with engine.connect() as connection:
        revision = _revision(connection)
        if revision != HEAD:
            _upgrade(connection, revision)


def _upgrade(connection: Connection, revision: str | None) -> None:
    # Here and not above: a start on a database that is up to date needs none of it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    known = {s.revision for s in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise NewerDatabase(revision)
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    command.upgrade(config, "head")
    connection.exec_driver_sql("COMMIT")


def _revision(connection: Connection) -> str | None:
    if not connection.dialect.has_table(connection, "alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
