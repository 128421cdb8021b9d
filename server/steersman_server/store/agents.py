"""Agents and their versions."""

from sqlalchemy import bindparam, select, update

from steersman_server.core.agent import Agent
from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.values import Tenant
from steersman_server.store import rows
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

_AGENT = sql.AGENT.c
_OF_NAME = select(sql.AGENT).where(
    _AGENT.tenant == bindparam("tenant"), _AGENT.name == bindparam("name")
)
_VERSION = Prepared(_OF_NAME.where(_AGENT.version == bindparam("version")))
_NEWEST = Prepared(_OF_NAME.where(_AGENT.newest))
_PAGE = Prepared(
    select(sql.AGENT)
    .where(
        _AGENT.tenant == bindparam("tenant"),
        _AGENT.newest,
        _AGENT.deleted_at.is_(None),
        _AGENT.name > bindparam("after"),
    )
    .order_by(_AGENT.name)
    .limit(bindparam("limit"))
)
_INSERT = sql.insert_into(sql.AGENT)
_RETIRE = Prepared(
    update(sql.AGENT)
    .where(
        _AGENT.tenant == bindparam("was_tenant"),
        _AGENT.name == bindparam("was_name"),
        _AGENT.newest,
    )
    .values(newest=False)
)
_DELETE = Prepared(
    update(sql.AGENT)
    .where(_AGENT.tenant == bindparam("was_tenant"), _AGENT.name == bindparam("was_name"))
    .values(deleted_at=bindparam("at"))
)


def newest(tx: Transaction, tenant: Tenant, name: str) -> Agent:
    """Raises NotFound, also for one that was deleted."""
    row = tx.row(_NEWEST, tenant=tenant, name=name)
    if row is None or row["deleted_at"] is not None:
        raise NotFound("agent", name)
    return rows.agent_from_row(row)


def last_version(tx: Transaction, tenant: Tenant, name: str) -> int:
    """The newest version there ever was, deleted ones counted; 0 for a name not used yet."""
    row = tx.row(_NEWEST, tenant=tenant, name=name)
    return 0 if row is None else int(row["version"])


def version(tx: Transaction, tenant: Tenant, name: str, number: int) -> Agent:
    """Raises NotFound. A deleted agent's versions stay: sessions have them."""
    row = tx.row(_VERSION, tenant=tenant, name=name, version=number)
    if row is None:
        raise NotFound("agent", f"{name} version {number}")
    return rows.agent_from_row(row)


def page(tx: Transaction, tenant: Tenant, after: str, limit: int) -> tuple[list[Agent], bool]:
    """By name; answers the page and whether another follows. Raises InvalidCursor."""
    if after and tx.row(_NEWEST, tenant=tenant, name=after) is None:
        raise InvalidCursor(after, "no such agent")
    found = tx.rows(_PAGE, tenant=tenant, after=after, limit=limit + 1)
    return [rows.agent_from_row(row) for row in found[:limit]], len(found) > limit


def add(tx: Transaction, agent: Agent) -> None:
    """Write a version and make it the newest."""
    tx.run(_RETIRE, {"was_tenant": agent.tenant, "was_name": agent.name})
    tx.run(
        _INSERT,
        {
            "tenant": agent.tenant,
            "name": agent.name,
            "version": agent.version,
            "spec": rows.spec_values(agent.spec),
            "created_at": agent.created_at,
            "newest": True,
            "deleted_at": None,
        },
    )


def remove(tx: Transaction, tenant: Tenant, name: str) -> None:
    tx.run(_DELETE, {"was_tenant": tenant, "was_name": name, "at": tx.now})
