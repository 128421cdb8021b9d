"""Lists and reads: pages by cursor in both orders, filters, and what a resource carries."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise, product
from typing import Any

import pytest
import pytest_asyncio
from raw_runner import raw_runner
from server_house import House, fresh, within
from server_refusals import refused

from steersman import short, text
from steersman_server.rpc import sessions
from steersman_server.wire import events as wire_events

pytestmark = pytest.mark.asyncio(loop_scope="module")

ORDERS = ["ORDER_ASC", "ORDER_DESC"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def told(house: House) -> AsyncIterator[str]:
    """A session of four turns, one item for each question and each answer."""
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "0")
        for number in range(4):
            held = await runner.taken()
            await runner.complete(held, f"answer {number}")
            if number < 3:
                await house.send(session.id, str(number + 1))
    yield session.id


def windows(ids: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Every pair of cursors, and what lies between them."""
    for after, before in product(["", *ids], repeat=2):
        start = ids.index(after) + 1 if after else 0
        end = ids.index(before) if before else len(ids)
        yield after, before, ids[start:end]


@pytest.mark.parametrize("order", ORDERS)
async def test_items_are_paged_by_every_cursor_in_both_orders(
    house: House, told: str, order: str
) -> None:
    ids = [item.id for item in await house.items(told, order=order)]
    assert len(ids) == 8
    for after, before, between in windows(ids):
        page = await house.client.ListItems(
            session_id=told, order=order, limit=3, after=after, before=before
        )
        expected = between[-3:] if before and not after else between[:3]
        assert [item.id for item in page.data] == expected
        assert page.has_more == (len(between) > 3)
        assert (page.first_id, page.last_id) == (
            (expected[0], expected[-1]) if expected else ("", "")
        )


async def test_items_ascend_unless_asked_otherwise_and_descend_exactly_reversed(
    house: House, told: str
) -> None:
    ascending = await house.items(told)
    assert all(a.sequence < b.sequence for a, b in pairwise(ascending))
    assert await house.items(told, order="ORDER_DESC") == ascending[::-1]


@pytest.mark.parametrize("cursor", ["after", "before"])
async def test_an_unknown_cursor_and_one_of_another_session_are_invalid(
    house: House, told: str, cursor: str
) -> None:
    other = await house.session(await house.agent("nobody"), "go")
    [foreign] = await house.items(other.id)
    for wrong in ("item_none", "' OR 1=1", foreign.id):
        call = house.client.ListItems(session_id=told, **{cursor: wrong})
        met = await refused(call, "invalid_cursor")
        assert met.details["cursor"] == wrong


async def test_cursors_of_turns_interrupts_and_sessions_are_checked_too(
    house: House, told: str
) -> None:
    other = await house.session(await house.agent("nobody"), "go")
    asked = await house.client.Interrupt(session_id=other.id)
    for wrong in ("turn_none", other.active_turn.id):
        await refused(house.client.ListTurns(session_id=told, after=wrong), "invalid_cursor")
    for wrong in ("int_none", asked.id):
        await refused(house.client.ListInterrupts(session_id=told, after=wrong), "invalid_cursor")
    await refused(house.client.ListSessions(after="sess_none"), "invalid_cursor")


@pytest.mark.parametrize("limit", [0, -1, 1001])
async def test_a_page_has_1_to_1000_rows(house: House, told: str, limit: int) -> None:
    calls: list[Any] = [
        house.client.ListItems(session_id=told, limit=limit),
        house.client.ListTurns(session_id=told, limit=limit),
        house.client.ListInterrupts(session_id=told, limit=limit),
        house.client.ListSessions(limit=limit),
        house.client.ListAgents(limit=limit),
        house.client.ListRunners(limit=limit),
    ]
    for call in calls:
        assert (await refused(call, "bad_request")).details["field"] == "limit"


@pytest.mark.parametrize("order", ORDERS)
async def test_a_page_is_cut_by_its_size_and_the_next_goes_on_behind_it(
    house: House, told: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wire_events.PAGE_BYTES == 4 * 1024 * 1024
    monkeypatch.setattr(sessions, "PAGE_BYTES", 500)
    seen, after = [], ""
    while True:
        page = await house.client.ListItems(session_id=told, order=order, after=after)
        assert 1 <= len(page.data) < 8
        seen += [item.id for item in page.data]
        after = page.last_id
        if not page.has_more:
            break
    monkeypatch.undo()
    assert seen == [item.id for item in await house.items(told, order=order)]


async def test_turns_are_listed_newest_first_in_pages(house: House, told: str) -> None:
    ids, after = [], ""
    while True:
        page = await house.client.ListTurns(session_id=told, limit=3, after=after)
        ids += [turn.id for turn in page.data]
        after = page.last_id
        if not page.has_more:
            break
    by_age = [item.turn_id for item in await house.items(told) if short(item, "role") == "user"]
    assert ids == by_age[::-1]


async def test_sessions_are_filtered_by_status_agent_labels_and_title(house: House) -> None:
    one, two, label = await house.agent("nobody"), await house.agent("nobody"), fresh("label")
    a = await house.session(one, title="Größe of ÄPFEL_100%", labels={label: "x", "n": "1"})
    b = await house.session(one, "go", title="pears", labels={label: "x", "n": "2"})
    c = await house.session(two, title="apfel", labels={label: "y"})

    async def ids(**chosen: Any) -> list[str]:
        page = await house.client.ListSessions(filter=chosen)
        return [session.id for session in page.data if session.id in (a.id, b.id, c.id)]

    assert await ids() == [c.id, b.id, a.id]
    assert await ids(agent=one) == [b.id, a.id]
    assert await ids(status=["SESSION_STATUS_RUNNING"]) == [b.id]
    both = ["SESSION_STATUS_RUNNING", "SESSION_STATUS_IDLE"]
    assert await ids(status=both) == [c.id, b.id, a.id]
    assert await ids(labels={label: "x"}) == [b.id, a.id]
    assert await ids(labels={label: "x", "n": "2"}) == [b.id]
    assert await ids(labels={label: "X"}) == []
    assert await ids(title="PEAR") == [b.id]
    assert await ids(title="100%") == [a.id]
    assert await ids(title="_100") == [a.id]
    assert await ids(title="%") == [a.id]
    assert await ids(agent=one, labels={label: "x"}, title="pears") == [b.id]
    await house.client.ArchiveSession(session_id=a.id)
    assert await ids(agent=one) == [b.id]
    assert await ids(agent=one, include_archived=True) == [b.id, a.id]


async def test_titles_match_upper_and_lower_case_alike_beyond_ascii(house: House) -> None:
    agent = await house.agent("nobody")
    session = await house.session(agent, title="ÄPFEL")
    page = await house.client.ListSessions(filter={"agent": agent, "title": "äpfel"})
    assert [found.id for found in page.data] == [session.id]


async def test_get_turn_waits_for_the_end_and_no_longer_than_asked(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        place = {"session_id": session.id, "turn_id": held.turn_id, "wait": True}
        soon = await house.client.GetTurn(**place, wait_timeout={"nanos": 30_000_000})
        assert short(soon, "state") == "running"
        near = await house.client.GetTurn(**place, timeout=0.5)
        assert short(near, "state") == "running"
        waiting = asyncio.create_task(house.client.GetTurn(**place))
        await runner.silent()
        assert not waiting.done()
        await runner.complete(held)
        assert short(await within(waiting), "state") == "completed"
        assert short(await house.client.GetTurn(**place), "state") == "completed"


async def test_a_session_carries_what_was_given_and_no_items(house: House) -> None:
    agent = await house.agent("nobody")
    made = await house.session(
        agent, "go", title="t", labels={"a": "b"}, runner_id="r-1", selector={"zone": "z"}
    )
    shown = await house.client.GetSession(session_id=made.id)
    assert shown == made
    assert shown.id.startswith("sess_")
    assert (shown.agent, shown.agent_version, shown.title) == (agent, 1, "t")
    assert (dict(shown.labels), dict(shown.selector)) == ({"a": "b"}, {"zone": "z"})
    assert (shown.runner_id, short(shown, "status"), shown.head_sequence) == ("r-1", "running", 3)
    assert shown.etag
    assert not shown.HasField("last_error")
    assert "items" not in shown.DESCRIPTOR.fields_by_name


async def test_a_session_keeps_the_version_of_its_agent(house: House) -> None:
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness, instructions="old")
        session = await house.session(agent)
        updated = await house.admin.UpdateAgent(agent={"name": agent, "instructions": "new"})
        assert updated.version == 2
        await house.admin.DeleteAgent(agent=agent)
        await house.send(session.id, "go")
        held = await runner.start()
        assert (held.agent.version, held.agent.instructions) == (1, "old")


async def test_an_item_tells_where_it_belongs(house: House, told: str) -> None:
    turns = (await house.client.ListTurns(session_id=told)).data
    for item in await house.items(told):
        assert item.id.startswith("item_")
        assert item.turn_id in {turn.id for turn in turns}
        assert (item.attempt, item.synthetic, text(item) != "") == (1, False, True)
        assert not item.HasField("withdrawn_at")
