"""A data directory: one server at a time, and token files for their owner alone."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from store_desk import OTHER, Desk

from steersman_server.core.refusals import Unauthenticated
from steersman_server.core.values import Caller, Role
from steersman_server.lock import DirectoryInUse, DirectoryLock
from steersman_server.rpc.auth import REMEMBERED, TokenBook, digest, new_token
from steersman_server.store import tokens
from steersman_server.tokens import LOCAL, ensure_local_tokens

HOLDER = """
import sys
from pathlib import Path
from steersman_server.lock import DirectoryLock
with DirectoryLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_server_is_refused_with_the_first_ones_process(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with DirectoryLock(folder):
        with pytest.raises(DirectoryInUse) as refused, DirectoryLock(folder):
            pass
        assert refused.value.owner == str(os.getpid())
        assert str(folder) in str(refused.value)
        assert (folder / "server.lock").read_text().strip() == str(os.getpid())
    with DirectoryLock(folder):
        pass
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "server.lock").stat().st_mode) == 0o600


def test_a_killed_server_leaves_its_directory_free(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "held\n"
            with pytest.raises(DirectoryInUse) as refused, DirectoryLock(tmp_path):
                pass
            assert refused.value.owner == str(child.pid)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
    with DirectoryLock(tmp_path):
        assert (tmp_path / "server.lock").read_text().strip() == str(os.getpid())


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(f"sqlite:///{tmp_path / 'steersman.db'}")
    yield desk
    await desk.store.close()


def bearer(folder: Path, name: str) -> str:
    return f"Bearer {(folder / name).read_text().strip()}"


async def test_the_first_start_writes_a_private_file_for_each_role(
    desk: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "tokens"
    before = os.umask(0)
    try:
        await ensure_local_tokens(desk.store, folder)
    finally:
        os.umask(before)
    assert {path.name for path in folder.iterdir()} == {"admin", "client", "runner"}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    book = TokenBook(desk.store)
    for role in (Role.ADMIN, Role.CLIENT, Role.RUNNER):
        assert stat.S_IMODE((folder / role.value).stat().st_mode) == 0o600
        caller = await book.caller(bearer(folder, role.value))
        assert caller == Caller(LOCAL, role.value, role)


async def test_later_starts_keep_the_tokens_and_make_what_is_missing(
    desk: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "tokens"
    await ensure_local_tokens(desk.store, folder)
    first = {path.name: path.read_text() for path in folder.iterdir()}
    await ensure_local_tokens(desk.store, folder)
    assert {path.name: path.read_text() for path in folder.iterdir()} == first
    lost = bearer(folder, "client")
    (folder / "client").unlink()
    await ensure_local_tokens(desk.store, folder)
    assert bearer(folder, "client") != lost
    with pytest.raises(Unauthenticated):
        await TokenBook(desk.store).caller(lost)


async def test_a_namesake_of_another_tenant_is_no_local_token(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    await ensure_local_tokens(desk.store, folder)
    theirs, _ = new_token(Caller(OTHER, "client", Role.CLIENT), desk.now)
    await desk.write(lambda tx: tokens.add(tx, theirs))
    await desk.write(lambda tx: tokens.revoke(tx, LOCAL, "client"))
    await ensure_local_tokens(desk.store, folder)
    caller = await TokenBook(desk.store).caller(bearer(folder, "client"))
    assert caller == Caller(LOCAL, "client", Role.CLIENT)


async def test_the_database_holds_digests_and_no_secret(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    await ensure_local_tokens(desk.store, folder)
    secrets = {path.name: path.read_text().strip().split("_", 2)[2] for path in folder.iterdir()}
    stored = {token.caller.name: token for token in await desk.read(tokens.every)}
    assert {name: stored[name].digest for name in secrets} == {
        name: digest(secret) for name, secret in secrets.items()
    }
    await desk.store.close()
    stored_bytes = b"".join(_database_files(tmp_path))
    assert not any(secret.encode() in stored_bytes for secret in secrets.values())


def _database_files(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.glob("steersman.db*")]


async def test_a_revoked_token_is_refused_as_soon_as_its_record_is_read_again(
    desk: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "tokens"
    await ensure_local_tokens(desk.store, folder)
    now = 0.0
    book = TokenBook(desk.store, clock=lambda: now)
    await book.caller(bearer(folder, "client"))
    await desk.write(lambda tx: tokens.revoke(tx, LOCAL, "client"))
    now = REMEMBERED
    with pytest.raises(Unauthenticated, match="revoked"):
        await book.caller(bearer(folder, "client"))
    await book.caller(bearer(folder, "admin"))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: None,
        lambda text: "",
        lambda text: text.removeprefix("Bearer "),
        lambda text: text.replace("Bearer", "Basic"),
        lambda text: text[:-1] + ("a" if text[-1] != "a" else "b"),
        lambda text: text.rpartition("_")[0],
        lambda text: "Bearer stm_0000000000000000_" + text.split("_", 2)[2],
        lambda text: "Bearer stm__",
    ],
    ids=["none", "empty", "no scheme", "scheme", "secret", "no secret", "id", "hollow"],
)
async def test_anything_but_the_whole_token_is_refused(
    desk: Desk, tmp_path: Path, change: "type[str]"
) -> None:
    folder = tmp_path / "tokens"
    await ensure_local_tokens(desk.store, folder)
    right = bearer(folder, "client")
    with pytest.raises(Unauthenticated) as refused:
        await TokenBook(desk.store).caller(change(right))
    assert right.split("_", 2)[2] not in str(refused.value)
