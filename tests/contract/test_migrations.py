"""Migrations: they end where the tables are declared, and run once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect
from sqlalchemy.pool import NullPool
from sqlmodel import SQLModel

from steersman_server.store import engine, tables
from steersman_server.store.engine import NewerDatabase, UnsupportedDatabase, open_database


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'steersman.db'}"


@pytest.fixture
def upgraded(url: str) -> Iterator[Engine]:
    open_database(url).close()
    bare = create_engine(url, poolclass=NullPool)
    yield bare
    bare.dispose()


def test_an_upgraded_database_has_the_declared_tables_and_nothing_else(upgraded: Engine) -> None:
    with upgraded.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, SQLModel.metadata) == []


def test_indexes_and_keys_are_those_of_the_tables(upgraded: Engine, tmp_path: Path) -> None:
    """Autogeneration does not see partial indexes, primary keys and WITHOUT ROWID: SQLite does."""
    declared = create_engine(f"sqlite:///{tmp_path / 'declared.db'}", poolclass=NullPool)
    SQLModel.metadata.create_all(declared)
    assert _schema(upgraded) == _schema(declared)
    assert tables.EventRow.__tablename__ in inspect(upgraded).get_table_names()


def _schema(of: Engine) -> dict[str, object]:
    looked = inspect(of)
    found: dict[str, object] = {}
    with of.connect() as connection:
        for name in looked.get_table_names():
            if name == "alembic_version":
                continue
            indexes = connection.exec_driver_sql(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index'"
                f" AND tbl_name = '{name}' AND sql IS NOT NULL ORDER BY name"
            ).all()
            text = connection.exec_driver_sql(
                f"SELECT sql FROM sqlite_master WHERE name = '{name}'"
            ).scalar_one()
            key = looked.get_pk_constraint(name)["constrained_columns"]
            rowid = "WITHOUT ROWID" not in text
            found[name] = (key, rowid, [(one, " ".join(sql.split())) for one, sql in indexes])
    return found


def test_opening_again_runs_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_database(url).close()

    def upgrade(*_: object) -> None:
        pytest.fail("a database that is up to date was migrated")

    monkeypatch.setattr("alembic.command.upgrade", upgrade)
    open_database(url).close()


def test_the_history_of_migrations_is_one_line() -> None:
    script = ScriptDirectory(str(engine.MIGRATIONS))
    assert len(script.get_heads()) == 1
    assert len(script.get_bases()) == 1


def test_a_database_of_a_newer_version_is_refused_by_name(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'newer.db'}"
    database = open_database(url)
    with database.engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(NewerDatabase, match="9999"):
        open_database(url)


def test_the_head_that_a_start_compares_with_is_the_newest_migration() -> None:
    assert ScriptDirectory(str(engine.MIGRATIONS)).get_current_head() == engine.HEAD


def test_a_database_that_the_store_does_not_speak_is_refused_without_its_password() -> None:
    with pytest.raises(UnsupportedDatabase, match="postgresql is not supported") as refused:
        open_database("postgresql://me:secret@127.0.0.1/steersman")
    assert "secret" not in str(refused.value)
