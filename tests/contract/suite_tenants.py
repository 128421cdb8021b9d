"""Store suite, sessions and tenants: the filters of a list, and whose rows anybody sees."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from store_desk import OTHER, TENANT, Desk, a_runner, add_agent, note, open_session, start_turn
from suite_pages import every_page

from steersman_server.core.refusals import InvalidCursor, NotFound
from steersman_server.core.session import Session, SessionStatus
from steersman_server.core.turn import Assigned, TurnState, decide
from steersman_server.core.values import Caller, Instant, Role, RunnerId, Tenant
from steersman_server.store import agents, requests, rows, runners, sessions, tokens, turns
from steersman_server.store import statements as sql
from steersman_server.store.ledger import Ledger
from steersman_server.store.requests import RequestKey
from steersman_server.store.sessions import SessionFilter
from steersman_server.store.transaction import Transaction

FILTERS: Final[dict[str, tuple[SessionFilter, str]]] = {
    "nothing": (SessionFilter(), "abcd"),
    "status": (SessionFilter(statuses=[SessionStatus.IDLE]), "ab"),
    "statuses": (SessionFilter(statuses=[SessionStatus.FAILED, SessionStatus.RUNNING]), "cd"),
    "agent": (SessionFilter(agent="other"), "b"),
    "label": (SessionFilter(labels={"team": "red"}), "ac"),
    "labels": (SessionFilter(labels={"team": "red", "a.b c": "1"}), "a"),
    "label that nobody has": (SessionFilter(labels={"none": ""}), ""),
    "title": (SessionFilter(title="report"), "ac"),
    "title in upper case": (SessionFilter(title="REPORT"), "ac"),
    "title beyond ASCII": (SessionFilter(title="ärger"), "b"),
    "title with a wildcard": (SessionFilter(title="%"), "d"),
    "archived": (SessionFilter(include_archived=True), "abcde"),
    "all together": (
        SessionFilter([SessionStatus.IDLE], "helper", {"team": "red"}, "weekly", True),
        "ae",
    ),
}


def five_sessions(tx: Transaction) -> list[Session]:
    """Sessions a to e, oldest first."""
    drafts: list[dict[str, Any]] = [
        {"title": "Weekly report", "labels": {"team": "red", "a.b c": "1"}},
        {"title": "ÄRGER", "agent": "other", "labels": {"team": "blue"}},
        {"title": "report", "labels": {"team": "red"}, "status": SessionStatus.FAILED},
        {"title": "100%_", "status": SessionStatus.RUNNING},
        {"title": "weekly", "labels": {"team": "red"}, "archived_at": Instant(1)},
    ]
    return [open_session(tx, **draft) for draft in drafts]


class TenantSuite:
    """Sessions, tokens, agents and runners of several tenants."""

    @pytest.mark.parametrize(("chosen", "names"), FILTERS.values(), ids=FILTERS)
    async def test_a_filter_chooses_the_same_sessions_in_a_list_and_in_a_watch(
        self, desk: Desk, chosen: SessionFilter, names: str
    ) -> None:
        written = await desk.write(five_sessions)
        await desk.write(lambda tx: open_session(tx, OTHER, title="report 100%"))
        expected = [one for one, name in zip(written, "abcde", strict=True) if name in names]
        found, _ = await desk.read(lambda tx: sessions.page(tx, TENANT, chosen, "", 100))
        assert found == expected[::-1]
        assert [one for one in written if chosen.admits(one)] == expected

    async def test_sessions_page_newest_first(self, desk: Desk) -> None:
        written = [await desk.write(open_session) for _ in range(5)]
        chosen = SessionFilter()
        page = sessions.page
        await every_page(desk, lambda tx, *a: page(tx, TENANT, chosen, *a), written[::-1])

    async def test_a_deleted_session_leaves_nothing_and_the_others_stay(self, desk: Desk) -> None:
        await desk.write(add_agent())
        gone, stays = [await desk.write(open_session) for _ in range(2)]
        for one in (gone, stays):
            await desk.write(lambda tx, s=one: start_turn(tx, s))
        await desk.write(lambda tx: sessions.remove(tx, gone.id))
        for table in (sql.SESSION, sql.EVENT, sql.ITEM, sql.TURN):
            column = table.c.id if table is sql.SESSION else table.c.session_id
            left = await desk.read(lambda tx, t=table: tx.rows(t.select()))
            assert {row[column.name] for row in left} == {stays.id}, table.name

    async def test_another_tenants_rows_are_not_there(self, desk: Desk) -> None:
        await desk.write(add_agent("mine"))
        session = await desk.write(open_session)
        await desk.write(lambda tx: runners.put(tx, a_runner("mine")))
        reads: dict[str, Callable[[Transaction], Any]] = {
            "session": lambda tx: sessions.get(tx, OTHER, session.id),
            "agent": lambda tx: agents.newest(tx, OTHER, "mine"),
            "version": lambda tx: agents.version(tx, OTHER, "mine", 1),
            "runner": lambda tx: runners.get(tx, OTHER, "mine"),
        }
        for read in reads.values():
            with pytest.raises(NotFound):
                await desk.read(read)
        assert await desk.read(lambda tx: agents.last_version(tx, OTHER, "mine")) == 0

    async def test_another_tenants_cursor_is_invalid_and_its_lists_are_empty(
        self, desk: Desk
    ) -> None:
        await desk.write(add_agent("mine"))
        session = await desk.write(open_session)
        await desk.write(lambda tx: runners.put(tx, a_runner("mine")))
        lists: list[tuple[Callable[..., Any], str]] = [
            (lambda tx, *a: sessions.page(tx, OTHER, SessionFilter(), *a), session.id),
            (lambda tx, *a: agents.page(tx, OTHER, *a), "mine"),
            (lambda tx, *a: runners.page(tx, OTHER, *a), "mine"),
        ]
        for page, cursor in lists:
            assert await desk.read(lambda tx, p=page: p(tx, "", 9)) == ([], False)
            with pytest.raises(InvalidCursor):
                await desk.read(lambda tx, p=page, c=cursor: p(tx, c, 9))

    async def test_what_one_tenant_changes_leaves_the_others_namesake_alone(
        self, desk: Desk
    ) -> None:
        for tenant in (TENANT, OTHER):
            await desk.write(add_agent("same", tenant))
            await desk.write(lambda tx, t=tenant: runners.put(tx, a_runner("same", t)))
        await desk.write(note("a"))
        await desk.write(note("b", OTHER))
        await desk.write(add_agent("same"))
        await desk.write(lambda tx: agents.remove(tx, TENANT, "same"))
        await desk.write(lambda tx: tokens.revoke(tx, TENANT, "b"))
        await desk.write(lambda tx: runners.put(tx, replace(a_runner("same"), slots=9)))
        await desk.write(lambda tx: runners.seen(tx, TENANT, RunnerId("same"), Instant(1)))
        assert (await desk.read(lambda tx: agents.newest(tx, OTHER, "same"))).version == 1
        theirs = await desk.read(lambda tx: runners.get(tx, OTHER, "same"))
        assert theirs == a_runner("same", OTHER)
        assert [t.revoked_at for t in await desk.read(tokens.every)] == [None, None]

    async def test_a_runner_holds_its_tenants_turns_alone_and_only_live_ones(
        self, desk: Desk
    ) -> None:
        name = RunnerId("same")

        def hold(tx: Transaction, tenant: Tenant) -> str:
            add_agent(tenant=tenant)(tx)
            session = open_session(tx, tenant)
            turn = start_turn(tx, session)
            ledger = Ledger(tx, sessions.get_any(tx, session.id), "server")
            ledger.turn(turn, decide(turn, Assigned(name), tx.now))
            ledger.close()
            return turn.id

        mine, theirs = [await desk.write(lambda tx, t=t: hold(tx, t)) for t in (TENANT, OTHER)]
        for tenant, turn_id in ((TENANT, mine), (OTHER, theirs)):
            held = await desk.read(lambda tx, t=tenant: turns.held_by(tx, t, name))
            assert [turn.id for turn in held] == [turn_id]
        assert await desk.read(turns.held_runners) == {(TENANT, name), (OTHER, name)}
        live = await desk.read(lambda tx: turns.live(tx, [TurnState.ASSIGNED]))
        assert [turn.id for turn in live] == [mine, theirs]
        ended = sql.TURN.update().values(ended_at=1)
        await desk.write(lambda tx: tx.run(ended))
        assert await desk.read(lambda tx: turns.held_by(tx, TENANT, name)) == []
        assert rows.turn_values(held[0])["tenant"] == OTHER

    async def test_a_request_id_is_a_tenants_a_tokens_and_a_methods(self, desk: Desk) -> None:
        def key(tenant: Tenant, name: str, method: str) -> RequestKey:
            return RequestKey(Caller(tenant, name, Role.CLIENT), method, "r1", "print")

        mine = key(TENANT, "client", "SendMessage")
        await desk.write(lambda tx: requests.keep(tx, mine, b"answer"))
        assert await desk.read(lambda tx: requests.answer_to(tx, mine)) == ("print", b"answer")
        for other in (
            key(OTHER, "client", "SendMessage"),
            key(TENANT, "admin", "SendMessage"),
            key(TENANT, "client", "Interrupt"),
        ):
            assert await desk.read(lambda tx, k=other: requests.answer_to(tx, k)) is None
