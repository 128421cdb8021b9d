"""mock-model as its users see it: the official SDK on one side, the control on the other."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator

import httpx2
import orjson
import pytest
from openai import APIConnectionError, AsyncOpenAI, BadRequestError, RateLimitError

from steersman_runner.mock import MockModel, running_mock_model

READY = "import typer; from steersman_runner.mock.commands import register; app = typer.Typer()\n"
COMMAND = READY + "app.callback()(lambda: None); register(app); app()"


@pytest.fixture
async def mock() -> AsyncIterator[MockModel]:
    async with running_mock_model() as base_url, MockModel(base_url) as control:
        yield control


@pytest.fixture
async def sdk(mock: MockModel) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=mock.base_url, api_key="k", max_retries=0) as client:
        yield client


SCRIPT = {
    "text": "Hello big world",
    "deltas": 3,
    "tool_calls": [{"name": "f", "arguments": {"a": 1}, "call_id": "call_7"}, {"name": "g"}],
}
TOOLS = [{"type": "function", "name": name, "parameters": {}, "strict": False} for name in "fg"]


async def test_the_sdk_accepts_a_stream_of_responses(mock: MockModel, sdk: AsyncOpenAI) -> None:
    await mock.configure("m", SCRIPT)
    async with sdk.responses.stream(model="m", input="hi", tools=TOOLS) as stream:
        events = [event async for event in stream]
        final = await stream.get_final_response()
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type for event in events]
    assert kinds.count("response.output_text.delta") == 3
    assert kinds[-1] == "response.completed"
    assert (final.output_text, final.usage.output_tokens) == ("Hello big world", 3)
    assert [call.arguments for call in final.output[1:]] == ['{"a":1}', "{}"]
    assert final.output[1].call_id == "call_7"


async def test_the_sdk_accepts_a_stream_of_chat_completions(
    mock: MockModel, sdk: AsyncOpenAI
) -> None:
    await mock.configure("m", SCRIPT)
    async with sdk.chat.completions.stream(
        model="m",
        messages=[{"role": "user", "content": "hi"}],
        stream_options={"include_usage": True},
    ) as stream:
        async for _ in stream:
            pass
        final = await stream.get_final_completion()
    choice = final.choices[0]
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", "Hello big world")
    assert [call.id for call in choice.message.tool_calls] == ["call_7", "call_1_1"]
    assert choice.message.tool_calls[0].function.arguments == '{"a":1}'
    assert final.usage.prompt_tokens == 1


async def test_the_sdk_accepts_answers_in_one_piece(mock: MockModel, sdk: AsyncOpenAI) -> None:
    await mock.configure("m", SCRIPT, SCRIPT)
    response = await sdk.responses.create(model="m", input="hi")
    completion = await sdk.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}]
    )
    assert response.output_text == completion.choices[0].message.content == "Hello big world"
    assert response.output[1].name == completion.choices[0].message.tool_calls[0].function.name


async def test_models_are_those_that_were_configured(mock: MockModel, sdk: AsyncOpenAI) -> None:
    await mock.configure("one", {"text": "1"})
    await mock.configure("two", {"text": "2"}, match="x")
    assert [model.id for model in (await sdk.models.list()).data] == ["one", "two"]


async def test_a_queue_answers_in_order_and_then_with_a_fixed_text(
    mock: MockModel, sdk: AsyncOpenAI
) -> None:
    await mock.configure("m", {"text": "old"})
    await mock.configure("m", {"text": "1"}, {"text": "2"})
    said = [(await sdk.responses.create(model="m", input="hi")).output_text for _ in range(3)]
    assert said == ["1", "2", "mock-model has nothing more to say."]


async def test_a_match_queue_answers_what_its_user_text_contains(
    mock: MockModel, sdk: AsyncOpenAI
) -> None:
    await mock.configure("m", {"text": "any"})
    await mock.configure("m", {"text": "sun"}, match="weather")
    asked = [
        {"role": "user", "content": [{"type": "input_text", "text": "the weather?"}]},
        {"role": "assistant", "content": "weather"},
    ]
    other = await sdk.responses.create(model="m", input="hi")
    weather = await sdk.responses.create(model="m", input=asked)
    assert (other.output_text, weather.output_text) == ("any", "sun")


async def test_the_gate_counts_only_requests_whose_client_is_there(
    mock: MockModel, sdk: AsyncOpenAI
) -> None:
    parked = {"block": True, "text": "freed"}
    await mock.configure("m", parked, parked)
    leaves, stays = (
        asyncio.create_task(sdk.responses.create(model="m", input="hi")) for _ in range(2)
    )
    await mock.wait_for_pending(2)
    leaves.cancel()
    records = await mock.wait_for_closed()
    assert await mock.pending() == 1
    assert sorted(str(record["closed"]) for record in records) == ["None", "disconnected"]
    assert await mock.release() == 1
    assert (await stays).output_text == "freed"
    records = await mock.wait_for_closed(2)
    assert sorted(record["closed"] for record in records) == ["completed", "disconnected"]


async def test_waiting_for_the_gate_times_out_with_what_is_there(mock: MockModel) -> None:
    with pytest.raises(TimeoutError, match="0 of 1"):
        await mock.wait_for_pending(1, timeout=0.01)


async def test_a_drop_cuts_a_body_in_one_piece_too(mock: MockModel, sdk: AsyncOpenAI) -> None:
    await mock.configure("m", {"text": "abcdef", "drop_after": 10})
    with pytest.raises(APIConnectionError):
        await sdk.responses.create(model="m", input="hi")
    assert (await mock.requests())[0]["closed"] == "dropped"


async def test_a_refusal_has_its_status_error_and_headers(
    mock: MockModel, sdk: AsyncOpenAI
) -> None:
    refusal = {"status_code": 429, "error": {"code": "slow"}, "headers": {"Retry-After": "7"}}
    await mock.configure("m", refusal)
    with pytest.raises(RateLimitError) as refused:
        await sdk.responses.create(model="m", input="hi", stream=True)
    assert (refused.value.code, refused.value.response.headers["retry-after"]) == ("slow", "7")
    assert (await mock.requests())[0]["status_code"] == 429


async def test_the_record_holds_the_request(mock: MockModel, sdk: AsyncOpenAI) -> None:
    await sdk.responses.create(model="a", input="hi")
    await sdk.chat.completions.create(model="b", messages=[{"role": "user", "content": "x"}])
    [record] = await mock.requests("b")
    assert (record["api"], record["stream"], record["closed"]) == (
        "chat_completions",
        False,
        "completed",
    )
    assert record["body"]["messages"][0]["content"] == "x"
    assert len(await mock.requests()) == 2


async def test_a_reset_clears_queues_records_and_the_gate(
    mock: MockModel, sdk: AsyncOpenAI
) -> None:
    await mock.configure("m", {"block": True}, {"text": "left over"})
    parked = asyncio.create_task(sdk.responses.create(model="m", input="hi"))
    await mock.wait_for_pending()
    await mock.reset()
    with pytest.raises(APIConnectionError):
        await parked
    assert (await mock.pending(), await mock.requests()) == (0, [])
    answer = await sdk.responses.create(model="m", input="hi")
    assert answer.output_text != "left over"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"{", "body: "),
        (b'{"responses": []}', "key: "),
        (b'{"key": "m", "responses": [{"txt": 1}]}', "responses.0.txt: "),
        (b'{"key": "m", "responses": [{}, {"deltas": 0}]}', "responses.1.deltas: "),
        (b'{"key": "m", "responses": [{"tool_calls": [{}]}]}', "responses.0.tool_calls.0.name: "),
    ],
)
async def test_a_bad_configuration_is_refused_with_the_faults_path(
    mock: MockModel, body: bytes, path: str
) -> None:
    root = mock.base_url.removesuffix("/v1")
    async with httpx2.AsyncClient(trust_env=False) as http:
        answer = await http.post(f"{root}/mock/configure", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith(path)


OPEN_CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "x"}


@pytest.mark.parametrize("history", [[OPEN_CALL], [OUTPUT], [OPEN_CALL, OPEN_CALL, OUTPUT]])
async def test_a_history_that_providers_refuse_is_refused_and_consumes_nothing(
    mock: MockModel, sdk: AsyncOpenAI, history: list[object]
) -> None:
    await mock.configure("m", {"text": "kept"})
    with pytest.raises(BadRequestError):
        await sdk.responses.create(model="m", input=history)
    assert (await sdk.responses.create(model="m", input="hi")).output_text == "kept"


async def test_the_command_says_where_it_listens_and_leaves_at_once_on_sigterm() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", COMMAND, "mock-model", "--listen", "127.0.0.1:0", "--json"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    ready = orjson.loads(await process.stdout.readline())
    async with MockModel(ready["base_url"]) as mock:
        await mock.configure("m", {"block": True})
        async with AsyncOpenAI(base_url=mock.base_url, api_key="k", max_retries=0) as sdk:
            parked = asyncio.create_task(sdk.responses.create(model="m", input="hi"))
            await mock.wait_for_pending()
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(3):
                assert await process.wait() == 0
            with pytest.raises(APIConnectionError):
                await parked
