"""Tokens: names, roles and digests. The secret itself is never stored."""

from dataclasses import dataclass

from sqlalchemy import bindparam, select, update

from steersman_server.core.values import Caller, Instant, Role, Tenant
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Row, Transaction

_ONE = sql.by_id(sql.TOKEN)
_ALL = Prepared(select(sql.TOKEN).order_by(sql.TOKEN.c.created_at, sql.TOKEN.c.id))
_INSERT = sql.insert_into(sql.TOKEN)
_REVOKE = Prepared(
    update(sql.TOKEN)
    .where(
        sql.TOKEN.c.tenant == bindparam("was_tenant"),
        sql.TOKEN.c.name == bindparam("was_name"),
        sql.TOKEN.c.revoked_at.is_(None),
    )
    .values(revoked_at=bindparam("at"))
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is stored. `digest` is the SHA-256 of its secret, in hex."""

    id: str
    caller: Caller
    digest: str
    created_at: Instant
    revoked_at: Instant | None = None


def find(tx: Transaction, token_id: str) -> Token | None:
    row = tx.row(_ONE, id=token_id)
    return None if row is None else _token(row)


def every(tx: Transaction) -> list[Token]:
    """All tokens, oldest first, revoked ones included."""
    return [_token(row) for row in tx.rows(_ALL)]


def add(tx: Transaction, token: Token) -> None:
    tx.run(
        _INSERT,
        {
            "id": token.id,
            "tenant": token.caller.tenant,
            "name": token.caller.name,
            "role": token.caller.role.value,
            "digest": token.digest,
            "created_at": token.created_at,
            "revoked_at": token.revoked_at,
        },
    )


def revoke(tx: Transaction, tenant: Tenant, name: str) -> int:
    """Revoke the tokens of this name; answers how many there were."""
    return tx.run(_REVOKE, {"was_tenant": tenant, "was_name": name, "at": tx.now})


def _token(row: Row) -> Token:
    return Token(
        id=row["id"],
        caller=Caller(Tenant(row["tenant"]), row["name"], Role(row["role"])),
        digest=row["digest"],
        created_at=Instant(row["created_at"]),
        revoked_at=row["revoked_at"],
    )
