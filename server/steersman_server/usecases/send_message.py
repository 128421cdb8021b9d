"""SendMessage: a message becomes a turn, at once or in its turn."""

from dataclasses import dataclass
from enum import StrEnum

from steersman_server.core.interrupt import Interrupt, InterruptMode
from steersman_server.core.refusals import SessionBusy
from steersman_server.core.values import Caller, ItemId, TurnId
from steersman_server.store import sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.begin_turn import Message, begin_turn, queue_turn
from steersman_server.usecases.interrupt_turn import Wish, stop_active


class WhenBusy(StrEnum):
    ENQUEUE = "enqueue"
    REJECT = "reject"
    INTERRUPT = "interrupt"


class SendOutcome(StrEnum):
    STARTED = "started"
    QUEUED = "queued"
    INTERRUPTING = "interrupting"


@dataclass(frozen=True, slots=True)
class SendMessage:
    caller: Caller
    session_id: str
    message: Message
    when_busy: WhenBusy = WhenBusy.ENQUEUE


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of the message; `interrupt` is the one that it caused or joined."""

    outcome: SendOutcome
    item_id: ItemId
    turn_id: TurnId
    interrupt: Interrupt | None = None


def send_message(tx: Transaction, command: SendMessage) -> Sent:
    """Raises NotFound, BadRequest, MessageTooLarge, SessionBusy, QueueFull, SessionArchived."""
    command.message.check()
    session = sessions.get(tx, command.caller.tenant, command.session_id)
    session.open_for_messages()
    if session.busy and command.when_busy is WhenBusy.REJECT:
        raise SessionBusy(session.id, session.status)
    ledger = Ledger(tx, session, command.caller.name)
    interrupt = None
    if session.busy and command.when_busy is WhenBusy.INTERRUPT:
        assert session.active_turn_id is not None  # noqa: S101  (busy says so)
        active = turns.get(tx, session.id, session.active_turn_id)
        wish = Wish(InterruptMode.KEEP, keep_queued=False, reason="a new message took its place")
        interrupt = stop_active(tx, ledger, active, wish)
    busy = ledger.session.busy
    turn = (queue_turn if busy else begin_turn)(tx, ledger, command.message)
    ledger.close()
    return Sent(_outcome(busy, interrupt), turn.input_item_id, turn.id, interrupt)


def _outcome(waits: bool, interrupt: Interrupt | None) -> SendOutcome:
    if not waits:
        return SendOutcome.STARTED
    return SendOutcome.QUEUED if interrupt is None else SendOutcome.INTERRUPTING
