"""Requests that cannot be: the field is named, and nothing is changed."""

from typing import Any

import pytest
import pytest_asyncio
from server_house import House, fresh
from server_refusals import refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

MIB = 1024 * 1024


@pytest_asyncio.fixture(loop_scope="module")
async def session_id(house: House) -> str:
    """An idle session."""
    idle: str = (await house.session(await house.agent("nobody"))).id
    return idle


async def head(house: House, session_id: str) -> int:
    shown = await house.client.GetSession(session_id=session_id)
    sequence: int = shown.head_sequence
    return sequence


@pytest.mark.parametrize("size", [MIB + 1, 8 * MIB])
async def test_a_message_over_1_mib_is_too_large_at_every_door(
    house: House, session_id: str, size: int
) -> None:
    agent, text = await house.agent("nobody"), "x" * size
    block = [{"type": "input_text", "text": text}]
    calls = [
        house.send(session_id, text),
        house.session(agent, text),
        house.client.SubmitEvent(session_id=session_id, type="message", data={"content": block}),
        house.send("sess_none", text),
    ]
    for call in calls:
        met = await refused(call, "message_too_large")
        assert met.details == {"size": str(size), "limit": str(MIB)}
    assert await head(house, session_id) == 1
    assert not (await house.client.ListSessions(filter={"agent": agent})).data


async def test_a_message_is_measured_in_bytes_and_one_of_exactly_1_mib_is_taken(
    house: House, session_id: str
) -> None:
    await refused(house.send(session_id, "é" * (MIB // 2 + 1)), "message_too_large")
    await house.send(session_id, "é" * (MIB // 2))
    [item] = await house.items(session_id)
    assert item.content[0].text == "é" * (MIB // 2)


BLANK: list[dict[str, Any]] = [
    {},
    {"text": ""},
    {"text": " \n\t\u00a0 "},
    {"content": [{"type": "input_text", "text": " "}, {"type": "input_text"}]},
    {"text": "both", "content": [{"type": "input_text", "text": "both"}]},
    {"content": [{"type": "image", "text": "x"}]},
    {"text": "x", "role": 99},
]


@pytest.mark.parametrize("message", BLANK)
async def test_a_message_that_says_nothing_or_is_malformed_is_a_bad_request(
    house: House, session_id: str, message: dict[str, Any]
) -> None:
    call = house.client.SendMessage(session_id=session_id, message=message)
    assert (await refused(call, "bad_request")).details["field"].startswith("message")
    call = house.client.CreateSession(agent=await house.agent("nobody"), message=message)
    await refused(call, "bad_request")
    assert await head(house, session_id) == 1


MALFORMED: list[tuple[str, str, dict[str, Any]]] = [
    ("SendMessage", "when_busy", {"message": {"text": "x"}, "when_busy": 99}),
    ("Interrupt", "mode", {"mode": 99}),
    ("Interrupt", "queued", {"queued": 99}),
    ("Interrupt", "wait", {"wait": 99}),
    ("Interrupt", "wait_timeout", {"wait_timeout": {"seconds": 61}}),
    ("Interrupt", "wait_timeout", {"wait_timeout": {"seconds": -1}}),
    ("Interrupt", "reason", {"reason": "x" * 1001}),
    ("GetTurn", "wait_timeout", {"wait": True, "wait_timeout": {"seconds": 301}}),
    ("ListItems", "order", {"order": 99}),
    ("SubmitEvent", "type", {"type": "dance"}),
]


@pytest.mark.parametrize(("name", "field", "request_"), MALFORMED)
async def test_a_field_that_cannot_be_is_named(
    house: House, session_id: str, name: str, field: str, request_: dict[str, Any]
) -> None:
    call = getattr(house.client, name)(session_id=session_id, **request_)
    assert (await refused(call, "bad_request")).details["field"] == field
    assert await head(house, session_id) == 1


SESSIONS: list[dict[str, Any]] = [
    {"title": "x" * 501},
    {"labels": {"": "x"}},
    {"labels": {"x": "y" * 257}},
    {"labels": {str(number): "x" for number in range(65)}},
    {"selector": {"": "x"}},
    {"runner_id": "No Such Name"},
]


@pytest.mark.parametrize("fields", SESSIONS, ids=lambda fields: next(iter(fields)))
async def test_a_session_that_cannot_be_is_not_created(
    house: House, fields: dict[str, Any]
) -> None:
    agent = await house.agent("nobody")
    [name] = fields
    met = await refused(house.session(agent, **fields), "bad_request")
    assert met.details["field"] == name
    assert not (await house.client.ListSessions(filter={"agent": agent})).data


AGENTS: list[tuple[str, dict[str, Any]]] = [
    ("agent.name", {"name": "Big Name"}),
    ("agent.name", {"name": "x" * 64}),
    ("agent.harness", {"harness": ""}),
    ("agent.max_rounds", {"max_rounds": 0}),
    ("agent.context_items", {"context_items": -1}),
    ("agent.tools", {"tools": ["a", "a"]}),
    ("agent.retry.delays", {"retry": {"delays": [{"seconds": -1}]}}),
    ("agent.approvals", {"approvals": 99}),
    ("agent.on_runner_loss", {"on_runner_loss": 99}),
]


@pytest.mark.parametrize(("field", "fields"), AGENTS)
async def test_an_agent_that_cannot_be_is_not_created(
    house: House, field: str, fields: dict[str, Any]
) -> None:
    agent = {"name": fresh("agent"), "harness": "h"} | fields
    met = await refused(house.admin.CreateAgent(agent=agent), "bad_request")
    assert met.details["field"] == field
