"""What one unit of work writes to one session: collected, then written together.

The ledger gives each event its place in the log and every row its guard. It
decides nothing; what to write is decided in core and said by the use case.
"""

from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import bindparam, delete, update

from steersman_server.core.events import (
    CallStarted,
    Event,
    EventData,
    EventKind,
    ItemsWithdrawn,
    kind_of_interrupt,
    kind_of_turn,
)
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.notices import SessionAdvanced
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import ItemId, TurnId
from steersman_server.store import event_rows, rows
from steersman_server.store import statements as sql
from steersman_server.store.prepared import Prepared
from steersman_server.store.transaction import Transaction

_DELETE_PENDING = Prepared(
    delete(sql.PENDING).where(sql.PENDING.c.item_id == bindparam("was_item_id"))
)
_WITHDRAW = Prepared(
    update(sql.ITEM)
    .where(sql.ITEM.c.id == bindparam("was_id"), sql.ITEM.c.withdrawn_at.is_(None))
    .values(withdrawn_at=bindparam("at"))
)
_START_CALL = Prepared(
    update(sql.ITEM)
    .where(sql.ITEM.c.id == bindparam("was_id"), sql.ITEM.c.started_at.is_(None))
    .values(started_at=bindparam("at"))
)


class _Draft(NamedTuple):
    """An event that has its place, but not yet the status that its unit of work leaves."""

    sequence: int
    kind: EventKind
    data: EventData
    turn_id: TurnId | None
    attempt: int


class Ledger:
    """Opened on a session as it was read (or new); closed once, at the end of the work.

    `session` is the session as it will be written. Raises Missed on closing or on
    a turn's or interrupt's update when somebody else wrote in between.
    """

    def __init__(self, tx: Transaction, session: Session, actor: str, *, new: bool = False) -> None:
        self.session = session
        self.actor = actor
        self._tx = tx
        self._opened_on = None if new else session
        self._head = session.head_sequence
        self._drafts: list[_Draft] = []
        self._items: list[Item] = []

    def event(
        self, kind: EventKind, data: EventData, turn_id: TurnId | None = None, attempt: int = 0
    ) -> int:
        """Give an event the next place in the log; answers its sequence."""
        self._head += 1
        self._drafts.append(_Draft(self._head, kind, data, turn_id, attempt))
        return self._head

    def item(self, item: Item) -> Item:
        """Add a row of history."""
        placed = replace(item, sequence=self._head + 1)
        self.event(EventKind.ITEM_ADDED, placed, item.turn_id, item.attempt)
        self._items.append(placed)
        return placed

    def withdraw(self, turn: Turn, item_ids: tuple[ItemId, ...], cause: str) -> None:
        """Take items out of the history; they stay in the log."""
        if not item_ids:
            return
        self._tx.run_many(_WITHDRAW, [{"was_id": id, "at": self._tx.now} for id in item_ids])
        self._items = [  # those of this unit are not written yet
            replace(item, withdrawn_at=self._tx.now) if item.id in item_ids else item
            for item in self._items
        ]
        self.event(
            EventKind.ITEMS_WITHDRAWN, ItemsWithdrawn(item_ids, cause), turn.id, turn.attempt
        )

    def call_started(self, turn: Turn, item_id: ItemId) -> None:
        self._tx.run(_START_CALL, {"was_id": item_id, "at": self._tx.now})
        self.event(EventKind.CALL_STARTED, CallStarted(item_id), turn.id, turn.attempt)

    def new_turn(self, turn: Turn) -> None:
        """Write a new turn; its event only when it is active (a waiting one's is its input's)."""
        self._tx.run(sql.INSERT_TURN, rows.turn_values(turn))
        if turn.active:
            self.event(kind_of_turn(turn.state), turn, turn.id, turn.attempt)

    def turn(self, before: Turn, after: Turn) -> None:
        """Write a turn as it was decided on `before`, with an event for a change of state."""
        self._tx.guarded(
            sql.UPDATE_TURN,
            sql.changes(
                rows.turn_values(after),
                id=before.id,
                state=before.state.value,
                epoch=before.epoch,
                frame=before.frame,
                attempt=before.attempt,
            ),
        )
        if after.state is not before.state or after.active is not before.active:
            self.event(kind_of_turn(after.state), after, after.id, after.attempt)

    def queue_input(self, waiting: PendingInput, attempt: int) -> None:
        self._tx.run(sql.INSERT_PENDING, rows.input_values(waiting))
        self.session = replace(self.session, waiting=self.session.waiting + 1)
        self.event(EventKind.INPUT_QUEUED, waiting, waiting.turn_id, attempt)

    def take_input(self, waiting: PendingInput) -> None:
        """The input waits no longer: its item follows."""
        self._tx.run(_DELETE_PENDING, {"was_item_id": waiting.item_id})
        self.session = replace(self.session, waiting=self.session.waiting - 1)

    def drop_input(self, waiting: PendingInput, attempt: int) -> None:
        """The input waits no longer and never becomes an item."""
        self.take_input(waiting)
        self.event(EventKind.INPUT_DROPPED, waiting, waiting.turn_id, attempt)

    def new_interrupt(self, interrupt: Interrupt) -> None:
        self._tx.run(sql.INSERT_INTERRUPT, rows.interrupt_values(interrupt))
        if interrupt.turn_id is not None:
            self._interrupt_event(interrupt)

    def interrupt(self, before: Interrupt, after: Interrupt) -> None:
        if after is before:
            return
        self._tx.guarded(
            sql.UPDATE_INTERRUPT,
            sql.changes(rows.interrupt_values(after), id=before.id, state=before.state.value),
        )
        self._interrupt_event(after)

    def _interrupt_event(self, interrupt: Interrupt) -> None:
        kind = kind_of_interrupt(interrupt.state)
        self.event(kind, interrupt, interrupt.turn_id, interrupt.attempt)

    def close(self) -> Session:
        """Write the session, items and events, and tell who watches."""
        self.session = replace(self.session, head_sequence=self._head, updated_at=self._tx.now)
        events = [self._finished(draft) for draft in self._drafts]
        self._write_session()
        if self._items:
            self._tx.run_many(sql.INSERT_ITEM, [rows.item_values(item) for item in self._items])
        if events:
            self._tx.run_many(sql.INSERT_EVENT, [event_rows.event_values(e) for e in events])
        self._tx.tell(SessionAdvanced(self.session, tuple(events)))
        return self.session

    def _finished(self, draft: "_Draft") -> Event:
        """A reader of any of these events sees the status that the whole work left."""
        return Event(
            session_id=self.session.id,
            sequence=draft.sequence,
            kind=draft.kind,
            actor=self.actor,
            created_at=self._tx.now,
            session_status=self.session.status,
            data=draft.data,
            turn_id=draft.turn_id,
            attempt=draft.attempt,
        )

    def _write_session(self) -> None:
        values = rows.session_values(self.session)
        if self._opened_on is None:
            self._tx.run(sql.INSERT_SESSION, values)
            return
        self._tx.guarded(
            sql.UPDATE_SESSION,
            sql.changes(
                values,
                id=self.session.id,
                head_sequence=self._opened_on.head_sequence,
                revision=self._opened_on.revision,
            ),
        )
