"""Where the server and the token are found."""

from pathlib import Path

import pytest

from steersman.settings import data_directory, find_token, server_address


def token(directory: Path, name: str, value: str) -> None:
    (directory / "tokens").mkdir(exist_ok=True)
    (directory / "tokens" / name).write_text(value + "\n")


def test_a_given_server_wins_over_the_environment_and_that_over_the_default() -> None:
    env = {"STEERSMAN_SERVER": "b:2"}
    assert server_address("a:1", env) == "a:1"
    assert server_address(None, env) == "b:2"
    assert server_address(None, {}) == "127.0.0.1:50051"


def test_the_token_is_looked_for_where_the_manual_says_in_that_order(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("of-file\n")
    token(tmp_path, "admin", "of-admin")
    env = {"STEERSMAN_TOKEN": "of-env", "STEERSMAN_DATA_DIR": str(tmp_path)}
    assert find_token("given", tmp_path / "file", env=env) == "given"
    assert find_token(None, tmp_path / "file", env=env) == "of-file"
    assert find_token(env=env) == "of-env"
    assert find_token(env={"STEERSMAN_DATA_DIR": str(tmp_path)}) == "of-admin"


def test_without_an_admin_token_the_clients_is_used(tmp_path: Path) -> None:
    token(tmp_path, "client", "of-client")
    assert find_token(data_dir=tmp_path, env={}) == "of-client"


def test_without_any_token_there_is_none(tmp_path: Path) -> None:
    assert find_token(data_dir=tmp_path, env={}) is None


def test_a_named_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        find_token(token_file=tmp_path / "nothing", env={})


def test_the_data_directory_can_be_set_by_the_environment() -> None:
    assert data_directory(env={"STEERSMAN_DATA_DIR": "/data"}) == Path("/data")
    assert data_directory("/given", env={"STEERSMAN_DATA_DIR": "/data"}) == Path("/given")
