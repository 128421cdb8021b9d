"""The chat harness's rounds against a mock-model: text, tools, limits, and what a model is sent."""

import asyncio

import pytest
from model_desk import RecordingDesk, bench, called, text_of, user

from steersman.v1.item_pb2 import ITEM_TYPE_FUNCTION_CALL
from steersman_runner.harness.base import TurnFailed
from steersman_runner.harness.chat import ChatHarness, ChatSettings, Endpoint
from steersman_runner.tools import tool

APIS = pytest.mark.parametrize("api", ["responses", "chat_completions"])


@tool
def shout(text: str) -> str:
    """Says it louder."""
    return text.upper()


async def happens(event: asyncio.Event) -> bool:
    """Whether it comes within a moment: for what must not come, there is no signal."""
    done, _ = await asyncio.wait({task := asyncio.create_task(event.wait())}, timeout=0.05)
    task.cancel()
    return bool(done)


def calls(*names: str, **more: object) -> dict[str, object]:
    arguments = more.pop("arguments", {"text": "hey"})
    made = [{"name": name, "arguments": arguments} | more for name in names]
    return {"tool_calls": made}


@APIS
async def test_a_text_answer_ends_the_turn_with_its_usage(api: str) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"text": "Hello there, Ümläut 🎈", "deltas": 5})
        desk = RecordingDesk()
        answer = await b.answer(user("hi you"), desk=desk)
    assert text_of(answer) == desk.text == "Hello there, Ümläut 🎈"
    assert answer.stop_reason == "end_turn"
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (2, 4)
    assert desk.log == []


@APIS
async def test_text_reaches_the_desk_before_the_answer_is_whole(api: str) -> None:
    async with bench(api) as b:
        await b.mock.configure("m", {"text": "partial text", "block_after": 7})
        desk = RecordingDesk()
        turn = asyncio.create_task(b.answer(user("hi"), desk=desk))
        await b.mock.wait_for_pending()
        await desk.said.wait()
        assert (desk.text, turn.done()) == ("partial", False)
        await b.mock.release()
        assert text_of(await turn) == "partial text"


@APIS
async def test_a_round_with_calls_is_committed_then_its_outputs_then_asked_again(api: str) -> None:
    async with bench(api, shout) as b:
        await b.mock.configure("m", {"text": "Wait."} | calls("shout"), {"text": "done"})
        desk = RecordingDesk()
        answer = await b.answer(user("hi"), desk=desk, tools=["shout"], instructions="Be kind.")
        [message, call] = desk.rounds[0]
        assert desk.log == ["round", f"output {call.id}"]
        assert (desk.outputs[0].output, desk.outputs[0].name) == ("HEY", "shout")
        assert message.content[0].text == "Wait."
        assert text_of(answer) == "done"
        body = (await b.mock.requests("m"))[1]["body"]
    sent = body["input"] if api == "responses" else body["messages"]
    assert "Be kind." in (body.get("instructions"), sent[0].get("content"))
    assert "HEY" in (sent[-1].get("output"), sent[-1].get("content"))


@APIS
async def test_no_tool_starts_before_its_round_is_acknowledged(api: str) -> None:
    ran = asyncio.Event()

    @tool
    async def mark() -> str:
        ran.set()
        return "marked"

    async with bench(api, mark) as b:
        await b.mock.configure("m", calls("mark", arguments={}))
        desk = RecordingDesk()
        desk.acknowledges.clear()
        turn = asyncio.create_task(b.answer(user("hi"), desk=desk, tools=["mark"]))
        await desk.reported.wait()
        assert not await happens(ran)
        assert desk.log == ["round"]
        desk.acknowledges.set()
        await turn
        assert ran.is_set()


@APIS
async def test_tools_of_one_round_run_in_parallel_up_to_the_cap(api: str) -> None:
    running = 0
    two_run, three_run, release = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @tool
    async def meet() -> str:
        nonlocal running
        running += 1
        {2: two_run, 3: three_run}.get(running, asyncio.Event()).set()
        await release.wait()
        running -= 1
        return "met"

    async with bench(api, meet, max_parallel_tools=2) as b:
        await b.mock.configure("m", calls("meet", "meet", "meet", "meet", arguments={}))
        desk = RecordingDesk()
        turn = asyncio.create_task(b.answer(user("hi"), desk=desk, tools=["meet"]))
        await two_run.wait()
        assert not await happens(three_run)
        release.set()
        await turn
    assert [item.output for item in desk.outputs] == ["met"] * 4


@APIS
async def test_a_tool_that_must_not_run_twice_waits_for_its_acknowledgement(api: str) -> None:
    desk = RecordingDesk()
    log_at_start: list[str] = []

    @tool(repeatable=False)
    async def pay() -> str:
        log_at_start.extend(desk.log)
        return "paid"

    async with bench(api, pay) as b:
        await b.mock.configure("m", calls("pay", arguments={}))
        await b.answer(user("hi"), desk=desk, tools=["pay"])
    call = desk.rounds[0][0]
    assert log_at_start == ["round", f"call_started {call.id}"]
    assert desk.log[-1] == f"output {call.id}"


@APIS
async def test_call_ids_that_a_provider_uses_again_stay_apart(api: str) -> None:
    async with bench(api, shout) as b:
        first, second = (
            calls("shout", arguments={"text": text}, call_id="call_1") for text in ("one", "two")
        )
        await b.mock.configure("m", first, second, {"text": "done"})
        desk = RecordingDesk()
        assert text_of(await b.answer(user("hi"), desk=desk, tools=["shout"])) == "done"
        last = (await b.sent())[-1]
    ids = [part.get("call_id") or part.get("tool_call_id") for part in last]
    made = [item.id for items in desk.rounds for item in items]
    assert [each for each in ids if each] == [each for each in ids if each in made]
    assert {item.call_id for items in desk.rounds for item in items} == {"call_1"}
    assert [item.output for item in desk.outputs] == ["ONE", "TWO"]


@APIS
@pytest.mark.parametrize("arguments", ["{broken", "[1]", '{"text": 1}', '{"nope": "x"}'])
async def test_arguments_that_do_not_fit_become_an_output_and_the_turn_goes_on(
    api: str, arguments: str
) -> None:
    async with bench(api, shout) as b:
        await b.mock.configure("m", calls("shout", arguments=arguments), {"text": "sorry"})
        desk = RecordingDesk()
        answer = await b.answer(user("hi"), desk=desk, tools=["shout"])
    assert desk.outputs[0].output.startswith("error: invalid arguments")
    assert desk.rounds[0][0].arguments == arguments
    assert text_of(answer) == "sorry"


@APIS
async def test_a_tool_that_fails_or_is_not_there_does_not_lose_the_others_output(api: str) -> None:
    @tool
    async def fail() -> str:
        raise LookupError("no such page")

    async with bench(api, shout, fail) as b:
        made = [{"name": name, "arguments": "{}"} for name in ("fail", "ghost")]
        made.append({"name": "shout", "arguments": '{"text": "ok"}'})
        await b.mock.configure("m", {"tool_calls": made}, {"text": "done"})
        desk = RecordingDesk()
        await b.answer(user("hi"), desk=desk, tools=["fail", "shout"])
    outputs = {item.name: item.output for item in desk.outputs}
    assert outputs["fail"] == "error: LookupError: no such page"
    assert "no tool named 'ghost'" in outputs["ghost"]
    assert outputs["shout"] == "OK"


@APIS
async def test_an_output_over_the_limit_is_cut_and_marked(api: str) -> None:
    async with bench(api, shout, max_output_bytes=5) as b:
        await b.mock.configure("m", calls("shout", arguments={"text": "ääää"}))
        desk = RecordingDesk()
        await b.answer(user("hi"), desk=desk, tools=["shout"])
    assert (desk.outputs[0].output, desk.outputs[0].truncated) == ("ÄÄ", True)


@APIS
async def test_rounds_that_are_durable_already_count_against_the_limit(api: str) -> None:
    async with bench(api, shout) as b:
        await b.mock.configure("m", *[calls("shout")] * 3)
        desk = RecordingDesk()
        with pytest.raises(TurnFailed) as ended:
            await b.answer(user("hi"), desk=desk, tools=["shout"], max_rounds=3, round=1)
        assert len(await b.mock.requests("m")) == 2
    assert ended.value.stop_reason == ended.value.failure.code == "max_rounds"
    assert len(desk.outputs) == 2


@APIS
async def test_only_options_on_the_list_reach_the_model(api: str) -> None:
    async with bench(api) as b:
        options = {"temperature": 0.5, "max_output_tokens": 100, "script": [], "model": "other"}
        await b.answer(user("hi"), options=options)
        body = (await b.mock.requests())[0]["body"]
    limit = "max_output_tokens" if api == "responses" else "max_completion_tokens"
    assert (body["temperature"], body[limit], body["model"]) == (0.5, 100, "m")
    assert "script" not in body
    assert "api" not in body


@APIS
async def test_connections_to_a_model_are_used_again(api: str) -> None:
    connections = 0

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        onward = await asyncio.open_connection("127.0.0.1", model_port)
        await asyncio.gather(pump(reader, onward[1]), pump(onward[0], writer))

    async with bench(api) as b, await asyncio.start_server(forward, "127.0.0.1", 0) as front:
        model_port = int(b.mock.base_url.removesuffix("/v1").rpartition(":")[2])
        port = front.sockets[0].getsockname()[1]
        harness = ChatHarness((), ChatSettings({"": Endpoint(f"http://127.0.0.1:{port}/v1", "k")}))
        for _ in range(3):
            await harness.run(b.work(user("hi")), RecordingDesk())
        await harness.aclose()
    assert connections == 1


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"tools": ["ghost"]}, "unknown_tool"),
        ({"endpoint": "nowhere"}, "unknown_endpoint"),
        ({"options": {"api": "telepathy"}}, "bad_option"),
    ],
)
async def test_what_this_runner_does_not_have_fails_the_turn_for_good(
    more: dict[str, object], code: str
) -> None:
    async with bench("responses") as b:
        failure = await b.failure(user("hi"), **more)
        assert await b.mock.requests() == []
    assert (failure.code, failure.retryable) == (code, False)


async def test_without_any_endpoint_the_failure_says_what_to_set() -> None:
    async with bench("responses") as b:
        with pytest.raises(TurnFailed, match="OPENAI_API_KEY"):
            await ChatHarness((), ChatSettings()).run(b.work(user("hi")), RecordingDesk())


@APIS
async def test_calls_that_a_lost_try_left_open_run_before_the_model_is_asked(api: str) -> None:
    async with bench(api, shout) as b:
        await b.mock.configure("m", {"text": "done"})
        desk = RecordingDesk()
        history = [user("hi"), called("item_a", "shout", '{"text": "a"}')]
        history += [called("item_b", "shout", '{"text": "b"}')]
        await b.answer(*history, desk=desk, tools=["shout"], round=1)
        assert len(await b.mock.requests()) == 1
    assert [item.output for item in desk.outputs] == ["A", "B"]
    assert desk.rounds == []


@APIS
async def test_a_started_call_that_must_not_run_twice_is_answered_and_not_run(api: str) -> None:
    paid: list[str] = []

    @tool(repeatable=False)
    def pay(to: str) -> str:
        paid.append(to)
        return "paid"

    history = [user("hi")]
    history += [called(f"item_{to}", "pay", f'{{"to": "{to}"}}') for to in ("ann", "bob")]
    async with bench(api, pay, shout) as b:
        history.append(called("item_s", "shout", '{"text": "s"}'))
        desk = RecordingDesk()
        started = frozenset({"item_ann", "item_s"})
        await b.answer(
            *history, desk=desk, tools=["pay", "shout"], round=1, started_call_ids=started
        )
    outputs = {item.call_item_id: item.output for item in desk.outputs}
    assert paid == ["bob"]
    assert "status: unknown" in outputs["item_ann"]
    assert (outputs["item_bob"], outputs["item_s"]) == ("paid", "S")
    assert "call_started item_bob" in desk.log
    assert "call_started item_ann" not in desk.log


@APIS
async def test_calls_of_the_round_carry_ids_of_ours_and_the_providers(api: str) -> None:
    async with bench(api, shout) as b:
        await b.mock.configure("m", calls("shout", call_id="call_9"))
        desk = RecordingDesk()
        await b.answer(user("hi"), desk=desk, tools=["shout"])
    [call] = desk.rounds[0]
    assert call.type == ITEM_TYPE_FUNCTION_CALL
    assert call.id.startswith("item_")
    assert desk.outputs[0].call_item_id == call.id
    assert desk.outputs[0].call_id == call.call_id == "call_9"
