"""Mutations that were answered under a request_id, and their answers."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, select

from steersman_server.core.values import Caller, Instant
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

KEPT: Final = 24 * 3600 * 1_000_000
"""Microseconds for which an answer is kept."""

_REQUEST = sql.REQUEST.c
_ONE = Prepared(
    select(sql.REQUEST).where(
        _REQUEST.tenant == bindparam("tenant"),
        _REQUEST.token == bindparam("token"),
        _REQUEST.method == bindparam("method"),
        _REQUEST.request_id == bindparam("request_id"),
        _REQUEST.created_at > bindparam("oldest"),
    )
)
_INSERT = sql.insert_into(sql.REQUEST)
_FORGET = Prepared(
    delete(sql.REQUEST).where(
        _REQUEST.tenant == bindparam("tenant"),
        _REQUEST.token == bindparam("token"),
        _REQUEST.method == bindparam("method"),
        _REQUEST.request_id == bindparam("request_id"),
    )
)
_EXPIRED = Prepared(delete(sql.REQUEST).where(_REQUEST.created_at <= bindparam("oldest")))


@dataclass(frozen=True, slots=True)
class RequestKey:
    """One mutation of one caller, and a hash of all of it but the request_id."""

    caller: Caller
    method: str
    request_id: str
    fingerprint: str


def answer_to(tx: Transaction, key: RequestKey) -> tuple[str, bytes] | None:
    """The fingerprint and the answer stored under this key within 24 hours."""
    row = tx.row(
        _ONE,
        tenant=key.caller.tenant,
        token=key.caller.name,
        method=key.method,
        request_id=key.request_id,
        oldest=tx.now - KEPT,
    )
    return None if row is None else (row["fingerprint"], row["answer"])


def keep(tx: Transaction, key: RequestKey, answer: bytes) -> None:
    """Store an answer, in place of one that is older than 24 hours."""
    named = {
        "tenant": key.caller.tenant,
        "token": key.caller.name,
        "method": key.method,
        "request_id": key.request_id,
    }
    tx.run(_FORGET, named)
    stored = {"fingerprint": key.fingerprint, "answer": answer, "created_at": tx.now}
    tx.run(_INSERT, named | stored)


def expire(tx: Transaction) -> int:
    """Forget answers older than 24 hours; answers how many there were."""
    return tx.run(_EXPIRED, {"oldest": Instant(tx.now - KEPT)})
