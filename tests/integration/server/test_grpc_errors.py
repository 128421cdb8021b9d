"""Refusals: each with its code and its facts, and nothing changed. Who may call is elsewhere."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from raw_runner import raw_runner
from server_house import House, running_house
from server_refusals import refused

from steersman_server.rpc.agents import AgentService
from steersman_server.rpc.watch import Watches
from steersman_server.store import engine

pytestmark = pytest.mark.asyncio(loop_scope="module")

ODD_IDS = ["", "none", "sess_01m8q9h7mzcra2s4emkfenwa2q", "' OR 1=1 --", "a/b%2F", "ü🎉\n\0"]
LONG_ID = "🎉" * 2000


@pytest_asyncio.fixture(loop_scope="module")
async def session_id(house: House) -> str:
    """An idle session."""
    idle: str = (await house.session(await house.agent("nobody"))).id
    return idle


BY_SESSION: dict[str, Callable[[str], dict[str, Any]]] = {
    "GetSession": lambda id: {"session_id": id},
    "ArchiveSession": lambda id: {"session_id": id},
    "DeleteSession": lambda id: {"session_id": id},
    "UpdateSession": lambda id: {"session": {"id": id, "title": "x"}},
    "SendMessage": lambda id: {"session_id": id, "message": {"text": "x"}},
    "SubmitEvent": lambda id: {"session_id": id, "type": "interrupt"},
    "ListItems": lambda id: {"session_id": id},
    "ListTurns": lambda id: {"session_id": id},
    "GetTurn": lambda id: {"session_id": id, "turn_id": "turn_1"},
    "Interrupt": lambda id: {"session_id": id},
    "GetInterrupt": lambda id: {"session_id": id, "interrupt_id": "int_1"},
    "ListInterrupts": lambda id: {"session_id": id},
}


@pytest.mark.parametrize("name", BY_SESSION)
async def test_an_unknown_session_is_not_found_however_it_is_spelled(
    house: House, name: str
) -> None:
    for odd in ODD_IDS:
        met = await refused(getattr(house.client, name)(**BY_SESSION[name](odd)), "not_found")
        assert met.details == {"resource": "session", "id": odd}


async def test_an_id_that_is_not_there_is_told_back_cut_where_it_is_very_long(
    house: House,
) -> None:
    met = await refused(house.client.GetSession(session_id=LONG_ID), "not_found")
    assert met.details["resource"] == "session"
    assert met.details["id"] == LONG_ID[:125] + "…"
    cursor = house.client.ListSessions(after=LONG_ID)
    assert (await refused(cursor, "invalid_cursor")).details["cursor"].endswith("…")
    agent = {"name": await house.agent("nobody"), "etag": LONG_ID, "model": "m"}
    await refused(house.admin.UpdateAgent(agent=agent), "version_conflict")


@pytest.mark.parametrize("odd", ODD_IDS)
async def test_unknown_turns_interrupts_agents_and_runners_are_not_found(
    house: House, session_id: str, odd: str
) -> None:
    place = {"session_id": session_id}
    calls: list[tuple[str, Any]] = [
        ("turn", house.client.GetTurn(**place, turn_id=odd)),
        ("turn", house.client.GetTurn(**place, turn_id=odd, wait=True)),
        ("interrupt", house.client.GetInterrupt(**place, interrupt_id=odd)),
        ("agent", house.client.GetAgent(agent=odd)),
        ("agent", house.admin.DeleteAgent(agent=odd)),
        ("agent", house.admin.UpdateAgent(agent={"name": odd, "model": "m"})),
        ("agent", house.session(odd)),
        ("runner", house.client.GetRunner(runner_id=odd)),
    ]
    if odd:
        calls.append(("turn", house.client.Interrupt(**place, turn_id=odd)))
    for resource, call in calls:
        assert (await refused(call, "not_found")).details == {"resource": resource, "id": odd}


async def test_a_turn_or_interrupt_of_another_session_is_not_found(
    house: House, session_id: str
) -> None:
    other = await house.session(await house.agent("nobody"), "go")
    turn_id = other.active_turn.id
    for call in (
        house.client.GetTurn(session_id=session_id, turn_id=turn_id),
        house.client.Interrupt(session_id=session_id, turn_id=turn_id),
    ):
        await refused(call, "not_found")
    asked = await house.client.Interrupt(session_id=other.id)
    call = house.client.GetInterrupt(session_id=session_id, interrupt_id=asked.id)
    await refused(call, "not_found")


async def test_an_attempt_or_a_version_that_does_not_exist_is_not_found(house: House) -> None:
    agent = await house.agent("nobody")
    session = await house.session(agent, "go")
    for attempt in (0, 2, -1):
        call = house.client.Interrupt(
            session_id=session.id, turn_id=session.active_turn.id, attempt=attempt
        )
        assert (await refused(call, "not_found")).details["resource"] == "attempt"
    await refused(house.client.GetAgent(agent=agent, version=2), "not_found")
    await refused(house.client.GetAgent(agent=agent, version=0), "not_found")


async def test_a_name_that_is_taken_already_exists(house: House) -> None:
    agent = await house.agent("nobody")
    call = house.admin.CreateAgent(agent={"name": agent, "harness": "other"})
    assert (await refused(call, "already_exists")).details == {"resource": "agent", "id": agent}
    assert (await house.client.GetAgent(agent=agent)).harness == "nobody"


async def test_an_update_with_an_old_etag_is_a_version_conflict(
    house: House, session_id: str
) -> None:
    agent = await house.agent("nobody")
    old = (await house.client.GetAgent(agent=agent)).etag
    new = (await house.admin.UpdateAgent(agent={"name": agent, "model": "m", "etag": old})).etag
    call = house.admin.UpdateAgent(agent={"name": agent, "model": "n", "etag": old})
    met = await refused(call, "version_conflict")
    assert met.details == {"resource": "agent", "id": agent, "given": old, "current": new}
    assert (await house.client.GetAgent(agent=agent)).model == "m"
    old = (await house.client.GetSession(session_id=session_id)).etag
    one, two = ({"id": session_id, "title": title, "etag": old} for title in "ab")
    assert (await house.client.UpdateSession(session=one)).etag != old
    await refused(house.client.UpdateSession(session=two), "version_conflict")
    assert (await house.client.GetSession(session_id=session_id)).title == "a"


async def test_an_archived_session_takes_no_message_and_can_be_read(
    house: House, session_id: str
) -> None:
    first = await house.client.ArchiveSession(session_id=session_id)
    assert await house.client.ArchiveSession(session_id=session_id) == first
    met = await refused(house.send(session_id, "x"), "session_archived")
    assert (met.details["id"], met.details["state"]) == (session_id, "archived")
    assert (await house.client.GetSession(session_id=session_id)).HasField("archived_at")
    assert await house.items(session_id) == []


async def test_a_busy_session_is_neither_archived_nor_deleted(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        for name in ("ArchiveSession", "DeleteSession"):
            call = getattr(house.client, name)(session_id=session.id)
            assert (await refused(call, "session_busy")).details["state"] == "running"
        await runner.complete(held)
    await house.client.DeleteSession(session_id=session.id)
    await refused(house.client.GetSession(session_id=session.id), "not_found")


@pytest.mark.parametrize("stream", [False, True])
async def test_a_fault_of_ours_shows_a_correlation_id_and_nothing_else(
    house: House,
    session_id: str,
    stream: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("the password is hunter2")

    if stream:
        monkeypatch.setattr(Watches, "session", broken)
        call = house.client.WatchSession(session_id=session_id).read()
    else:
        monkeypatch.setattr(AgentService, "GetAgent", broken)
        call = house.client.GetAgent(agent="x")
    met = await refused(call, "internal")
    [(name, correlation_id)] = met.details.items()
    assert name == "correlation_id"
    assert met.message == f"internal error {correlation_id}"
    assert "hunter2" not in met.message
    logged = capsys.readouterr().out
    assert correlation_id in logged
    assert "hunter2" in logged


async def test_a_store_that_cannot_commit_is_said_so_and_nothing_is_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT", 0.1)
    async with running_house(tmp_path) as house:
        session = await house.session(await house.agent("nobody"))
        other = sqlite3.connect(tmp_path / "steersman.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await refused(house.send(session.id, "lost", request_id="id"), "store_unavailable")
        assert (await house.client.GetSession(session_id=session.id)).head_sequence == 1
        other.execute("ROLLBACK")
        other.close()
        await house.send(session.id, "kept", request_id="id")
        assert [item.content[0].text for item in await house.items(session.id)] == ["kept"]
