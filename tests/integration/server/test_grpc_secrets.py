"""What must not be in the log: tokens, and what people say."""

import io
import sys
from typing import Any

import pytest
import structlog
from raw_runner import raw_runner
from server_house import House, fresh
from server_refusals import refused

from steersman_server import logs
from steersman_server.core.values import Role
from steersman_server.rpc import auth
from steersman_server.rpc.agents import AgentService
from steersman_server.store import tokens

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(params=[True, False], ids=["json", "console"])
def log(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, plain_logs: None
) -> io.StringIO:
    """All that a server logs at `debug`, set up as `steersman serve` does it."""
    written, configure = io.StringIO(), structlog.configure

    def uncached(**settings: Any) -> None:
        configure(**settings | {"cache_logger_on_first_use": False})

    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", written)
        patch.setattr(structlog, "configure", uncached)
        logs.configure(level="debug", as_json=request.param)
    return written


def broken(*_: Any) -> Any:
    raise RuntimeError("a fault of ours")


async def test_no_token_is_in_the_log_neither_of_good_calls_nor_of_refused_ones(
    house: House, log: io.StringIO
) -> None:
    secrets = [await house.new_token(fresh("client"), Role.CLIENT) for _ in range(2)]
    good, bad = house.door(None, secrets[0]), house.door(None, secrets[1] + "x")
    await good.ListSessions()
    await refused(bad.ListSessions(), "unauthenticated")
    await refused(good.CreateAgent(), "permission_denied")
    async with raw_runner(house):
        pass
    told = log.getvalue()
    assert "ListSessions" in told
    assert "unauthenticated" in told
    for text in (*secrets, house.tokens["runner"] or "none"):
        assert text.rpartition("_")[2] not in told


async def test_a_fault_while_a_token_is_looked_up_does_not_log_it(
    house: House, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "REMEMBERED", 0.0)
    secret = await house.new_token(fresh("client"), Role.CLIENT)
    monkeypatch.setattr(tokens, "find", broken)
    await refused(house.door(None, secret).ListSessions(), "internal")
    assert "a fault of ours" in log.getvalue()
    for part in secret.split("_", 2)[1:]:
        assert part not in log.getvalue()


async def test_a_fault_in_a_service_does_not_log_what_was_said(
    house: House, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AgentService, "CreateAgent", broken)
    agent = {"name": "a", "harness": "h", "instructions": "confidential"}
    await refused(house.admin.CreateAgent(agent=agent), "internal")
    assert "a fault of ours" in log.getvalue()
    assert "confidential" not in log.getvalue()
