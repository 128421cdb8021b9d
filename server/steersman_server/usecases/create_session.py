"""CreateSession, optionally with the first message: one transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steersman_server.core.agent import check_name
from steersman_server.core.events import EventKind
from steersman_server.core.labels import check_labels, check_title
from steersman_server.core.session import Session
from steersman_server.core.values import Caller, RunnerId, SessionId
from steersman_server.store import agents
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.begin_turn import Message, begin_turn


@dataclass(frozen=True, slots=True)
class CreateSession:
    caller: Caller
    agent: str
    title: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    runner_id: str | None = None
    selector: Mapping[str, str] = field(default_factory=dict)
    message: Message | None = None


def create_session(tx: Transaction, command: CreateSession) -> Session:
    """Raises NotFound for the agent, BadRequest, MessageTooLarge."""
    check_title(command.title)
    check_labels("labels", command.labels)
    check_labels("selector", command.selector)
    if command.runner_id is not None:
        check_name("runner_id", command.runner_id)
    if command.message is not None:
        command.message.check()
    agent = agents.newest(tx, command.caller.tenant, command.agent)
    session = Session(
        id=SessionId(tx.new_id("sess")),
        tenant=command.caller.tenant,
        agent=agent.name,
        agent_version=agent.version,
        created_at=tx.now,
        updated_at=tx.now,
        title=command.title,
        labels=command.labels,
        runner_id=None if command.runner_id is None else RunnerId(command.runner_id),
        selector=command.selector,
    )
    ledger = Ledger(tx, session, command.caller.name, new=True)
    ledger.event(EventKind.SESSION_CREATED, session)
    if command.message is not None:
        begin_turn(tx, ledger, command.message)
    return ledger.close()
