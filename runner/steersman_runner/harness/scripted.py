"""The scripted harness: answers without a model, for demos, tests and benchmarks. No network."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import structlog

from steersman.v1.item_pb2 import (
    ITEM_ROLE_ASSISTANT,
    ITEM_ROLE_USER,
    ITEM_STATUS_COMPLETED,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_FUNCTION_CALL_OUTPUT,
    ITEM_TYPE_MESSAGE,
    ContentBlock,
    Item,
    Usage,
)
from steersman_runner.harness.base import Answer, Desk, TurnFailed, Work
from steersman_runner.harness.script import ScriptedCall, Step, script_of
from steersman_runner.ids import new_id

log = structlog.get_logger()

_ECHO_DELTAS = 4


async def _echo(text: str) -> str:
    return text


async def _sleep(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return f"slept {seconds:g} s"


_TOOLS: Mapping[str, Callable[..., Awaitable[str]]] = {"echo": _echo, "sleep": _sleep}
# As if it left something behind in the world, so that scripts reach `call_started`.
_NOT_REPEATABLE = frozenset({"sleep"})


class ScriptedHarness:
    """Answers round n of a turn by step n of `agent.options.script`.

    A round without a step answers with the last user message. Logs
    `harness_stopped` with the monotonic time in seconds when a stop reached it.
    """

    name = "scripted"

    async def run(self, work: Work, desk: Desk) -> Answer:
        """Raises TurnFailed where the script says so, or is none."""
        try:
            return await _play(work, desk)
        except asyncio.CancelledError:
            log.debug("harness_stopped", turn_id=work.turn_id, monotonic=time.monotonic())
            raise


async def _play(work: Work, desk: Desk) -> Answer:
    steps = script_of(work.agent.options)
    await _run_calls(_open_calls(work.history), work.started_call_ids, desk)
    played = work.round
    while True:
        step = steps[played] if played < len(steps) else _echoing(work.history)
        await _say(step, desk)
        usage = Usage(output_tokens=len(step.text.split()))
        messages = [_message(step.text)] if step.text else []
        if not step.tool_calls:
            return Answer(messages, usage)
        calls = [_call(call) for call in step.tool_calls]
        await desk.round([*messages, *calls], usage)
        await _run_calls(calls, frozenset(), desk)
        played += 1


async def _say(step: Step, desk: Desk) -> None:
    for index, piece in enumerate(step.pieces()):
        if index and step.delay:
            await asyncio.sleep(step.delay)
        desk.delta(piece)
    if step.block:
        await asyncio.get_running_loop().create_future()  # until the turn is stopped
    if step.error is not None:
        raise TurnFailed(step.error.failure())


async def _run_calls(calls: Sequence[Item], started: frozenset[str], desk: Desk) -> None:
    async with asyncio.TaskGroup() as tools:
        for call in calls:
            tools.create_task(_run_call(call, call.id in started, desk))


async def _run_call(call: Item, was_started: bool, desk: Desk) -> None:
    if call.name in _NOT_REPEATABLE:
        if was_started:
            await desk.output(_output(call, "result unknown: the tool had started and was lost"))
            return
        await desk.call_started(call.id)
    await desk.output(_output(call, await _result(call)))


async def _result(call: Item) -> str:
    tool = _TOOLS.get(call.name)
    if tool is None:
        return f"error: there is no tool {call.name!r}"
    try:
        return await tool(**json.loads(call.arguments))
    except (TypeError, ValueError) as error:
        return f"error: {type(error).__name__}: {error}"


def _echoing(history: Sequence[Item]) -> Step:
    said = next((_text(item) for item in reversed(history) if item.role == ITEM_ROLE_USER), "")
    return Step(text=f"You said: {said}", deltas=_ECHO_DELTAS)


def _text(item: Item) -> str:
    return "".join(block.text for block in item.content)


def _open_calls(history: Sequence[Item]) -> Sequence[Item]:
    answered = {item.call_item_id for item in history}
    return [
        item for item in history if item.type == ITEM_TYPE_FUNCTION_CALL and item.id not in answered
    ]


def _message(text: str) -> Item:
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_MESSAGE,
        role=ITEM_ROLE_ASSISTANT,
        status=ITEM_STATUS_COMPLETED,
        content=[ContentBlock(type="output_text", text=text)],
    )


def _call(call: ScriptedCall) -> Item:
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_FUNCTION_CALL,
        status=ITEM_STATUS_COMPLETED,
        name=call.name,
        arguments=call.arguments_json(),
        call_id=new_id("call"),
    )


def _output(call: Item, output: str) -> Item:
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_FUNCTION_CALL_OUTPUT,
        status=ITEM_STATUS_COMPLETED,
        name=call.name,
        call_id=call.call_id,
        call_item_id=call.id,
        output=output,
    )
