"""How an input becomes a turn: at once in an idle session, later in a busy one."""

from dataclasses import dataclass, replace
from typing import Final

from steersman_server.core.items import (
    ContentBlock,
    Item,
    ItemRole,
    ItemType,
    PendingInput,
    check_message,
)
from steersman_server.core.notices import TurnReady
from steersman_server.core.refusals import QueueFull
from steersman_server.core.session import STATUS_WITH, Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import ItemId, TurnId
from steersman_server.store import agents
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction

WAITING_LIMIT: Final = 64
"""Inputs that may wait in one session."""


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody says. Blank or oversize ones are refused by `check`."""

    role: ItemRole
    content: tuple[ContentBlock, ...]

    def check(self) -> None:
        """Raises BadRequest or MessageTooLarge."""
        check_message(self.content)


def begin_turn(tx: Transaction, ledger: Ledger, message: Message) -> Turn:
    """Open a turn in a session that has none active; its input enters history now."""
    turn = _new_turn(tx, ledger, active=True)
    ledger.item(_item(tx, ledger, turn, turn.input_item_id, message))
    ledger.new_turn(turn)
    activate(tx, ledger, turn)
    return turn


def queue_turn(tx: Transaction, ledger: Ledger, message: Message) -> Turn:
    """Open a turn that waits behind the active one. Raises QueueFull."""
    if ledger.session.waiting >= WAITING_LIMIT:
        raise QueueFull(ledger.session.id, WAITING_LIMIT)
    turn = _new_turn(tx, ledger, active=False)
    ledger.new_turn(turn)
    waiting = PendingInput(
        item_id=turn.input_item_id,
        session_id=turn.session_id,
        turn_id=turn.id,
        role=message.role,
        content=message.content,
        actor=ledger.actor,
        created_at=tx.now,
    )
    ledger.queue_input(waiting, turn.attempt)
    return turn


def begin_waiting(tx: Transaction, ledger: Ledger, waiting: PendingInput, turn: Turn) -> None:
    """The session is ready: the input takes its place in history, its turn is active."""
    ledger.take_input(waiting)
    message = Message(waiting.role, waiting.content)
    item = _item(tx, ledger, turn, waiting.item_id, message)
    ledger.item(replace(item, actor=waiting.actor))
    active = replace(turn, active=True)
    ledger.turn(turn, active)
    activate(tx, ledger, active)


def activate(tx: Transaction, ledger: Ledger, turn: Turn) -> None:
    """Make `turn` what the session is about, and ask for a runner."""
    ledger.session = replace(
        ledger.session,
        active_turn_id=turn.id,
        status=STATUS_WITH[turn.state],
        last_error=None,
    )
    tx.tell(turn_ready(tx, ledger.session, turn))


def turn_ready(tx: Transaction, session: Session, turn: Turn) -> TurnReady:
    """What placement must know about a queued turn."""
    spec = agents.version(tx, session.tenant, session.agent, session.agent_version).spec
    return TurnReady(
        turn_id=turn.id,
        tenant=turn.tenant,
        queued_at=turn.created_at,
        harness=spec.harness,
        tools=frozenset(spec.tools),
        selector={**spec.selector, **session.selector},
        runner_id=session.runner_id,
    )


def _new_turn(tx: Transaction, ledger: Ledger, *, active: bool) -> Turn:
    return Turn(
        id=TurnId(tx.new_id("turn")),
        session_id=ledger.session.id,
        tenant=ledger.session.tenant,
        input_item_id=ItemId(tx.new_id("item")),
        created_at=tx.now,
        active=active,
    )


def _item(tx: Transaction, ledger: Ledger, turn: Turn, item_id: ItemId, message: Message) -> Item:
    return Item(
        id=item_id,
        type=ItemType.MESSAGE,
        session_id=turn.session_id,
        turn_id=turn.id,
        attempt=turn.attempt,
        created_at=tx.now,
        actor=ledger.actor,
        role=message.role,
        content=message.content,
    )
