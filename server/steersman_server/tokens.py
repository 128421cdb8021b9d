"""Token files: the first start writes one for each role, readable by their owner alone."""

import os
from pathlib import Path
from typing import Final

from steersman_server.core.values import Caller, Role, Tenant
from steersman_server.rpc.auth import new_token
from steersman_server.store import tokens
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction

LOCAL: Final = Tenant("default")
FILES: Final = (Role.ADMIN, Role.CLIENT, Role.RUNNER)


async def ensure_local_tokens(store: Store, folder: Path) -> None:
    """Make the tokens `admin`, `client` and `runner` where their file or record is missing."""

    def ensure(tx: Transaction) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for role in FILES:
            _ensure(tx, role, folder / role.value)

    await store.write(ensure)


def _ensure(tx: Transaction, role: Role, path: Path) -> None:
    standing = any(
        (token.caller.tenant, token.caller.name) == (LOCAL, role.value) and token.revoked_at is None
        for token in tokens.every(tx)
    )
    if standing and path.exists():
        return
    tokens.revoke(tx, LOCAL, role.value)
    token, text = new_token(Caller(LOCAL, role.value, role), tx.now)
    tokens.add(tx, token)
    write_private(path, text + "\n")


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read; replaces what was there."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    draft.replace(path)
