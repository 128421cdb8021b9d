"""Rules of the scripted harness, at a desk that only takes notes."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
import structlog
from google.protobuf.json_format import ParseDict

from steersman.v1.agent_pb2 import Agent
from steersman.v1.item_pb2 import (
    ITEM_ROLE_USER,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_MESSAGE,
    ContentBlock,
    Item,
    Usage,
)
from steersman.v1.turn_pb2 import FAILURE_KIND_PERMANENT, FAILURE_KIND_TRANSIENT
from steersman_runner.harness.base import Answer, TurnFailed, Work
from steersman_runner.harness.scripted import ScriptedHarness


class Notes:
    """A desk that commits at once and keeps what it was told, in order."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []
        self.text = asyncio.Event()

    def delta(self, text: str) -> None:
        self.told.append(("delta", text))
        self.text.set()

    async def round(self, items: Sequence[Item], usage: Usage) -> None:
        self.told.append(("round", list(items)))

    async def call_started(self, call_item_id: str) -> None:
        self.told.append(("call_started", call_item_id))

    async def output(self, item: Item) -> None:
        self.told.append(("output", item))

    def of(self, kind: str) -> list[Any]:
        return [value for what, value in self.told if what == kind]


def work(*script: dict[str, Any], round_number: int = 0, **values: Any) -> Work:
    agent = Agent(harness="scripted")
    if script:
        ParseDict({"script": list(script)}, agent.options)
    said = Item(
        type=ITEM_TYPE_MESSAGE,
        role=ITEM_ROLE_USER,
        content=[ContentBlock(type="input_text", text="hello there")],
    )
    base: dict[str, Any] = {"history": [said], "started_call_ids": frozenset()}
    return Work("turn_1", "sess_1", 1, 1, round_number, agent, **(base | values))


async def played(turn: Work) -> tuple[Answer, Notes]:
    notes = Notes()
    async with asyncio.timeout(5):
        return await ScriptedHarness().run(turn, notes), notes


async def test_without_a_script_it_says_what_the_user_said_in_a_few_deltas() -> None:
    answer, notes = await played(work())
    assert answer.items[0].content[0].text == "You said: hello there"
    assert "".join(notes.of("delta")) == "You said: hello there"
    assert 2 <= len(notes.of("delta")) <= 4


async def test_step_n_answers_round_n_of_the_turn() -> None:
    script = [{"text": "a", "tool_calls": [{"name": "echo", "arguments": {"text": "x"}}]}]
    script.append({"text": "b", "deltas": 1})
    answer, notes = await played(work(*script))
    assert [kind for kind, _ in notes.told] == ["delta", "round", "output", "delta"]
    assert answer.items[0].content[0].text == "b"
    resumed, _ = await played(work(*script, round_number=1))
    assert resumed.items[0].content[0].text == "b"


async def test_tools_run_and_answer_their_calls_whatever_happens_in_them() -> None:
    calls = [
        {"name": "echo", "arguments": '{"text": "hi"}'},
        {"name": "sleep", "arguments": {"seconds": 0}},
        {"name": "nothing"},
        {"name": "echo", "arguments": "not json"},
        {"name": "echo", "arguments": {"wrong": 1}},
    ]
    _, notes = await played(work({"tool_calls": calls}))
    [items] = notes.of("round")
    outputs = {item.call_item_id: item.output for item in notes.of("output")}
    texts = [outputs[item.id] for item in items]
    assert texts[:2] == ["hi", "slept 0 s"]
    assert "no tool 'nothing'" in texts[2]
    assert all(text.startswith("error: ") for text in texts[2:])


async def test_a_tool_that_is_not_repeatable_is_announced_before_it_runs() -> None:
    call = {"name": "sleep", "arguments": {"seconds": 0}}
    _, notes = await played(work({"tool_calls": [call]}))
    [items] = notes.of("round")
    kinds = [kind for kind, _ in notes.told]
    assert notes.of("call_started") == [items[0].id]
    assert kinds.index("call_started") < kinds.index("output")


async def test_calls_that_a_lost_try_left_open_run_unless_they_must_not_run_twice() -> None:
    def call(item_id: str, name: str, arguments: str) -> Item:
        return Item(id=item_id, type=ITEM_TYPE_FUNCTION_CALL, name=name, arguments=arguments)

    history = [
        call("again", "echo", '{"text": "x"}'),
        call("unknown", "sleep", '{"seconds": 0}'),
        call("fresh", "sleep", '{"seconds": 0}'),
    ]
    _, notes = await played(
        work(history=history, started_call_ids=frozenset({"again", "unknown"}), round_number=1)
    )
    outputs = {item.call_item_id: item.output for item in notes.of("output")}
    assert outputs["again"] == "x"
    assert "unknown" in outputs["unknown"]
    assert outputs["fresh"] == "slept 0 s"
    assert notes.of("call_started") == ["fresh"]


async def test_a_blocked_step_waits_until_it_is_stopped_and_logs_when_that_was() -> None:
    notes = Notes()
    turn = work({"text": "partial", "block": True})
    with structlog.testing.capture_logs() as logs:
        running = asyncio.create_task(ScriptedHarness().run(turn, notes))
        await notes.text.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    [stopped] = logs
    assert (stopped["event"], stopped["turn_id"]) == ("harness_stopped", "turn_1")
    assert stopped["monotonic"] > 0


async def test_an_error_of_the_script_ends_the_turn_as_it_says() -> None:
    error = {"kind": "transient", "code": "overloaded", "message": "busy"}
    with pytest.raises(TurnFailed) as failed:
        await played(work({"error": error}))
    failure = failed.value.failure
    assert (failure.kind, failure.code, failure.retryable) == (
        FAILURE_KIND_TRANSIENT,
        "overloaded",
        True,
    )


async def test_a_script_that_is_none_fails_the_turn_and_says_where() -> None:
    with pytest.raises(TurnFailed) as failed:
        await played(work({"txt": "typo"}))
    assert failed.value.failure.kind == FAILURE_KIND_PERMANENT
    assert "script.0.txt" in failed.value.failure.message
