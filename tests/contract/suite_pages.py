"""Store suite, pages: keyset lists, their cursors, their filters, and whose rows they show."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pytest
from store_desk import OTHER, TENANT, Desk, a_runner, add_agent, open_session, start_turn

from steersman_server.core.interrupt import Interrupt, InterruptMode, InterruptState
from steersman_server.core.items import Item, ItemType
from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.turn import Turn, TurnState
from steersman_server.core.values import InterruptId, ItemId, SessionId, TurnId
from steersman_server.store import agents, interrupts, items, rows, runners, sessions, turns
from steersman_server.store import statements as sql
from steersman_server.store.transaction import Transaction


class Pager(Protocol):
    """One page after a cursor; "" begins."""

    def __call__(self, tx: Transaction, after: str, limit: int) -> tuple[Sequence[Any], bool]: ...


async def walk(desk: Desk, page: Pager, limit: int, key: str = "id") -> list[Any]:
    """All pages, one after the other; each but the last is full."""
    seen: list[Any] = []
    more, cursor = True, ""
    while more:
        found, more = await desk.read(lambda tx, after=cursor: page(tx, after, limit))
        assert len(found) == limit or not more
        seen += found
        cursor = getattr(seen[-1], key) if seen else ""
    return seen


async def every_page(desk: Desk, page: Pager, expected: Sequence[Any], key: str = "id") -> None:
    """Pages of any size show the same list, and an unknown cursor is refused."""
    for limit in (1, 2, len(expected), len(expected) + 1):
        assert await walk(desk, page, limit, key) == list(expected)
    with pytest.raises(InvalidCursor):
        await desk.read(lambda tx: page(tx, "nobody", 1))


def item_page(
    session_id: SessionId, **how: Any
) -> Callable[[Transaction], tuple[list[Item], bool]]:
    asked: dict[str, Any] = {
        "descending": False,
        "after": "",
        "before": "",
        "limit": 100,
        "include_withdrawn": False,
    }
    return lambda tx: items.page(tx, session_id, **(asked | how))


def write_items(tx: Transaction, session_id: SessionId, count: int) -> list[Item]:
    """Items at odd sequences; the third is withdrawn."""
    written = [
        Item(
            id=ItemId(f"item_{session_id}_{count - n}"),
            type=ItemType.REASONING,
            session_id=session_id,
            turn_id=TurnId("turn_x"),
            attempt=1,
            created_at=tx.now,
            actor="runner-1",
            sequence=2 * n + 1,
            withdrawn_at=tx.now if n == 2 else None,
        )
        for n in range(count)
    ]
    tx.run_many(sql.INSERT_ITEM, [rows.item_values(item) for item in written])
    return written


class PageSuite:
    """Lists."""

    @pytest.mark.parametrize("withdrawn", [False, True])
    @pytest.mark.parametrize("descending", [False, True])
    async def test_items_page_by_sequence_in_both_orders(
        self, desk: Desk, descending: bool, withdrawn: bool
    ) -> None:
        mine, other = SessionId("sess_a"), SessionId("sess_b")
        written = await desk.write(lambda tx: write_items(tx, mine, 7))
        await desk.write(lambda tx: write_items(tx, other, 3))
        expected = [item for item in written if withdrawn or item.withdrawn_at is None]
        if descending:
            expected.reverse()

        def page(tx: Transaction, after: str, limit: int) -> tuple[list[Item], bool]:
            how = {"descending": descending, "include_withdrawn": withdrawn}
            return item_page(mine, after=after, limit=limit, **how)(tx)

        await every_page(desk, page, expected)

    @pytest.mark.parametrize("descending", [False, True])
    async def test_before_ends_the_page_and_after_begins_it(
        self, desk: Desk, descending: bool
    ) -> None:
        session_id = SessionId("sess_a")
        written = await desk.write(lambda tx: write_items(tx, session_id, 9))
        shown = [item for item in written if item.withdrawn_at is None]
        if descending:
            shown.reverse()
        for at, cursor in enumerate(shown):
            how: dict[str, Any] = {"before": cursor.id, "limit": 3, "descending": descending}
            page = await desk.read(item_page(session_id, **how))
            assert page == (shown[max(0, at - 3) : at], at > 3)
        both = {"after": shown[1].id, "before": shown[6].id, "descending": descending}
        assert await desk.read(item_page(session_id, **both)) == (shown[2:6], False)
        assert await desk.read(item_page(session_id, limit=2, **both)) == (shown[2:4], True)

    async def test_a_cursor_may_be_withdrawn_and_must_be_of_the_session(self, desk: Desk) -> None:
        session_id = SessionId("sess_a")
        written = await desk.write(lambda tx: write_items(tx, session_id, 5))
        found, _ = await desk.read(item_page(session_id, after=written[2].id))
        assert found == written[3:]
        for cursor in ("after", "before"):
            with pytest.raises(InvalidCursor):
                await desk.read(item_page(SessionId("sess_b"), **{cursor: written[0].id}))

    async def test_turns_page_newest_first(self, desk: Desk) -> None:
        await desk.write(add_agent())
        session = await desk.write(open_session)

        def write(tx: Transaction) -> Turn:
            first = start_turn(tx, sessions.get(tx, TENANT, session.id))
            done = replace(first, state=TurnState.COMPLETED, active=False, ended_at=tx.now)
            tx.guarded(
                sql.UPDATE_TURN,
                sql.changes(
                    rows.turn_values(done), id=done.id, state="queued", epoch=0, frame=0, attempt=1
                ),
            )
            return done

        written = [await desk.write(write) for _ in range(5)]
        await every_page(desk, lambda tx, *a: turns.page(tx, session.id, *a), written[::-1])
        with pytest.raises(InvalidCursor):
            await desk.read(lambda tx: turns.page(tx, SessionId("sess_b"), written[0].id, 1))
        with pytest.raises(NotFound):
            await desk.read(lambda tx: turns.get(tx, SessionId("sess_b"), written[0].id))

    async def test_interrupts_page_newest_first(self, desk: Desk) -> None:
        def write(tx: Transaction) -> Interrupt:
            interrupt = Interrupt(
                id=InterruptId(tx.new_id("int")),
                tenant=TENANT,
                session_id=SessionId("sess_a"),
                state=InterruptState.ALREADY_IDLE,
                mode=InterruptMode.KEEP,
                reason="",
                actor="client",
                requested_at=tx.now,
            )
            interrupts.add(tx, interrupt)
            return interrupt

        written = [await desk.write(write) for _ in range(5)]
        page = interrupts.page
        await every_page(desk, lambda tx, *a: page(tx, SessionId("sess_a"), *a), written[::-1])
        assert await desk.read(lambda tx: page(tx, SessionId("sess_b"), "", 9)) == ([], False)
        with pytest.raises(NotFound):
            await desk.read(lambda tx: interrupts.get(tx, SessionId("sess_b"), written[0].id))

    async def test_agents_page_by_name_at_their_newest_version(self, desk: Desk) -> None:
        for name in ("c", "a", "d", "b", "a"):
            await desk.write(add_agent(name))
        await desk.write(add_agent("x", OTHER))
        await desk.write(lambda tx: agents.remove(tx, TENANT, "d"))
        found = await walk(desk, lambda tx, *a: agents.page(tx, TENANT, *a), 9, "name")
        assert [(agent.name, agent.version) for agent in found] == [("a", 2), ("b", 1), ("c", 1)]
        await every_page(desk, lambda tx, *a: agents.page(tx, TENANT, *a), found, "name")

    async def test_a_deleted_agent_is_gone_but_for_the_sessions_that_have_it(
        self, desk: Desk
    ) -> None:
        await desk.write(add_agent("a"))
        await desk.write(lambda tx: agents.remove(tx, TENANT, "a"))
        with pytest.raises(NotFound):
            await desk.read(lambda tx: agents.newest(tx, TENANT, "a"))
        kept = await desk.read(lambda tx: agents.version(tx, TENANT, "a", 1))
        assert kept.name == "a"
        assert await desk.read(lambda tx: agents.last_version(tx, TENANT, "a")) == 1

    async def test_runners_page_by_name(self, desk: Desk) -> None:
        written = [a_runner(name) for name in "bca"]
        for runner in written:
            await desk.write(lambda tx, r=runner: runners.put(tx, r))
        expected = sorted(written, key=lambda runner: runner.id)
        await every_page(desk, lambda tx, *a: runners.page(tx, TENANT, *a), expected)
