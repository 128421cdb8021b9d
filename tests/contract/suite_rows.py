"""Store suite, rows: what is written is read back equal, whatever is in it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Table, insert
from store_desk import Desk
from store_values import events, values

from steersman_server.core.agent import Agent
from steersman_server.core.events import Event
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.runner import Runner
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import ItemId, RunnerId, SessionId
from steersman_server.store import agents, event_rows, rows, runners, tokens
from steersman_server.store import events as log
from steersman_server.store import statements as sql
from steersman_server.store.tokens import Token
from steersman_server.store.transaction import Row, Transaction

SOME: Final = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
MAPPED: Final[list[tuple[type, Table, Callable[[Any], Any], Callable[[Row], Any], str]]] = [
    (Session, sql.SESSION, rows.session_values, rows.session_from_row, "id"),
    (Turn, sql.TURN, rows.turn_values, rows.turn_from_row, "id"),
    (Item, sql.ITEM, rows.item_values, rows.item_from_row, "id"),
    (PendingInput, sql.PENDING, rows.input_values, rows.input_from_row, "item_id"),
    (Interrupt, sql.INTERRUPT, rows.interrupt_values, rows.interrupt_from_row, "id"),
]


class RowsSuite:
    """Rows and values."""

    @pytest.mark.parametrize(
        ("kind", "table", "to_values", "from_row", "key"),
        MAPPED,
        ids=[mapped[0].__name__ for mapped in MAPPED],
    )
    @SOME
    @given(data=st.data())
    async def test_a_value_comes_back_equal(
        self,
        desk: Desk,
        data: st.DataObject,
        kind: type,
        table: Table,
        to_values: Callable[[Any], Any],
        from_row: Callable[[Row], Any],
        key: str,
    ) -> None:
        value = data.draw(values(kind))

        def write(tx: Transaction) -> Any:
            # Keys of its own, for other examples are in the table already.
            fresh = {name: tx.new_id("x") for name in (key, "session_id") if hasattr(value, name)}
            if isinstance(value, Interrupt):
                fresh["turn_id"] = tx.new_id("turn")
            written = replace(value, **fresh)
            assert to_values(written).keys() == set(table.c.keys())
            tx.run(insert(table), to_values(written))
            return written

        written = await desk.write(write)
        found = await desk.read(
            lambda tx: tx.rows(table.select().where(table.c[key] == getattr(written, key)))
        )
        assert [from_row(row) for row in found] == [written]

    @SOME
    @given(drawn=st.lists(events(), min_size=1, max_size=6))
    async def test_the_log_comes_back_in_order_and_equal_with_its_items(
        self, desk: Desk, drawn: list[Event]
    ) -> None:
        def write(tx: Transaction) -> list[Event]:
            session_id = SessionId(tx.new_id("sess"))
            written = []
            for place, one in enumerate(drawn, 1):
                data = one.data
                if isinstance(data, Item):
                    item_id = ItemId(tx.new_id("item"))
                    data = replace(data, id=item_id, session_id=session_id, sequence=place)
                    # What becomes of an item later is not what its event tells.
                    now = replace(data, started_at=tx.now, withdrawn_at=tx.now)
                    tx.run(sql.INSERT_ITEM, rows.item_values(now))
                event = replace(one, session_id=session_id, sequence=place, data=data)
                tx.run(sql.INSERT_EVENT, event_rows.event_values(event))
                written.append(event)
            return written

        written = await desk.write(write)
        session_id, head = written[0].session_id, len(written)
        for cursor in range(head + 1):
            for limit in {1, head}:
                found = await desk.read(
                    lambda tx, c=cursor, n=limit: log.after(tx, session_id, c, n)
                )
                assert found == written[cursor : cursor + limit]

    @SOME
    @given(agent=values(Agent))
    async def test_an_agent_comes_back_equal(self, desk: Desk, agent: Agent) -> None:
        def write(tx: Transaction) -> Agent:
            written = replace(agent, name=tx.new_id("agent"))
            agents.add(tx, written)
            return written

        written = await desk.write(write)
        key = (written.tenant, written.name)
        assert await desk.read(lambda tx: agents.newest(tx, *key)) == written
        assert await desk.read(lambda tx: agents.version(tx, *key, written.version)) == written

    @SOME
    @given(runner=values(Runner))
    async def test_a_runner_comes_back_as_it_introduced_itself_last(
        self, desk: Desk, runner: Runner
    ) -> None:
        named = replace(runner, id=RunnerId("runner"), tenant=runner.tenant)
        await desk.write(lambda tx: runners.put(tx, named))
        found = await desk.read(lambda tx: runners.get(tx, named.tenant, "runner"))
        assert found == named
        await desk.write(lambda tx: runners.seen(tx, named.tenant, named.id, desk.now))
        seen = await desk.read(lambda tx: runners.get(tx, named.tenant, "runner"))
        assert seen == replace(named, last_seen_at=desk.now)

    @SOME
    @given(token=values(Token))
    async def test_a_token_comes_back_equal(self, desk: Desk, token: Token) -> None:
        def write(tx: Transaction) -> Token:
            written = replace(token, id=tx.new_id("token"))
            tokens.add(tx, written)
            return written

        written = await desk.write(write)
        assert await desk.read(lambda tx: tokens.find(tx, written.id)) == written
