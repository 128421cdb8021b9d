"""CreateAgent, UpdateAgent, DeleteAgent: every change is a new version."""

from collections.abc import Callable
from dataclasses import dataclass

from steersman_server.core.agent import Agent, AgentSpec, check_name, check_spec
from steersman_server.core.labels import check_labels
from steersman_server.core.refusals import AlreadyExists, NotFound, VersionConflict
from steersman_server.core.values import Caller
from steersman_server.store import agents
from steersman_server.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class CreateAgent:
    caller: Caller
    name: str
    spec: AgentSpec


@dataclass(frozen=True, slots=True)
class UpdateAgent:
    """`change` makes the new spec from the newest; `etag` "" means any version."""

    caller: Caller
    name: str
    etag: str
    change: Callable[[AgentSpec], AgentSpec]


def create_agent(tx: Transaction, command: CreateAgent) -> Agent:
    """Raises AlreadyExists and BadRequest. A deleted name goes on counting its versions."""
    check_name("agent.name", command.name)
    _check(command.spec)
    tenant = command.caller.tenant
    try:
        agents.newest(tx, tenant, command.name)
    except NotFound:
        number = agents.last_version(tx, tenant, command.name) + 1
    else:
        raise AlreadyExists("agent", command.name)
    agent = Agent(tenant, command.name, number, command.spec, tx.now)
    agents.add(tx, agent)
    return agent


def update_agent(tx: Transaction, command: UpdateAgent) -> Agent:
    """Raises NotFound, VersionConflict and BadRequest."""
    newest = agents.newest(tx, command.caller.tenant, command.name)
    if command.etag not in ("", str(newest.version)):
        raise VersionConflict("agent", newest.name, command.etag, str(newest.version))
    spec = command.change(newest.spec)
    _check(spec)
    agent = Agent(newest.tenant, newest.name, newest.version + 1, spec, tx.now)
    agents.add(tx, agent)
    return agent


def delete_agent(tx: Transaction, caller: Caller, name: str) -> None:
    """Raises NotFound. Sessions keep the version that they have."""
    agents.newest(tx, caller.tenant, name)
    agents.remove(tx, caller.tenant, name)


def _check(spec: AgentSpec) -> None:
    check_spec(spec)
    check_labels("agent.selector", spec.selector)
