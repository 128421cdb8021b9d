"""Store suite, guards: no write on an old decision; what a ledger writes."""

from dataclasses import replace
from typing import Any, Final

import pytest
from store_desk import Desk, add_agent, open_session, start_turn

from steersman_server.core.events import EventKind
from steersman_server.core.interrupt import Delivered, Interrupt, InterruptMode, InterruptState
from steersman_server.core.interrupt import decide as decide_interrupt
from steersman_server.core.items import Item, ItemType
from steersman_server.core.notices import SessionAdvanced
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn, TurnState
from steersman_server.core.values import Epoch, Instant, InterruptId, ItemId
from steersman_server.store import events, interrupts, items, sessions, turns
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Missed, Transaction

STALE_TURN: Final[dict[str, dict[str, Any]]] = {
    "state": {"state": TurnState.RUNNING},
    "epoch": {"epoch": Epoch(1)},
    "frame": {"frame": 1},
    "attempt": {"attempt": 2},
}


def a_session_with_a_turn(tx: Transaction) -> tuple[Session, Turn]:
    add_agent()(tx)
    session = open_session(tx)
    turn = start_turn(tx, session)
    return sessions.get(tx, session.tenant, session.id), turn


def an_interrupt(tx: Transaction, turn: Turn) -> Interrupt:
    return Interrupt(
        id=InterruptId(tx.new_id("int")),
        tenant=turn.tenant,
        session_id=turn.session_id,
        state=InterruptState.REQUESTED,
        mode=InterruptMode.KEEP,
        reason="",
        actor="client",
        requested_at=tx.now,
        turn_id=turn.id,
        attempt=turn.attempt,
    )


def a_call(tx: Transaction, turn: Turn) -> Item:
    return Item(
        id=ItemId(tx.new_id("item")),
        type=ItemType.FUNCTION_CALL,
        session_id=turn.session_id,
        turn_id=turn.id,
        attempt=turn.attempt,
        created_at=tx.now,
        actor="runner-1",
        name="tool",
    )


class GuardSuite:
    """Guarded updates, and what a ledger writes."""

    @pytest.mark.parametrize("change", STALE_TURN.values(), ids=STALE_TURN)
    async def test_a_turn_that_changed_meanwhile_is_not_written(
        self, desk: Desk, change: dict[str, Any]
    ) -> None:
        _, turn = await desk.write(a_session_with_a_turn)

        def update(tx: Transaction, before: Turn, after: Turn) -> None:
            ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "server")
            ledger.turn(before, after)
            ledger.close()

        changed = replace(turn, **change)
        await desk.write(lambda tx: update(tx, turn, changed))
        with pytest.raises(Missed):
            await desk.write(lambda tx: update(tx, turn, replace(turn, stop_reason="late")))
        assert await desk.read(lambda tx: turns.find(tx, turn.id)) == changed

    @pytest.mark.parametrize("change", ["event", "revision"])
    async def test_a_session_that_changed_meanwhile_is_not_written(
        self, desk: Desk, change: str
    ) -> None:
        stale, _ = await desk.write(a_session_with_a_turn)

        def touch(tx: Transaction, session: Session, title: str) -> Session:
            ledger = Ledger(tx, session, "client")
            revision = session.revision + (change == "revision")
            ledger.session = replace(session, title=title, revision=revision)
            if change == "event":
                ledger.event(EventKind.SESSION_UPDATED, ledger.session)
            return ledger.close()

        first = await desk.write(lambda tx: touch(tx, stale, "first"))
        with pytest.raises(Missed):
            await desk.write(lambda tx: touch(tx, stale, "second"))
        found = await desk.read(lambda tx: sessions.get(tx, stale.tenant, stale.id))
        assert found == first
        log = await desk.read(lambda tx: events.after(tx, stale.id, 0, 100))
        assert [event.sequence for event in log] == list(range(1, found.head_sequence + 1))

    async def test_an_interrupt_that_changed_meanwhile_is_not_written(self, desk: Desk) -> None:
        _, turn = await desk.write(a_session_with_a_turn)

        def request(tx: Transaction) -> Interrupt:
            interrupt = an_interrupt(tx, turn)
            ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "client")
            ledger.new_interrupt(interrupt)
            ledger.close()
            return interrupt

        interrupt = await desk.write(request)
        delivered = decide_interrupt(interrupt, Delivered(), desk.now)

        def deliver(tx: Transaction) -> None:
            ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "runner-1")
            ledger.interrupt(interrupt, delivered)
            ledger.close()

        await desk.write(deliver)
        head = (await desk.read(lambda tx: sessions.get_any(tx, turn.session_id))).head_sequence
        with pytest.raises(Missed):
            await desk.write(deliver)
        after = await desk.read(lambda tx: sessions.get_any(tx, turn.session_id))
        assert after.head_sequence == head
        found = await desk.read(lambda tx: interrupts.of_attempt(tx, turn.id, 1))
        assert found == delivered

    async def test_an_attempt_has_one_interrupt(self, desk: Desk) -> None:
        _, turn = await desk.write(a_session_with_a_turn)
        await desk.write(lambda tx: interrupts.add(tx, an_interrupt(tx, turn)))
        with pytest.raises(Exception, match=r"(?i)unique"):
            await desk.write(lambda tx: interrupts.add(tx, an_interrupt(tx, turn)))

    async def test_every_event_of_a_unit_tells_the_status_that_the_unit_left(
        self, desk: Desk
    ) -> None:
        session, turn = await desk.write(a_session_with_a_turn)
        log = await desk.read(lambda tx: events.after(tx, session.id, 0, 100))
        of_turn = [event for event in log if event.turn_id == turn.id]
        assert [event.kind for event in of_turn] == ["item_added", "turn_queued"]
        assert {event.session_status for event in of_turn} == {"running"}
        assert log[0].session_status == "idle"

    async def test_the_notice_of_a_unit_holds_its_events_and_the_session_after_them(
        self, desk: Desk
    ) -> None:
        session, _ = await desk.write(a_session_with_a_turn)
        rung = [notice for notice in desk.rung if isinstance(notice, SessionAdvanced)]
        told = [event for notice in rung for event in notice.events]
        assert told == await desk.read(lambda tx: events.after(tx, session.id, 0, 100))
        assert rung[-1].session == session

    async def test_withdrawn_items_leave_the_history_and_stay_in_the_log(self, desk: Desk) -> None:
        session, turn = await desk.write(a_session_with_a_turn)
        old = await desk.write(lambda tx: self._add(tx, turn, withdraw=()))

        def add_and_withdraw(tx: Transaction) -> Item:
            return self._add(tx, turn, withdraw=(old.id,), itself=True)

        new = await desk.write(add_and_withdraw)
        assert {i.id for i in await desk.read(lambda tx: items.of_attempt(tx, turn))} == {
            turn.input_item_id
        }
        log = await desk.read(lambda tx: events.after(tx, session.id, 0, 100))
        added = [event.data.id for event in log if isinstance(event.data, Item)]
        assert added == [turn.input_item_id, old.id, new.id]
        assert log[-1].kind is EventKind.ITEMS_WITHDRAWN

    @staticmethod
    def _add(
        tx: Transaction, turn: Turn, withdraw: tuple[ItemId, ...], *, itself: bool = False
    ) -> Item:
        ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "runner-1")
        item = ledger.item(a_call(tx, turn))
        ledger.withdraw(turn, (*withdraw, item.id) if itself else withdraw, "rollback")
        ledger.close()
        return item

    async def test_a_call_keeps_the_instant_of_its_first_start(self, desk: Desk) -> None:
        _, turn = await desk.write(a_session_with_a_turn)
        call = await desk.write(lambda tx: self._add(tx, turn, withdraw=()))

        def begin(tx: Transaction) -> None:
            ledger = Ledger(tx, sessions.get_any(tx, turn.session_id), "runner-1")
            ledger.call_started(turn, call.id)
            ledger.close()

        first = desk.now
        await desk.write(begin)
        desk.now = Instant(desk.now + 1_000)
        await desk.write(begin)
        found = {i.id: i for i in await desk.read(lambda tx: items.of_attempt(tx, turn))}
        assert found[call.id].started_at == first
