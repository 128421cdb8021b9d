"""A desk that records what a harness reports, and the makers of works for it. Holds no tests."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from google.protobuf.struct_pb2 import Struct

from steersman.v1.agent_pb2 import Agent
from steersman.v1.item_pb2 import (
    ITEM_ROLE_USER,
    ITEM_STATUS_COMPLETED,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_MESSAGE,
    ContentBlock,
    Item,
    Usage,
)
from steersman.v1.turn_pb2 import Failure
from steersman_runner.harness.base import Answer, TurnFailed, Work
from steersman_runner.harness.chat import ChatHarness, ChatSettings, Endpoint
from steersman_runner.mock import MockModel, running_mock_model
from steersman_runner.tools import Tool


class RecordingDesk:
    """Acknowledges everything, in the order of its arrival, unless it is told to hold."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.text = ""
        self.rounds: list[Sequence[Item]] = []
        self.outputs: list[Item] = []
        self.acknowledges = asyncio.Event()
        self.acknowledges.set()
        self.reported = asyncio.Event()
        self.said = asyncio.Event()

    def delta(self, text: str) -> None:
        self.text += text
        self.said.set()

    async def round(self, items: Sequence[Item], usage: Usage) -> None:
        self.rounds.append(items)
        await self._committed("round")

    async def call_started(self, call_item_id: str) -> None:
        await self._committed(f"call_started {call_item_id}")

    async def output(self, item: Item) -> None:
        self.outputs.append(item)
        await self._committed(f"output {item.call_item_id}")

    async def _committed(self, entry: str) -> None:
        self.log.append(entry)
        self.reported.set()
        await self.acknowledges.wait()


class Bench(NamedTuple):
    """A harness, its mock-model, and an API to speak."""

    mock: MockModel
    harness: ChatHarness
    api: str

    def work(self, *history: Item, **more: Any) -> Work:
        """A turn of an agent with the model `m` and the tools that `tools` names."""
        agent = Agent(
            harness="chat",
            model="m",
            endpoint=more.pop("endpoint", ""),
            instructions=more.pop("instructions", ""),
            tools=more.pop("tools", ()),
            max_rounds=more.pop("max_rounds", None),
        )
        options = Struct()
        options.update({"api": self.api} | more.pop("options", {}))
        agent.options.CopyFrom(options)
        facts: dict[str, Any] = {"round": 0, "started_call_ids": frozenset()} | more
        return Work("turn_1", "sess_1", 1, 1, agent=agent, history=history, **facts)

    async def answer(
        self, *history: Item, desk: RecordingDesk | None = None, **more: Any
    ) -> Answer:
        return await self.harness.run(self.work(*history, **more), desk or RecordingDesk())

    async def failure(self, *history: Item, **more: Any) -> Failure:
        """The failure that the turn ends with."""
        try:
            await self.answer(*history, **more)
        except TurnFailed as failed:
            return failed.failure
        raise AssertionError("the turn did not fail")

    async def sent(self) -> list[Any]:
        """The history of each request, as the model got it."""
        where = "input" if self.api == "responses" else "messages"
        return [record["body"][where] for record in await self.mock.requests("m")]


@asynccontextmanager
async def bench(api: str, *tools: Tool, **settings: Any) -> AsyncIterator[Bench]:
    async with running_mock_model() as base_url, MockModel(base_url) as mock:
        endpoints = {"": Endpoint(base_url, "sk-very-secret")}
        harness = ChatHarness(tools, ChatSettings(endpoints, **settings))
        try:
            yield Bench(mock, harness, api)
        finally:
            await harness.aclose()


def user(text: str) -> Item:
    return Item(
        id="item_user",
        type=ITEM_TYPE_MESSAGE,
        role=ITEM_ROLE_USER,
        status=ITEM_STATUS_COMPLETED,
        content=[ContentBlock(type="input_text", text=text)],
    )


def called(item_id: str, name: str, arguments: str = "{}", call_id: str = "call_x") -> Item:
    return Item(
        id=item_id,
        type=ITEM_TYPE_FUNCTION_CALL,
        status=ITEM_STATUS_COMPLETED,
        name=name,
        arguments=arguments,
        call_id=call_id,
    )


def text_of(answer: Answer) -> str:
    return "".join(block.text for item in answer.items for block in item.content)
