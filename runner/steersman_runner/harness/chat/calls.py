"""Runs the tools of one round and reports each output as it lands. Asks no model."""

import asyncio
from collections.abc import Coroutine, Sequence, Set
from typing import Any, NamedTuple

from steersman.v1.item_pb2 import Item
from steersman_runner.harness.base import Desk
from steersman_runner.harness.chat import items
from steersman_runner.tools import Toolbox, ToolResult

RESULT_UNKNOWN = (
    "The result of this call is unknown (status: unknown). The tool had started when its runner"
    " was lost, and it was not run again because it must not run twice."
)


class Workshop(NamedTuple):
    """What running calls takes: `slots` bounds how many tools run at once."""

    toolbox: Toolbox
    desk: Desk
    slots: asyncio.Semaphore


async def answer_calls(calls: Sequence[Item], started: Set[str], workshop: Workshop) -> list[Item]:
    """One output for each call, in the calls' order, every one reported.

    Calls in `started` (item ids) began on a runner that was lost: those of tools
    that are not repeatable are answered and not run. Cancelled, it ends the
    tools, awaits them, reports what they had, and only then raises.
    """
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_answer_call(call, call.id in started, workshop), name=call.id)
            for call in calls
        ]
    return [task.result() for task in tasks]


async def _answer_call(call: Item, started: bool, workshop: Workshop) -> Item:
    toolbox, desk, slots = workshop
    async with slots:
        once = not toolbox.repeatable(call.name)
        if once and started:
            result = ToolResult(RESULT_UNKNOWN)
        else:
            if once:
                await desk.call_started(call.id)
            result = await _run(call, workshop)
    output = items.output(call, result)
    await desk.output(output)
    return output


async def _run(call: Item, workshop: Workshop) -> ToolResult:
    """The tool's result. A cancellation ends the tool first, and loses no output it had."""
    # A task of its own: thrown into this one, a cancellation that comes between
    # the tool's end and our waking up would lose the result.
    running = asyncio.create_task(workshop.toolbox.call(call.name, call.arguments))
    try:
        await asyncio.wait({running})
    except asyncio.CancelledError:
        running.cancel()
        await asyncio.wait({running})
        if not running.cancelled():
            await _leave(workshop.desk.output(items.output(call, running.result())))
        raise
    return running.result()


async def _leave(report: Coroutine[Any, Any, None]) -> None:
    """Hands a report in without waiting for its acknowledgement: the link may be gone."""
    handing_in = asyncio.create_task(report)
    await asyncio.sleep(0)
    handing_in.cancel()
    await asyncio.wait({handing_in})
