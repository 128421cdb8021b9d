"""The real runner as another task on a real socket, with a harness whose strings a test pulls."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from raw_runner import output, said
from server_house import House, fresh

from steersman.v1.item_pb2 import Item, Usage
from steersman_runner import Runner
from steersman_runner.harness.base import Answer, Desk, Work
from steersman_runner.harness.scripted import ScriptedHarness

Play = Callable[[Work, Desk], Awaitable[Answer]]

NO_USAGE = Usage()


class Puppet:
    """Runs each turn by the play that the test gave it."""

    def __init__(self, name: str, play: Play) -> None:
        self.name = name
        self._play = play

    async def run(self, work: Work, desk: Desk) -> Answer:
        return await self._play(work, desk)


@asynccontextmanager
async def real_runner(
    house: House, play: Play | None = None, name: str = "", **values: Any
) -> AsyncIterator[str]:
    """A runner that takes `scripted` turns, or those of one puppet; yields its harness."""
    harness = Puppet(fresh("puppet"), play) if play else ScriptedHarness()
    token = house.tokens["runner"]
    assert token is not None
    runner = Runner(
        house.address, token, runner_id=name or fresh("real"), harnesses=[harness], **values
    )
    task = asyncio.create_task(runner.run(), name="runner")
    try:
        yield harness.name
    finally:
        task.cancel()
        await asyncio.wait({task})


def answer(text: str) -> Answer:
    return Answer([said(text)], NO_USAGE)


def result(call: Item, text: str) -> Item:
    return output(call, text)
