"""Unary calls: identity, retries, typed errors, pages, waiting. Watches are tested elsewhere."""

import socket

import grpc
import pytest
from fake_steersman import FakeServer, Refusal

import steersman
from steersman.v1 import agent_pb2, interrupt_pb2, item_pb2, session_pb2, turn_pb2
from steersman.v1 import session_service_pb2 as pb

GONE = Refusal(grpc.StatusCode.UNAVAILABLE)
TAKEN = pb.SendMessageResponse(outcome="SEND_OUTCOME_STARTED", item_id="item_1", turn_id="turn_1")


async def test_a_mutation_keeps_its_request_id_over_its_own_retries(
    server: FakeServer, client: steersman.Client
) -> None:
    draining = Refusal(grpc.StatusCode.UNAVAILABLE, "draining")
    server.answer("SendMessage", GONE, draining, TAKEN)
    sent = await client.sessions.handle("sess_1").send("hello")
    ids = [request.request_id for request in server.requests("SendMessage")]
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert ids[0]
    assert (sent.outcome, sent.turn.id) == ("started", "turn_1")


async def test_two_mutations_have_two_request_ids_and_a_given_one_is_kept(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("SendMessage", TAKEN)
    session = client.sessions.handle("sess_1")
    await session.send("a")
    await session.send("a")
    await session.send("a", request_id="mine")
    first, second, third = (request.request_id for request in server.requests("SendMessage"))
    assert first != second
    assert third == "mine"


async def test_retries_end_with_the_patience_of_the_client(server: FakeServer) -> None:
    server.answer("GetSession", GONE)
    timing = steersman.Timing(retry=0.5)
    async with steersman.Client(server.address, token="t", timing=timing) as client:
        with pytest.raises(steersman.Unavailable):
            await client.sessions.get("sess_1")
    assert 1 < len(server.requests("GetSession")) < 10


async def test_a_refusal_is_raised_as_its_class_and_not_tried_again(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("GetSession", Refusal(grpc.StatusCode.NOT_FOUND, "not_found", resource="session"))
    with pytest.raises(steersman.NotFound) as caught:
        await client.sessions.get("sess_0")
    assert caught.value.reason == "not_found"
    assert caught.value.details == {"resource": "session"}
    assert caught.value.code is grpc.StatusCode.NOT_FOUND
    assert len(server.requests("GetSession")) == 1


async def test_a_caller_that_asked_not_to_wait_for_a_runner_is_told_at_once(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("SendMessage", Refusal(grpc.StatusCode.UNAVAILABLE, "no_eligible_runner"))
    with pytest.raises(steersman.NoEligibleRunner):
        await client.sessions.handle("sess_1").send("hello")
    assert len(server.requests("SendMessage")) == 1


async def test_a_reason_that_the_client_does_not_know_keeps_its_word(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("GetSession", Refusal(grpc.StatusCode.ABORTED, "moon_in_wrong_phase"))
    with pytest.raises(steersman.SteersmanError) as caught:
        await client.sessions.get("sess_0")
    assert caught.value.reason == "moon_in_wrong_phase"


async def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    timing = steersman.Timing(retry=0.1)
    async with steersman.Client(address, token="t", timing=timing) as client:
        with pytest.raises(steersman.Unavailable, match=address):
            await client.runners.get("dev")


async def test_a_call_survives_the_restart_of_its_server(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("GetSession", session_pb2.Session(id="sess_1"))
    await client.sessions.get("sess_1")
    await server.stop()
    await server.start()
    session = await client.sessions.get("sess_1")
    assert session.id == "sess_1"


async def test_every_call_carries_the_token(server: FakeServer, client: steersman.Client) -> None:
    server.answer("GetAgent", agent_pb2.Agent(name="a"))
    await client.agents.get("a")
    assert server.received[0].metadata["authorization"] == "Bearer secret"


async def test_iterating_a_list_walks_every_page(
    server: FakeServer, client: steersman.Client
) -> None:
    pages = [
        pb.ListItemsResponse(data=[item_pb2.Item(id="i1")], last_id="i1", has_more=True),
        pb.ListItemsResponse(data=[item_pb2.Item(id="i2")], last_id="i2"),
    ]
    server.answer("ListItems", *pages)
    items = client.sessions.handle("sess_1").items(order="desc", limit=1)
    assert [item.id async for item in items] == ["i1", "i2"]
    first, second = server.requests("ListItems")
    assert (first.after, second.after) == ("", "i1")
    assert (first.limit, first.order) == (1, pb.ORDER_DESC)


async def test_waiting_for_a_turn_asks_again_until_it_ended(
    server: FakeServer, client: steersman.Client
) -> None:
    running = turn_pb2.Turn(id="turn_1", state="TURN_STATE_RUNNING")
    done = turn_pb2.Turn(id="turn_1", state="TURN_STATE_COMPLETED")
    server.answer("GetTurn", running, running, done)
    turn = await client.sessions.handle("sess_1").turn("turn_1").wait()
    assert steersman.short(turn, "state") == "completed"
    assert all(request.wait for request in server.requests("GetTurn"))


async def test_an_interrupt_says_what_was_asked_and_nothing_more(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("Interrupt", interrupt_pb2.Interrupt(state="INTERRUPT_STATE_CONFIRMED"))
    await client.sessions.handle("sess_1").interrupt(wait="settled", wait_timeout=1.5)
    [request] = server.requests("Interrupt")
    assert request.wait == interrupt_pb2.INTERRUPT_WAIT_SETTLED
    assert request.wait_timeout.ToMilliseconds() == 1500
    assert request.mode == interrupt_pb2.INTERRUPT_MODE_UNSPECIFIED
    assert not request.HasField("cascade")


async def test_a_wrong_word_is_refused_before_anything_is_sent(
    server: FakeServer, client: steersman.Client
) -> None:
    with pytest.raises(ValueError, match="none, delivered, settled"):
        await client.sessions.handle("sess_1").interrupt(wait="forever")
    assert not server.received


async def test_an_update_names_the_fields_that_were_given(
    server: FakeServer, client: steersman.Client
) -> None:
    server.answer("UpdateAgent", agent_pb2.Agent(name="a", version=2))
    await client.agents.update("a", etag="e1", model="m", tools=[])
    [request] = server.requests("UpdateAgent")
    assert list(request.update_mask.paths) == ["model", "tools"]
    assert request.agent.etag == "e1"


async def test_a_closed_client_says_so(server: FakeServer) -> None:
    client = steersman.Client(server.address, token="t")
    await client.close()
    with pytest.raises(RuntimeError, match="closed"):
        await client.runners.get("dev")
