"""The record of runners that are, or were, connected."""

from sqlalchemy import bindparam, delete, select, update

from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.runner import Runner
from steersman_server.core.values import Instant, RunnerId, Tenant
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Row, Transaction

_RUNNER = sql.RUNNER.c
_ONE = sql.by_id(sql.RUNNER, "tenant")
_PAGE = Prepared(
    select(sql.RUNNER)
    .where(_RUNNER.tenant == bindparam("tenant"), _RUNNER.id > bindparam("after"))
    .order_by(_RUNNER.id)
    .limit(bindparam("limit"))
)
_FORGET = Prepared(
    delete(sql.RUNNER).where(
        _RUNNER.tenant == bindparam("was_tenant"), _RUNNER.id == bindparam("was_id")
    )
)
_INSERT = sql.insert_into(sql.RUNNER)
_SEEN = Prepared(
    update(sql.RUNNER)
    .where(_RUNNER.tenant == bindparam("was_tenant"), _RUNNER.id == bindparam("was_id"))
    .values(last_seen_at=bindparam("at"))
)


def find(tx: Transaction, tenant: Tenant, runner_id: str) -> Runner | None:
    row = tx.row(_ONE, id=runner_id, tenant=tenant)
    return None if row is None else _runner(row)


def get(tx: Transaction, tenant: Tenant, runner_id: str) -> Runner:
    """Raises NotFound."""
    runner = find(tx, tenant, runner_id)
    if runner is None:
        raise NotFound("runner", runner_id)
    return runner


def page(tx: Transaction, tenant: Tenant, after: str, limit: int) -> tuple[list[Runner], bool]:
    """By name; answers the page and whether another follows. Raises InvalidCursor."""
    if after and find(tx, tenant, after) is None:
        raise InvalidCursor(after, "no such runner")
    found = tx.rows(_PAGE, tenant=tenant, after=after, limit=limit + 1)
    return [_runner(row) for row in found[:limit]], len(found) > limit


def put(tx: Transaction, runner: Runner) -> None:
    """Record the runner as it introduced itself."""
    tx.run(_FORGET, {"was_tenant": runner.tenant, "was_id": runner.id})
    tx.run(
        _INSERT,
        {
            "tenant": runner.tenant,
            "id": runner.id,
            "generation": runner.generation,
            "labels": dict(runner.labels),
            "slots": runner.slots,
            "harnesses": list(runner.harnesses),
            "tools": list(runner.tools),
            "version": runner.version,
            "protocol": runner.protocol,
            "address": runner.address,
            "connected_at": runner.connected_at,
            "last_seen_at": runner.last_seen_at,
        },
    )


def seen(tx: Transaction, tenant: Tenant, runner_id: RunnerId, at: Instant) -> None:
    tx.run(_SEEN, {"was_tenant": tenant, "was_id": runner_id, "at": at})


def _runner(row: Row) -> Runner:
    return Runner(
        id=RunnerId(row["id"]),
        tenant=Tenant(row["tenant"]),
        generation=row["generation"],
        labels=row["labels"],
        slots=row["slots"],
        harnesses=tuple(row["harnesses"]),
        tools=tuple(row["tools"]),
        version=row["version"],
        protocol=row["protocol"],
        address=row["address"],
        connected_at=Instant(row["connected_at"]),
        last_seen_at=Instant(row["last_seen_at"]),
    )
