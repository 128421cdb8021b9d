"""Under one request_id a mutation happens once and answers alike."""

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from raw_runner import raw_runner
from server_house import METHODS, House, fresh, running_house
from server_refusals import refused
from server_watching import history, kinds, log_of

from steersman import short
from steersman_server.core.values import Role

pytestmark = pytest.mark.asyncio(loop_scope="module")

MUTATIONS = sorted(
    name for name, method in METHODS.items() if "request_id" in method.input_type.fields_by_name
)


class Case(NamedTuple):
    """A request, and another one of the same kind."""

    request: dict[str, Any]
    other: dict[str, Any]
    session_id: str = ""


async def case(house: House, name: str) -> Case:
    agent = await house.agent("nobody")
    if name.endswith("Agent"):
        return await _agent_case(name, agent)
    idle, busy = await house.session(agent), await house.session(agent, "go")
    place = {"session_id": idle.id}
    match name:
        case "CreateSession":
            message = {"text": "first"}
            return Case({"agent": agent, "message": message}, {"agent": agent})
        case "UpdateSession":
            one, two = ({"session": {"id": idle.id, "title": title}} for title in "ab")
            return Case(one, two, idle.id)
        case "ArchiveSession" | "DeleteSession":
            return Case(place, {"session_id": busy.id}, idle.id if "Arch" in name else "")
        case "SendMessage":
            one, two = (place | {"message": {"text": text}} for text in "ab")
            return Case(one, two, idle.id)
        case "SubmitEvent":
            content = [{"type": "input_text", "text": "a"}]
            submitted: dict[str, Any] = place | {"type": "message", "data": {"content": content}}
            return Case(submitted, place | {"type": "interrupt"}, idle.id)
        case "Interrupt":
            place = {"session_id": busy.id}
            return Case(place, place | {"reason": "other"}, busy.id)
    raise AssertionError(f"{name} has no case here yet")


async def _agent_case(name: str, agent: str) -> Case:
    match name:
        case "CreateAgent":
            one, two = ({"agent": {"name": fresh("new"), "harness": h}} for h in ("h", "i"))
        case "UpdateAgent":
            one, two = ({"agent": {"name": agent, "model": model}} for model in ("m", "n"))
        case _:
            return Case({"agent": agent}, {"agent": "other"})
    return Case(one, two)


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_repeat_answers_the_first_answer_and_another_body_is_refused(
    house: House, name: str
) -> None:
    given, call, request_id = await case(house, name), getattr(house.admin, name), fresh("id")
    first = await call(**given.request, request_id=request_id)
    before = await log_of(house.client, given.session_id) if given.session_id else []
    assert await call(**given.request, request_id=request_id) == first
    met = await refused(call(**given.other, request_id=request_id), "request_id_reused")
    assert met.details == {"request_id": request_id}
    if given.session_id:
        assert await log_of(house.client, given.session_id) == before


async def test_a_session_created_twice_with_its_message_is_one_with_one_message(
    house: House,
) -> None:
    agent = await house.agent("nobody")
    request = {"agent": agent, "message": {"text": "once"}, "request_id": fresh("id")}
    first, second = [await house.client.CreateSession(**request) for _ in range(2)]
    assert first == second
    listed = await house.client.ListSessions(filter={"agent": agent})
    assert [session.id for session in listed.data] == [first.id]
    assert history(await house.items(first.id)) == [("user", "once")]


async def test_the_scope_is_the_token_and_the_method(house: House) -> None:
    session = await house.session(await house.agent("nobody"))
    request_id = fresh("id")
    mine = await house.send(session.id, "a", request_id=request_id)
    other = await house.new_door(fresh("client"), Role.CLIENT)
    theirs = await other.SendMessage(
        session_id=session.id, message={"text": "a"}, request_id=request_id
    )
    assert theirs.item_id != mine.item_id
    asked = await house.client.Interrupt(session_id=session.id, request_id=request_id)
    assert short(asked, "state") == "confirmed"


async def test_concurrent_duplicates_have_one_effect_and_one_answer(house: House) -> None:
    session = await house.session(await house.agent("nobody"))
    request_id = fresh("id")
    doors = [house.door("client") for _ in range(4)]
    answers = await asyncio.gather(
        *(
            door.SendMessage(session_id=session.id, message={"text": "once"}, request_id=request_id)
            for door in doors
            for _ in range(5)
        )
    )
    assert all(answer == answers[0] for answer in answers)
    assert history(await house.items(session.id)) == [("user", "once")]
    assert kinds(await log_of(house.client, session.id)).count("input_queued") == 0


async def test_a_refusal_is_not_stored(house: House) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        request = {"when_busy": "WHEN_BUSY_REJECT", "request_id": fresh("id")}
        await refused(house.send(session.id, "next", **request), "session_busy")
        await runner.complete(held)
        sent = await house.send(session.id, "next", **request)
        assert short(sent, "outcome") == "started"


async def test_a_repeat_answers_the_first_answer_when_the_world_has_moved_on(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness))
        request = {"session_id": session.id, "message": {"text": "go"}, "request_id": fresh("id")}
        first = await house.client.SendMessage(**request)
        await runner.complete(await runner.taken())
        await house.send(session.id, "next")
        assert await house.client.SendMessage(**request) == first
        await runner.complete(await runner.taken())
        await house.client.DeleteSession(session_id=session.id)
        assert await house.client.SendMessage(**request) == first


async def test_an_interrupt_that_is_delayed_and_repeated_does_not_touch_the_next_turn(
    house: House,
) -> None:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        request = {"session_id": session.id, "request_id": fresh("id")}
        first = await house.client.Interrupt(**request)
        await runner.stop()
        await runner.stopped(held)
        await house.send(session.id, "next")
        following = await runner.taken()
        again = await house.client.Interrupt(**request)
        assert again.id == first.id
        await runner.silent()
        await runner.complete(following)


async def test_a_request_id_has_at_most_200_characters(house: House) -> None:
    session = await house.session(await house.agent("nobody"))
    call = house.send(session.id, "a", request_id="x" * 201)
    assert (await refused(call, "bad_request")).details["field"] == "request_id"
    await house.send(session.id, "a", request_id="x" * 200)


async def test_answers_are_remembered_over_a_restart(tmp_path: Path) -> None:
    request = {"message": {"text": "go"}, "request_id": "once"}
    async with running_house(tmp_path) as house:
        session = await house.session(await house.agent("nobody"))
        first = await house.client.SendMessage(session_id=session.id, **request)
    async with running_house(tmp_path) as again:
        assert await again.client.SendMessage(session_id=session.id, **request) == first
        assert len(await again.items(session.id)) == 1
