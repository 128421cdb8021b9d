"""A runner's durable frame: checked against the lease, applied once, in order."""

from dataclasses import replace

from steersman_server.core.frames import (
    CallBegun,
    Frame,
    OutputCommitted,
    RoundCommitted,
    TurnAccepted,
    TurnEnded,
)
from steersman_server.core.items import Item, open_calls
from steersman_server.core.refusals import BadRequest, LeaseLost
from steersman_server.core.turn import (
    TERMINAL,
    Accepted,
    Completed,
    Turn,
    TurnState,
    decide,
    hold,
)
from steersman_server.core.values import ItemId
from steersman_server.store import items, sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.begin_turn import turn_ready
from steersman_server.usecases.finish_turn import finish_turn, release


def take_frame(tx: Transaction, frame: Frame) -> None:
    """Apply a frame; one that was applied before changes nothing.

    Raises LeaseLost when the epoch is over, and BadRequest for a number that
    leaves a gap or a frame that does not fit what it is about.
    """
    turn = turns.find(tx, frame.turn_id)
    if turn is None:
        raise LeaseLost(frame.turn_id, frame.epoch)
    hold(turn, frame.runner_id, frame.epoch)
    if frame.number <= turn.frame:
        return
    if frame.number != turn.frame + 1:
        raise BadRequest("number", f"is {frame.number}, the next one is {turn.frame + 1}")
    if (frame.number == 1) is not isinstance(frame.what, TurnAccepted):
        raise BadRequest("number", "1 is for accepted, and for nothing else")
    ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), frame.runner_id)
    numbered = replace(turn, frame=frame.number)
    match frame.what:
        case TurnAccepted():
            ledger.turn(turn, decide(numbered, Accepted(), tx.now))
        case RoundCommitted() as round_:
            _commit_round(ledger, turn, numbered, round_)
        case OutputCommitted(item):
            _commit_output(tx, ledger, turn, numbered, item)
        case CallBegun(item_id):
            _begin_call(tx, ledger, turn, numbered, item_id)
        case TurnEnded() as ended:
            _end_turn(tx, ledger, turn, ended)
    ledger.close()


def _commit_round(ledger: Ledger, turn: Turn, numbered: Turn, what: RoundCommitted) -> None:
    if what.round != turn.round + 1:
        raise BadRequest("round", f"is {what.round}, the next one is {turn.round + 1}")
    for item in what.items:
        ledger.item(_of(turn, item, ledger.actor, what.round))
    after = replace(numbered, round=what.round, usage=turn.usage + what.usage)
    ledger.turn(turn, after)


def _commit_output(tx: Transaction, ledger: Ledger, turn: Turn, numbered: Turn, item: Item) -> None:
    call = _open_call(tx, turn, item.call_item_id)
    answer = replace(item, call_id=call.call_id, name=call.name)
    ledger.item(_of(turn, answer, ledger.actor, call.round))
    ledger.turn(turn, numbered)


def _begin_call(
    tx: Transaction, ledger: Ledger, turn: Turn, numbered: Turn, item_id: ItemId
) -> None:
    _open_call(tx, turn, item_id)
    ledger.call_started(turn, item_id)
    ledger.turn(turn, numbered)


def _end_turn(tx: Transaction, ledger: Ledger, turn: Turn, what: TurnEnded) -> None:
    after = decide(turn, what.how, tx.now)
    if after.state in TERMINAL:
        ending = [_of(turn, item, ledger.actor, what.round) for item in what.items]
        # A round that was cut off is not one of those that are committed.
        rounds = what.round if isinstance(what.how, Completed) else turn.round
        finish_turn(tx, ledger, turn, replace(after, round=max(turn.round, rounds)), ending)
    else:
        hand_back(tx, ledger, turn, after)


def hand_back(
    tx: Transaction, ledger: Ledger, turn: Turn, after: Turn, *, fenced: bool = False
) -> None:
    """The runner holds the turn no longer, and another is to go on.

    `fenced`: it did not say so itself, and is told when it can be reached.
    """
    assert after.state is TurnState.QUEUED  # noqa: S101  (the table says so)
    ledger.turn(turn, after)
    release(tx, turn, fenced=fenced)
    tx.tell(turn_ready(tx, ledger.session, after))


def _of(turn: Turn, item: Item, actor: str, round_: int) -> Item:
    """The item as the log keeps it: the runner gives ids and content, we give the rest."""
    return replace(
        item,
        session_id=turn.session_id,
        turn_id=turn.id,
        attempt=turn.attempt,
        actor=actor,
        round=item.round or round_,
    )


def _open_call(tx: Transaction, turn: Turn, item_id: ItemId) -> Item:
    for call in open_calls(items.of_attempt(tx, turn)):
        if call.id == item_id:
            return call
    raise BadRequest("call_item_id", f"{item_id} is not an open call of turn {turn.id}")
