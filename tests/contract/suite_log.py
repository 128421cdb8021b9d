"""Store suite, history: the order of inputs that wait, the context of a model, trimmed logs."""

import asyncio
from dataclasses import replace
from typing import Final

from sqlalchemy import delete
from store_desk import TENANT, Desk, add_agent, busy_writer, hand_in, open_session, say, start_turn

from steersman_server.core.items import Item, ItemType, PendingInput
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import ItemId, SessionId, TurnId
from steersman_server.store import events, items, rows, sessions, turns
from steersman_server.store import statements as sql
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.begin_turn import queue_turn

SESSION: Final = SessionId("sess_a")


def history(tx: Transaction, *lengths: int) -> list[Item]:
    """Turns of these lengths, one after the other, in one session."""
    written: list[Item] = []
    for number, length in enumerate(lengths):
        for _ in range(length):
            place = len(written) + 1
            item = Item(
                id=ItemId(f"item_{place}"),
                type=ItemType.REASONING,
                session_id=SESSION,
                turn_id=TurnId(f"turn_{number}"),
                attempt=1,
                created_at=tx.now,
                actor="runner-1",
                sequence=place,
            )
            written.append(item)
    tx.run_many(sql.INSERT_ITEM, [rows.item_values(item) for item in written])
    return written


def newest(written: list[Item]) -> Turn:
    return Turn(written[-1].turn_id, SESSION, TENANT, ItemId("item_in"), written[0].created_at)


class LogSuite:
    """History and the log."""

    async def test_a_context_is_cut_at_a_turn_boundary(self, desk: Desk) -> None:
        written = await desk.write(lambda tx: history(tx, 3, 2, 4))
        turn = newest(written)
        starts = {1: 5, 4: 5, 5: 5, 6: 3, 7: 3, 8: 3, 9: 0, 100: 0}
        for limit, start in starts.items():
            found = await desk.read(lambda tx, n=limit: items.context(tx, turn, n))
            assert found == written[start:], limit

    async def test_the_running_turn_is_whole_however_long_it_is(self, desk: Desk) -> None:
        written = await desk.write(lambda tx: history(tx, 2, 9))
        found = await desk.read(lambda tx: items.context(tx, newest(written), 3))
        assert found == written[2:]

    async def test_a_context_has_no_withdrawn_items_and_they_do_not_count(self, desk: Desk) -> None:
        written = await desk.write(lambda tx: history(tx, 2, 2))
        gone = sql.ITEM.update().where(sql.ITEM.c.id == written[1].id).values(withdrawn_at=1)
        await desk.write(lambda tx: tx.run(gone))
        found = await desk.read(lambda tx: items.context(tx, newest(written), 3))
        assert found == [written[0], *written[2:]]

    async def test_an_attempt_holds_its_own_standing_items(self, desk: Desk) -> None:
        written = await desk.write(lambda tx: history(tx, 2, 3))
        turn = newest(written)
        later = sql.ITEM.update().where(sql.ITEM.c.id == written[3].id).values(attempt=2)
        await desk.write(lambda tx: tx.run(later))
        first = await desk.read(lambda tx: items.of_attempt(tx, turn))
        second = await desk.read(lambda tx: items.of_attempt(tx, replace(turn, attempt=2)))
        assert [item.id for item in first] == ["item_3", "item_5"]
        assert [item.id for item in second] == ["item_4"]

    async def test_a_trimmed_log_says_where_it_begins(self, desk: Desk) -> None:
        assert await desk.read(lambda tx: events.first_available(tx, SESSION)) == 1
        await desk.write(add_agent())
        session = await desk.write(open_session)
        await desk.write(lambda tx: start_turn(tx, session))
        assert await desk.read(lambda tx: events.first_available(tx, session.id)) == 1
        await desk.write(lambda tx: tx.run(delete(sql.EVENT).where(sql.EVENT.c.sequence < 3)))
        assert await desk.read(lambda tx: events.first_available(tx, session.id)) == 3

    async def test_inputs_wait_in_the_order_in_which_they_were_accepted(self, desk: Desk) -> None:
        """Also when they are accepted in one instant, and by one commit."""
        await desk.write(add_agent())
        session = await desk.write(open_session)
        await desk.write(lambda tx: start_turn(tx, session))
        names = [f"input {n:02}" for n in range(40)]
        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(lambda tx, t=t: _queue(tx, session, t)) for t in names))
        await asyncio.gather(*tasks)
        waiting = await desk.read(lambda tx: turns.pending(tx, session.id))
        assert [one.content[0].text for one in waiting] == names
        first = await desk.read(lambda tx: turns.first_pending(tx, session.id))
        assert first == waiting[0]
        log = await desk.read(lambda tx: events.after(tx, session.id, 0, 100))
        assert [e.data for e in log if isinstance(e.data, PendingInput)] == waiting
        assert [event.sequence for event in log] == list(range(1, len(log) + 1))

    async def test_an_input_that_waits_is_not_history(self, desk: Desk) -> None:
        await desk.write(add_agent())
        session = await desk.write(open_session)
        turn = await desk.write(lambda tx: start_turn(tx, session))
        await desk.write(lambda tx: _queue(tx, session, "later"))
        found = await desk.read(lambda tx: items.context(tx, turn, 10))
        assert [item.id for item in found] == [turn.input_item_id]
        after = await desk.read(lambda tx: sessions.get(tx, TENANT, session.id))
        assert (after.waiting, after.active_turn_id) == (1, turn.id)


def _queue(tx: Transaction, session: Session, text: str) -> Turn:
    ledger = Ledger(tx, sessions.get(tx, TENANT, session.id), "client")
    turn = queue_turn(tx, ledger, say(text))
    ledger.close()
    return turn
