"""Commands as processes: what they print, how they exit. Chats are tested elsewhere."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from cli_process import run
from fake_steersman import FakeServer, Refusal

from steersman.v1 import agent_pb2, interrupt_pb2, item_pb2, session_pb2
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.event_pb2 import Event
from steersman.v1.turn_pb2 import Failure, Turn

TAKEN = pb.SendMessageResponse(outcome="SEND_OUTCOME_STARTED", item_id="item_1", turn_id="turn_1")


def ending(state: str, **fields: Any) -> Any:
    """A stream on which turn_1 says a word and ends in this state, after the events before."""

    async def frames(request: pb.WatchSessionRequest) -> AsyncIterator[pb.WatchSessionResponse]:
        at = request.after_sequence
        yield pb.WatchSessionResponse(snapshot=pb.SessionSnapshot(head_sequence=at))
        yield pb.WatchSessionResponse(
            delta=pb.TextDelta(turn_id="turn_1", attempt=1, round=1, text="word", **{"try": 1})
        )
        turn = Turn(id="turn_1", state=f"TURN_STATE_{state}", **fields)
        event = Event(sequence=at + 1, kind=f"EVENT_KIND_TURN_{state}", turn_id="turn_1", turn=turn)
        yield pb.WatchSessionResponse(events=pb.EventBatch(events=[event]))

    return frames


async def test_an_error_tells_reason_message_and_what_to_do(server: FakeServer) -> None:
    server.answer("GetSession", Refusal(grpc.StatusCode.UNAUTHENTICATED, "unauthenticated"))
    ran = await run(server, "sessions", "show", "sess_1")
    assert ran.code == 1
    assert ran.out == ""
    assert "unauthenticated: refused" in ran.err
    assert "--token-file" in ran.err
    assert "STEERSMAN_TOKEN" in ran.err


async def test_an_error_as_json_is_one_document_on_stdout(server: FakeServer) -> None:
    server.answer("GetSession", Refusal(grpc.StatusCode.NOT_FOUND, "not_found", resource="session"))
    ran = await run(server, "sessions", "show", "sess_1", "--json")
    assert ran.code == 1
    assert ran.documents == [
        {"error": "refused: not_found", "code": "not_found", "details": {"resource": "session"}}
    ]


async def test_a_server_that_is_not_there_is_told_within_seconds() -> None:
    ran = await run(None, "runners", "list", "--server", "127.0.0.1:9", "--json")
    assert ran.code == 1
    assert ran.documents[0]["code"] == "unavailable"


@pytest.mark.parametrize(
    "arguments",
    [
        ("send", "only-one"),
        ("send", "sess_1", "text", "--when-busy", "sometimes"),
        ("interrupt", "sess_1", "--wait", "forever"),
        ("sessions", "create", "a", "--label", "no-equals-sign"),
        ("runners", "list", "--token-file", "/nowhere/token"),
        ("chat", "--json"),
        ("nonsense",),
    ],
)
async def test_wrong_usage_exits_2_and_sends_nothing(
    server: FakeServer, arguments: tuple[str, ...]
) -> None:
    ran = await run(server, *arguments)
    assert ran.code == 2
    assert not server.received


async def test_send_prints_what_became_of_the_message(server: FakeServer) -> None:
    server.answer("SendMessage", TAKEN)
    ran = await run(server, "send", "sess_1", "hello", "--when-busy", "reject", "--json")
    assert ran.code == 0
    assert ran.documents == [
        {
            "session_id": "sess_1",
            "outcome": "started",
            "queued": False,
            "item_id": "item_1",
            "turn_id": "turn_1",
        }
    ]
    [request] = server.requests("SendMessage")
    assert (request.message.text, request.when_busy) == ("hello", pb.WHEN_BUSY_REJECT)


async def test_send_to_an_agent_creates_the_session_in_the_same_call(server: FakeServer) -> None:
    turn = Turn(id="turn_1", input_item_id="item_1")
    server.answer("CreateSession", session_pb2.Session(id="sess_9", active_turn=turn))
    ran = await run(server, "send", "--agent", "helper", "hello", "--json")
    assert ran.documents[0]["session_id"] == "sess_9"
    assert ran.documents[0]["turn_id"] == "turn_1"
    assert [one.method for one in server.received] == ["CreateSession"]
    assert server.received[0].request.message.text == "hello"


@pytest.mark.parametrize(("state", "code"), [("COMPLETED", 0), ("FAILED", 1), ("INTERRUPTED", 1)])
async def test_send_that_waits_streams_and_exits_by_the_end_of_the_turn(
    server: FakeServer, state: str, code: int
) -> None:
    server.answer("GetSession", session_pb2.Session(id="sess_1", head_sequence=4))
    server.answer("SendMessage", TAKEN)
    error = Failure(kind="FAILURE_KIND_PERMANENT", code="bad_key", message="no")
    fields = {"error": error} if state == "FAILED" else {}
    server.streams["WatchSession"] = ending(state, **fields)
    ran = await run(server, "send", "sess_1", "hello", "--wait")
    assert ran.code == code
    assert "word" in ran.out
    assert state.lower() in ran.out
    assert ("permanent bad_key: no" in ran.out) is (state == "FAILED")
    assert server.requests("WatchSession")[0].after_sequence == 4


async def test_a_stream_is_json_lines_each_with_its_kind(server: FakeServer) -> None:
    server.answer("GetSession", session_pb2.Session(id="sess_1"))
    server.answer("SendMessage", TAKEN)
    server.streams["WatchSession"] = ending("COMPLETED")
    ran = await run(server, "send", "sess_1", "hello", "--wait", "--json")
    sent, *frames = ran.documents
    assert sent["turn_id"] == "turn_1"
    assert [frame["kind"] for frame in frames] == ["snapshot", "delta", "turn_completed"]
    assert (frames[1]["try"], frames[1]["text"]) == (1, "word")
    assert frames[2]["turn"]["state"] == "completed"


async def test_interrupt_tells_the_truth_about_a_forced_stop(server: FakeServer) -> None:
    forced = interrupt_pb2.Interrupt(turn_id="turn_1", state="INTERRUPT_STATE_FORCED")
    forced.may_run_until.FromJsonString("2030-01-01T00:00:00Z")
    forced.dropped_inputs.add().content.add(text="and then?")
    server.answer("Interrupt", forced)
    ran = await run(
        server, "interrupt", "sess_1", "--turn", "turn_1", "--wait", "settled", "--queued", "drop"
    )
    assert ran.code == 0
    assert "forced: turn_1" in ran.out
    assert "2030-01-01" in ran.out
    assert "dropped a waiting message: and then?" in ran.out
    [request] = server.requests("Interrupt")
    assert request.turn_id == "turn_1"
    assert request.wait == interrupt_pb2.INTERRUPT_WAIT_SETTLED


async def test_lists_print_a_line_for_each_row_with_ids_whole(server: FakeServer) -> None:
    rows = [
        session_pb2.Session(id=f"sess_{'x' * 40}{number}", title="t" * 60, agent="a" * 40)
        for number in range(2)
    ]
    server.answer("ListSessions", pb.ListSessionsResponse(data=rows))
    ran = await run(server, "sessions", "list", "--status", "idle")
    _, *lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines] == [row.id for row in rows]
    assert server.requests("ListSessions")[0].filter.status == [session_pb2.SESSION_STATUS_IDLE]


async def test_items_print_to_the_limit_over_pages(server: FakeServer) -> None:
    def page(number: int) -> pb.ListItemsResponse:
        item = item_pb2.Item(id=f"item_{number}", type="ITEM_TYPE_MESSAGE", role="ITEM_ROLE_USER")
        return pb.ListItemsResponse(data=[item], last_id=item.id, has_more=True)

    server.answer("ListItems", page(1), page(2), page(3))
    ran = await run(server, "items", "sess_1", "--limit", "2", "--json")
    assert [item["id"] for item in ran.documents] == ["item_1", "item_2"]


async def test_an_agents_options_may_be_json(server: FakeServer) -> None:
    server.answer("CreateAgent", agent_pb2.Agent(name="a", version=1))
    ran = await run(
        server,
        *("agents", "create", "a", "--model", "m", "--tool", "x", "--tool", "y"),
        *("--option", "temperature=0.5", "--option", "api=responses"),
    )
    assert ran.code == 0
    agent = server.requests("CreateAgent")[0].agent
    assert (agent.harness, agent.model, list(agent.tools)) == ("chat", "m", ["x", "y"])
    assert dict(agent.options) == {"temperature": 0.5, "api": "responses"}


async def test_an_agents_update_changes_only_what_is_given(server: FakeServer) -> None:
    server.answer("UpdateAgent", agent_pb2.Agent(name="a", version=2))
    await run(server, "agents", "update", "a", "--model", "m2")
    assert list(server.requests("UpdateAgent")[0].update_mask.paths) == ["model"]


async def test_help_lists_every_command() -> None:
    ran = await run(None, "--help")
    assert ran.code == 0
    for name in ("dev", "serve", "runner", "mock-model", "chat", "send", "watch", "interrupt"):
        assert f" {name} " in ran.out
