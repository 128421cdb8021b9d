"""WatchSessions: a list that stays fresh, and what leaves its filter."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from raw_runner import raw_runner
from server_house import Door, House, fresh, running_house, within

from steersman import short
from steersman_server.core.values import Role

pytestmark = pytest.mark.asyncio(loop_scope="module")


class List:
    """One WatchSessions stream, and what it has told so far."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self.page: list[str] = []

    async def next(self) -> tuple[str, Any]:
        frame = await within(self._call.read())
        kind = frame.WhichOneof("frame")
        return kind, getattr(frame, kind)

    async def changed(self, session_id: str, status: str) -> None:
        """Read until this session has this status; nothing else may be told."""
        while True:
            kind, what = await self.next()
            assert kind == "session"
            assert what.id == session_id
            if short(what, "status") == status:
                return


@asynccontextmanager
async def watched(door: Door, **fields: Any) -> AsyncIterator[List]:
    call = door.WatchSessions(**fields)
    try:
        opened = List(call)
        kind, page = await opened.next()
        assert kind == "snapshot"
        opened.page = [session.id for session in page.data]
        yield opened
    finally:
        call.cancel()


async def test_the_page_comes_first_newest_first_and_then_every_change(house: House) -> None:
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness)
        old, new = [await house.session(agent) for _ in range(2)]
        async with watched(house.client, filter={"agent": agent}) as stream:
            assert stream.page == [new.id, old.id]
            await house.send(old.id, "go")
            held = await runner.taken()
            await stream.changed(old.id, "running")
            await runner.complete(held)
            await stream.changed(old.id, "idle")
            fresh_one = await house.session(agent)
            await stream.changed(fresh_one.id, "idle")


async def test_a_session_that_leaves_the_filter_is_removed_and_may_come_back(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness)
        session = await house.session(agent, "go")
        held = await runner.taken()
        chosen = {"agent": agent, "status": ["SESSION_STATUS_RUNNING"]}
        async with watched(house.client, filter=chosen) as stream:
            assert stream.page == [session.id]
            await runner.complete(held)
            assert await stream.next() == ("removed", session.id)
            await house.send(session.id, "again")
            kind, what = await stream.next()
            assert (kind, what.id) == ("session", session.id)


async def test_a_deleted_and_an_archived_session_are_removed(house: House) -> None:
    agent = await house.agent("nobody")
    gone, kept = [await house.session(agent) for _ in range(2)]
    async with watched(house.client, filter={"agent": agent}) as stream:
        await house.client.DeleteSession(session_id=gone.id)
        assert await stream.next() == ("removed", gone.id)
        await house.client.ArchiveSession(session_id=kept.id)
        assert await stream.next() == ("removed", kept.id)


async def test_sessions_outside_the_filter_are_never_told(house: House) -> None:
    agent = await house.agent("nobody")
    label = fresh("label")
    async with watched(house.client, filter={"labels": {label: "yes"}}) as stream:
        other = await house.session(agent, labels={label: "no"})
        await house.client.DeleteSession(session_id=other.id)
        inside = await house.session(agent, labels={label: "yes"})
        await stream.changed(inside.id, "idle")


async def test_the_page_is_as_long_as_asked(house: House) -> None:
    agent = await house.agent("nobody")
    _, second = [await house.session(agent) for _ in range(2)]
    async with watched(house.client, filter={"agent": agent}, limit=1) as stream:
        assert stream.page == [second.id]


async def test_another_tenants_sessions_are_not_told(house: House) -> None:
    stranger = await house.new_door(fresh("stranger"), Role.ADMIN, tenant=fresh("tenant"))
    await stranger.CreateAgent(agent={"name": "theirs", "harness": "nobody"})
    async with watched(stranger) as stream:
        assert stream.page == []
        await house.session(await house.agent("nobody"))
        own = await stranger.CreateSession(agent="theirs")
        await stream.changed(own.id, "idle")


async def test_progress_comes_where_nothing_changes(tmp_path: Any) -> None:
    async with (
        running_house(tmp_path, watch_progress=0.05) as house,
        watched(house.client) as stream,
    ):
        assert [(await stream.next())[0] for _ in range(2)] == ["progress", "progress"]
