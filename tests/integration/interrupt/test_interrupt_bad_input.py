"""Interrupts that cannot be: each has its own answer, and none of them changes anything."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from raw_runner import RawRunner, raw_runner
from server_house import House, fresh
from server_refusals import refused

from steersman import short
from steersman.v1.runner_pb2 import StartTurn
from steersman_server.core.values import Role

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Running(NamedTuple):
    """A session whose second turn runs; its first one has ended."""

    house: House
    session: Any
    ended: StartTurn
    held: StartTurn
    runner: RawRunner

    async def head(self) -> int:
        shown = await self.house.client.GetSession(session_id=self.session.id)
        assert short(shown.active_turn, "state") == "running"
        return int(shown.head_sequence)


@pytest_asyncio.fixture(loop_scope="module")
async def running(house: House) -> AsyncIterator[Running]:
    async with raw_runner(house) as runner:
        session = await house.session(await house.agent(runner.harness), "one")
        ended = await runner.taken()
        await runner.complete(ended)
        await house.send(session.id, "two")
        opened = Running(house, session, ended, await runner.taken(), runner)
        before = await opened.head()
        yield opened
        await runner.silent()  # no stop frame came of it
        assert await opened.head() == before
        await runner.complete(opened.held)


async def test_an_unknown_session_is_not_found(running: Running) -> None:
    for name in ("sess_unknown", "", "turn_1", "Ünknown", "../etc"):
        met = await refused(running.house.client.Interrupt(session_id=name), "not_found")
        assert met.details["resource"] == "session"


async def test_an_unknown_turn_and_a_turn_of_another_session_are_not_found_alike(
    running: Running,
) -> None:
    other = await running.house.session(running.session.agent, "elsewhere", runner_id="nobody")
    for turn_id in (other.active_turn.id, "turn_unknown", other.id):
        call = running.house.client.Interrupt(session_id=running.session.id, turn_id=turn_id)
        met = await refused(call, "not_found")
        assert (met.details["resource"], met.details["id"]) == ("turn", turn_id)
    shown = await running.house.client.GetSession(session_id=other.id)
    assert short(shown.active_turn, "state") == "queued"


@pytest.mark.parametrize("attempt", [0, 2, -1, 2**31 - 1])
async def test_an_attempt_that_does_not_exist_is_not_found(running: Running, attempt: int) -> None:
    for turn_id in (running.held.turn_id, ""):
        call = running.house.client.Interrupt(
            session_id=running.session.id, turn_id=turn_id, attempt=attempt
        )
        assert (await refused(call, "not_found")).details["resource"] == "attempt"


async def test_a_turn_that_ended_by_itself_is_turn_not_active_with_its_state(
    running: Running,
) -> None:
    call = running.house.client.Interrupt(
        session_id=running.session.id, turn_id=running.ended.turn_id, attempt=1
    )
    met = await refused(call, "turn_not_active")
    assert (met.details["state"], met.details["attempt"]) == ("completed", "1")
    assert "running" in met.details["allowed"].split(", ")


async def test_another_tenants_session_is_not_found_as_one_that_is_not_there(
    running: Running,
) -> None:
    stranger = await running.house.new_door(fresh("stranger"), Role.CLIENT, tenant="elsewhere")
    mine = {"session_id": running.session.id, "turn_id": running.held.turn_id}
    met = await refused(stranger.Interrupt(**mine), "not_found")
    unknown = await refused(stranger.Interrupt(session_id="sess_unknown"), "not_found")
    assert met.details.keys() == unknown.details.keys()
    assert met.details["resource"] == unknown.details["resource"] == "session"
    for call in (
        stranger.ListInterrupts(session_id=running.session.id),
        stranger.GetInterrupt(session_id=running.session.id, interrupt_id="int_unknown"),
    ):
        assert (await refused(call, "not_found")).details["resource"] == "session"


async def test_a_viewer_may_look_at_interrupts_and_not_ask_for_one(running: Running) -> None:
    viewer = await running.house.new_door(fresh("viewer"), Role.VIEWER)
    met = await refused(viewer.Interrupt(session_id=running.session.id), "permission_denied")
    assert met.details["role"] == "viewer"
    assert "client" in met.details["allowed"]
    assert not (await viewer.ListInterrupts(session_id=running.session.id)).data


async def test_a_runners_token_and_no_token_are_told_apart(running: Running) -> None:
    call = running.house.runner.Interrupt(session_id=running.session.id)
    assert (await refused(call, "permission_denied")).details["role"] == "runner"
    nobody = running.house.door(None)
    await refused(nobody.Interrupt(session_id=running.session.id), "unauthenticated")


@pytest.mark.parametrize(
    "field",
    [{"reason": "x" * 1001}, {"wait_timeout": {"seconds": 61}}, {"wait_timeout": {"seconds": -1}}],
    ids=["reason", "too long", "negative"],
)
async def test_what_is_out_of_range_is_bad_request_with_the_field(
    running: Running, field: dict[str, Any]
) -> None:
    call = running.house.client.Interrupt(
        session_id=running.session.id, wait="INTERRUPT_WAIT_SETTLED", **field
    )
    assert (await refused(call, "bad_request")).details["field"] == next(iter(field))


async def test_an_unknown_interrupt_and_one_of_another_session_are_not_found(
    running: Running,
) -> None:
    other = await running.house.session(running.session.agent, "elsewhere", runner_id="nobody")
    asked = await running.house.client.Interrupt(session_id=other.id)
    for interrupt_id in (asked.id, "int_unknown", ""):
        call = running.house.client.GetInterrupt(
            session_id=running.session.id, interrupt_id=interrupt_id
        )
        assert (await refused(call, "not_found")).details["resource"] == "interrupt"


async def test_a_request_id_with_another_wish_is_request_id_reused(running: Running) -> None:
    idle = await running.house.session(running.session.agent)
    same = {"request_id": fresh("wish")}
    await running.house.client.Interrupt(session_id=idle.id, **same)
    call = running.house.client.Interrupt(session_id=running.session.id, **same)
    await refused(call, "request_id_reused")
