"""A harness whose strings the test pulls, and a runner around it. Never the server's side."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from fake_server import PATIENCE, Connection, FakeServer

from steersman.v1.item_pb2 import (
    ITEM_ROLE_ASSISTANT,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_FUNCTION_CALL_OUTPUT,
    ITEM_TYPE_MESSAGE,
    ContentBlock,
    Item,
    Usage,
)
from steersman_runner import Runner
from steersman_runner.harness.base import Answer, Desk, Work
from steersman_runner.harness.scripted import ScriptedHarness

Play = Callable[[Work, Desk], Awaitable[Answer]]

NO_USAGE = Usage()


class Puppet:
    """Runs each turn by the play that the test gave it."""

    name = "puppet"

    def __init__(self, play: Play) -> None:
        self._play = play

    async def run(self, work: Work, desk: Desk) -> Answer:
        return await self._play(work, desk)


def a_runner(address: str, play: Play | None = None, **values: Any) -> Runner:
    harnesses = [ScriptedHarness(), Puppet(play or answer_at_once)]
    settings: dict[str, Any] = {"token": "t0ken", "runner_id": "r1", "harnesses": harnesses}
    return Runner(address, **(settings | values))


@asynccontextmanager
async def running_runner(
    server: FakeServer, play: Play | None = None, **values: Any
) -> AsyncIterator[tuple[Runner, asyncio.Task[None]]]:
    """A runner on its own task; cancelled and awaited at the end if it still runs."""
    runner = a_runner(server.address, play, **values)
    task = asyncio.create_task(runner.run())
    try:
        yield runner, task
    finally:
        task.cancel()
        await asyncio.wait({task})


async def within(awaitable: Awaitable[Any]) -> Any:
    async with asyncio.timeout(PATIENCE):
        return await awaitable


async def answer_at_once(work: Work, desk: Desk) -> Answer:
    return Answer([message("done")], NO_USAGE)


async def block(work: Work, desk: Desk) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


def message(text: str) -> Item:
    return Item(
        id="item_answer",
        type=ITEM_TYPE_MESSAGE,
        role=ITEM_ROLE_ASSISTANT,
        content=[ContentBlock(type="output_text", text=text)],
    )


def call(item_id: str) -> Item:
    return Item(id=item_id, type=ITEM_TYPE_FUNCTION_CALL, name="t", arguments="{}", call_id="c")


def output(call_item_id: str, text: str) -> Item:
    return Item(
        id=f"{call_item_id}_output",
        type=ITEM_TYPE_FUNCTION_CALL_OUTPUT,
        call_item_id=call_item_id,
        output=text,
    )


async def accepted(connection: Connection, turn_id: str) -> None:
    assert (await connection.next_acknowledged(turn_id)).HasField("accepted")


async def the_turn_stays_silent(connection: Connection, turn_id: str) -> None:
    """Another turn runs to its end; whatever was to be said earlier would be here by then."""
    await connection.start("turn_after", harness="scripted")
    seen = []
    while not seen or not seen[-1].HasField("turn_ended"):
        seen.append(await connection.next())
    assert not [frame for frame in seen if turn_id in str(frame)]
