"""The command line against real processes: what it prints as JSON, and how it exits."""

import asyncio
import signal
from typing import Any

import pytest
from live_history import given_messages, valid
from live_house import House
from live_process import LiveProcess, Ran, json_object, run

from steersman_runner.mock import MockModel

STORY = "Once upon a time there was a lighthouse. "
SEEN = 17
USAGE = 2


async def cli(house: House, *arguments: str) -> Ran:
    """A command with --json that runs to its end; the event loop stays free."""
    return await asyncio.to_thread(house.json, *arguments)


async def new_agent(house: House, name: str, *options: str) -> dict[str, Any]:
    made = await cli(house, "agents", "create", name, "--model", name, *options)
    assert made.code == 0, made
    return dict(made.document)


async def test_a_message_runs_a_tool_and_is_answered_over_either_api(
    house: House, mock: MockModel
) -> None:
    apis = ("responses", "chat_completions")
    await asyncio.gather(*(runs_a_tool(house, mock, api) for api in apis))


async def runs_a_tool(house: House, mock: MockModel, api: str) -> None:
    name = f"counts-{api.replace('_', '-')}"
    agent = await new_agent(house, name, "--tool", "count", "--option", f"api={api}")
    assert (agent["name"], agent["harness"], agent["tools"]) == (name, "chat", ["count"])
    call = {"name": "count", "arguments": {"text": "a b c"}}
    await mock.configure(name, {"tool_calls": [call]}, {"text": "Three words.", "deltas": 3})
    sent = await cli(house, "send", "--wait", "--agent", name, "how many in: a b c?")
    assert sent.code == 0, sent
    taken, *frames = sent.documents
    assert (taken["outcome"], taken["queued"]) == ("started", False)
    kinds = [frame["kind"] for frame in frames]
    assert kinds[0] == "snapshot"
    assert kinds[-1] == "turn_completed"
    assert "".join(frame["text"] for frame in frames if frame["kind"] == "delta") == "Three words."
    items = await cli(house, "items", taken["session_id"])
    assert [(one["type"], one["output"] or one["name"]) for one in items.documents[1:3]] == [
        ("function_call", "count"),
        ("function_call_output", "3"),
    ]
    requests = await mock.requests(name)
    assert [request["api"] for request in requests] == [api] * 2
    assert valid(requests[-1]["body"])


async def test_an_interrupt_is_told_truthfully_and_the_next_message_works(
    house: House, mock: MockModel
) -> None:
    await new_agent(house, "teller")
    await mock.configure("teller", {"text": STORY, "block_after": SEEN}, {"text": "As you like."})
    taken = (await cli(house, "send", "--agent", "teller", "tell me a story")).document
    session = taken["session_id"]
    watch = LiveProcess("watch", session, "--json", *door(house))
    try:
        # What streamed before the watch began comes with its snapshot.
        await asyncio.to_thread(watch.line, lambda line: STORY[:SEEN] in line)
        stopped = await cli(house, "interrupt", session, "--wait", "settled", "--reason", "enough")
        assert stopped.code == 0
        interrupt = stopped.document
        assert (interrupt["state"], interrupt["turn_id"]) == ("confirmed", taken["turn_id"])
        assert (interrupt["actor"], interrupt["reason"]) == ("admin", "enough")
        assert interrupt["requested_at"] <= interrupt["delivered_at"] <= interrupt["settled_at"]
        asked, partial, marker = (await cli(house, "items", session)).documents
        assert asked["content"][0]["text"] == "tell me a story"
        assert (partial["status"], partial["content"][0]["text"]) == ("incomplete", STORY[:SEEN])
        assert (marker["role"], marker["marker"]) == ("user", "interrupted")
        again = await cli(house, "interrupt", session)
        assert again.document["state"] == "already_idle"
        sent = await cli(house, "send", "--wait", session, "then stop")
        assert sent.code == 0, sent
        body = (await mock.requests("teller"))[-1]["body"]
        assert [role for role, _ in given_messages(body)] == ["user", "assistant", "user", "user"]
        await asyncio.to_thread(watch.said_kind, "turn_completed")
        watch.signal(signal.SIGINT)
        assert await asyncio.to_thread(watch.ended) == 128 + signal.SIGINT
        events = [one for one in map(json_object, watch.lines) if "sequence" in one]
        numbers = [one["sequence"] for one in events if one["kind"] != "lagging"]
        assert numbers == list(range(1, len(numbers) + 1))
    finally:
        watch.close()


async def test_lists_show_the_agents_the_sessions_and_the_runner(house: House) -> None:
    await new_agent(house, "listed")
    made = (await cli(house, "sessions", "create", "listed", "--title", "look here")).document
    lists = await asyncio.gather(
        cli(house, "agents", "list"),
        cli(house, "sessions", "list", "--agent", "listed"),
        cli(house, "runners", "list"),
        cli(house, "doctor"),
        cli(house, "sessions", "show", made["id"]),
    )
    assert [one.code for one in lists] == [0] * 5
    agents, sessions, runners, doctor, shown = (one.document for one in lists)
    assert "listed" in [agent["name"] for agent in agents["data"]]
    assert [(one["id"], one["title"], one["status"]) for one in sessions["data"]] == [
        (made["id"], "look here", "idle")
    ]
    (runner,) = runners["data"]
    assert (runner["id"], runner["state"], runner["slots"]) == ("wide", "connected", 16)
    assert {"scripted", "chat"} <= set(runner["harnesses"])
    assert all(check["ok"] for check in doctor["checks"])
    assert shown["id"] == made["id"]


async def test_version_needs_no_server() -> None:
    ran = await asyncio.to_thread(run, "version", "--json")
    assert ran.code == 0
    assert set(ran.document) == {"steersman", "grpcio", "protobuf", "python"}


async def test_a_token_has_a_role_and_a_revoked_one_opens_nothing(house: House) -> None:
    looks, gone = (
        made.document
        for made in await asyncio.gather(
            token(house, "create", "looks", "--role", "viewer"),
            token(house, "create", "gone", "--role", "client"),
        )
    )
    assert (await token(house, "revoke", "gone")).document == {"name": "gone", "revoked": True}
    listing = await token(house, "list")
    listed = {one["name"]: one for one in listing.documents}
    assert {"admin", "client", "runner", "looks", "gone"} == set(listed)
    assert (listed["looks"]["role"], listed["gone"]["revoked"]) == ("viewer", True)
    assert looks["token"] not in listing.out
    read, wrote, late = await asyncio.gather(
        with_token(looks["token"], "sessions", "list", *door(house)),
        with_token(looks["token"], "agents", "create", "mine", *door(house)),
        with_token(gone["token"], "sessions", "list", *door(house)),
    )
    assert read.code == 0
    assert (wrote.code, wrote.document["code"]) == (1, "permission_denied")
    assert (late.code, late.document["code"]) == (1, "unauthenticated")


async def test_a_refusal_tells_reason_message_and_what_to_do_and_exits_1(house: House) -> None:
    people, machines, nobody = await asyncio.gather(
        asyncio.to_thread(house.cli, "items", "sess_unknown"),
        cli(house, "send", "--agent", "no-such-agent", "hello"),
        asyncio.to_thread(run, "sessions", "list", "--server", "127.0.0.1:1"),
    )
    assert (people.code, people.out) == (1, "")
    error, details, advice = people.err.splitlines()
    assert error.startswith("error not_found: ")
    assert "sess_unknown" in details
    assert advice.startswith("what to do: ")
    assert (machines.code, machines.err) == (1, "")
    assert machines.document["code"] == "not_found"
    assert "no-such-agent" in machines.document["error"]
    assert nobody.code == 1
    assert "error unavailable: cannot reach 127.0.0.1:1" in nobody.err
    assert "what to do: is the server running?" in nobody.err


async def test_a_turn_that_fails_makes_a_waiting_send_exit_1(house: House, mock: MockModel) -> None:
    await new_agent(house, "refused")
    await mock.configure("refused", {"status_code": 400, "error": "no such thing"})
    ran = await cli(house, "send", "--wait", "--agent", "refused", "hello")
    assert ran.code == 1
    last = ran.documents[-1]
    assert last["kind"] == "turn_failed"
    assert (last["turn"]["error"]["kind"], last["turn"]["error"]["provider_status"]) == (
        "permanent",
        400,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("send",),
        ("interrupt", "sess_1", "--wait", "sometime"),
    ],
    ids=" ".join,
)
async def test_a_command_that_cannot_be_meant_exits_2(arguments: tuple[str, ...]) -> None:
    ran = await asyncio.to_thread(run, *arguments)
    assert (ran.code, ran.out) == (USAGE, "")
    assert "Usage: " in ran.err


def door(house: House) -> tuple[str, ...]:
    return ("--server", house.address, "--data-dir", str(house.data_dir))


async def token(house: House, *arguments: str) -> Ran:
    """`steersman token`, which works on the data directory and asks no server."""
    at = ("--data-dir", str(house.data_dir), "--json")
    return await asyncio.to_thread(run, "token", *arguments, *at)


async def with_token(text: str, *arguments: str) -> Ran:
    env = {"STEERSMAN_TOKEN": text}
    return await asyncio.to_thread(lambda: run(*arguments, "--json", env=env))
