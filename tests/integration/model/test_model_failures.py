"""How a model's failures end a turn, over a real socket."""

import asyncio

import pytest
from model_desk import RecordingDesk, bench, user

from steersman.v1.turn_pb2 import (
    FAILURE_KIND_PERMANENT,
    FAILURE_KIND_TRANSIENT,
    Failure,
    FailureKind,
)
from steersman_runner.harness.chat import ChatHarness, ChatSettings, Endpoint
from steersman_runner.tools import tool

APIS = pytest.mark.parametrize("api", ["responses", "chat_completions"])
OPENINGS = {
    "responses": b'data: {"type":"response.created","response":{},"sequence_number":0}\n\n',
    "chat_completions": (
        b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
        b'"choices":[{"index":0,"delta":{"content":"hal"},"finish_reason":null}]}\n\n'
    ),
}


@APIS
@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (400, FAILURE_KIND_PERMANENT, "bad_request"),
        (401, FAILURE_KIND_PERMANENT, "unauthenticated"),
        (403, FAILURE_KIND_PERMANENT, "permission_denied"),
        (404, FAILURE_KIND_PERMANENT, "not_found"),
        (422, FAILURE_KIND_PERMANENT, "bad_request"),
        (408, FAILURE_KIND_TRANSIENT, "timeout"),
        (429, FAILURE_KIND_TRANSIENT, "rate_limited"),
        (500, FAILURE_KIND_TRANSIENT, "server_error"),
        (503, FAILURE_KIND_TRANSIENT, "overloaded"),
    ],
)
async def test_a_refusal_ends_the_turn_by_its_status_after_one_request(
    api: str, status: int, kind: "FailureKind", code: str
) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"status_code": status, "error": "because"})
        failure = await b.failure(user("hi"))
        assert len(await b.mock.requests()) == 1
    assert (failure.kind, failure.code, failure.provider_status) == (kind, code, status)
    assert failure.retryable == (kind == FAILURE_KIND_TRANSIENT)
    assert "because" in failure.message


@APIS
async def test_a_message_for_people_never_holds_the_key(api: str) -> None:
    async with bench(api) as b:
        error = "Incorrect API key provided: sk-very-secret, also sk-proj-a1b2c3d4"
        await b.mock.configure("m", {"status_code": 401, "error": error})
        failure = await b.failure(user("hi"))
    assert failure.message.endswith("Incorrect API key provided: [key], also [key]")


@APIS
async def test_a_context_that_is_too_long_is_permanent_and_named(api: str) -> None:
    async with bench(api) as b:
        error = {"message": "too long", "code": "context_length_exceeded"}
        await b.mock.configure("m", {"status_code": 400, "error": error})
        failure = await b.failure(user("hi"))
    assert (failure.kind, failure.code) == (FAILURE_KIND_PERMANENT, "context_length")


@APIS
@pytest.mark.parametrize("after", [0, 3])
async def test_a_dropped_stream_is_no_answer(api: str, after: int) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"text": "abcdef", "drop_after": after})
        failure = await b.failure(user("hi"))
        assert (await b.mock.requests())[0]["closed"] == "dropped"
    assert (failure.kind, failure.code) == (FAILURE_KIND_TRANSIENT, "stream_ended")


@APIS
@pytest.mark.parametrize("after", [4, len('{"text":"x"}')])
async def test_a_call_from_a_stream_without_its_end_never_runs(api: str, after: int) -> None:
    ran: list[str] = []

    @tool
    def mark(text: str) -> str:
        ran.append(text)
        return text

    async with bench(api, mark) as b:
        calls = [{"name": "mark", "arguments": {"text": "x"}}]
        await b.mock.configure("m", {"tool_calls": calls, "drop_after": after})
        desk = RecordingDesk()
        failure = await b.failure(user("hi"), desk=desk, tools=["mark"])
    assert (failure.code, ran, desk.log) == ("stream_ended", [], [])


@APIS
async def test_a_stream_that_ends_politely_without_its_terminal_event_is_no_answer(
    api: str,
) -> None:
    failure = await failure_after(api, OPENINGS[api])
    assert (failure.kind, failure.code) == (FAILURE_KIND_TRANSIENT, "stream_ended")


@APIS
async def test_a_stream_of_nonsense_is_transient(api: str) -> None:
    failure = await failure_after(api, b"data: <html>\n\n")
    assert (failure.kind, failure.code) == (FAILURE_KIND_TRANSIENT, "bad_response")


@APIS
async def test_an_error_within_a_stream_is_classified_by_its_code(api: str) -> None:
    async with bench(api) as b:
        await b.mock.configure(
            "m",
            {"text": "so far", "error": {"message": "busy", "code": "rate_limit_exceeded"}},
            {"text": "so far", "error": {"message": "no", "code": "invalid_prompt"}},
        )
        passing, lasting = await b.failure(user("hi")), await b.failure(user("hi"))
    assert (passing.kind, passing.code) == (FAILURE_KIND_TRANSIENT, "rate_limited")
    assert (lasting.kind, lasting.code) == (FAILURE_KIND_PERMANENT, "invalid_prompt")


@APIS
@pytest.mark.parametrize("reason", ["length", "content_filter"])
async def test_an_answer_that_was_cut_short_is_permanent(api: str, reason: str) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"text": "so far", "finish_reason": reason})
        failure = await b.failure(user("hi"))
    assert (failure.kind, failure.code) == (FAILURE_KIND_PERMANENT, reason)


@APIS
async def test_an_endpoint_that_nobody_serves_is_a_transient_connection_failure(api: str) -> None:
    failure = await failure_at(api, "http://127.0.0.1:1/v1")
    assert (failure.kind, failure.code) == (FAILURE_KIND_TRANSIENT, "connection")


@APIS
async def test_a_model_that_says_nothing_for_too_long_is_a_timeout(api: str) -> None:
    async with bench(api, read_timeout=0.1) as b:
        await b.mock.configure("m", {"block": True}, {"text": "abcdef", "block_after": 3})
        silent, stuck = await b.failure(user("hi")), await b.failure(user("hi"))
    assert {silent.code, stuck.code} == {"timeout"}
    assert {silent.kind, stuck.kind} == {FAILURE_KIND_TRANSIENT}


async def failure_after(api: str, body: bytes) -> Failure:
    """The failure of a turn whose model streams `body` and ends it as HTTP asks."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
        writer.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        return await failure_at(api, f"http://127.0.0.1:{port}/v1")


async def failure_at(api: str, base_url: str) -> Failure:
    """The failure of a turn whose model is served there."""
    async with bench(api) as b:
        harness = ChatHarness((), ChatSettings({"": Endpoint(base_url, "k")}))
        failure = await b._replace(harness=harness).failure(user("hi"))
        await harness.aclose()
    return failure
