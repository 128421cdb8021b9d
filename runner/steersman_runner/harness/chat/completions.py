"""Speaks the Chat Completions API: history into messages, chunks into answer. Runs no tools."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from openai import AsyncOpenAI, AsyncStream, OpenAIError
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import Choice, ChoiceDeltaToolCall

from steersman.v1.item_pb2 import ContentBlock, Item, Usage
from steersman_runner.harness.chat import items
from steersman_runner.harness.chat.failures import StreamFault
from steersman_runner.harness.chat.history import Called, Entry, Exchange, Said
from steersman_runner.harness.chat.model import (
    ModelAnswer,
    OnText,
    Question,
    drain,
    ended_early,
    next_event,
)
from steersman_runner.harness.chat.options import CHAT_COMPLETIONS_OPTIONS, allowed
from steersman_runner.tools import Tool

# For the chunk with the usage, after the one that finished the answer.
_USAGE_WAIT = 2.0
_CUT_SHORT = {"length", "content_filter"}


async def ask(client: AsyncOpenAI, question: Question, on_text: OnText) -> ModelAnswer:
    """Asks once. See model.Ask."""
    stream = cast(
        AsyncStream[ChatCompletionChunk],
        await client.chat.completions.create(stream=True, **request(question)),
    )
    async with stream:
        answer = _Assembly()
        while answer.finish_reason is None:
            chunk = await next_event(stream)
            if chunk is None:
                raise ended_early()
            answer.take(chunk, on_text)
        if answer.finish_reason in _CUT_SHORT:
            reason = answer.finish_reason
            raise StreamFault(reason, f"the model's answer is incomplete: {reason}")
        await _read_usage(stream, answer)
        await drain(stream)
    return ModelAnswer(list(answer.items()), answer.usage)


def request(question: Question) -> dict[str, Any]:
    """The body of one request, but for `stream`."""
    body: dict[str, Any] = {
        "model": question.model,
        "messages": _messages(question.instructions, question.entries),
        "stream_options": {"include_usage": True},
    }
    if question.tools:
        body["tools"] = [_tool(tool) for tool in question.tools]
    return body | allowed(question.options, CHAT_COMPLETIONS_OPTIONS)


def _tool(tool: Tool) -> Mapping[str, Any]:
    described = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": described}


def _messages(instructions: str, told: Sequence[Entry]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    if instructions:
        messages.append({"role": "system", "content": instructions})
    for entry in told:
        match entry:
            case Said(role, text):
                messages.append({"role": role, "content": text})
            case Called(exchanges):
                _speaker(messages)["tool_calls"] = [_call(each) for each in exchanges]
                messages.extend(
                    {"role": "tool", "tool_call_id": each.call_id, "content": each.output}
                    for each in exchanges
                )
    return messages


def _speaker(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """The assistant's message that makes calls: the text before them, where there is one."""
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": None})
    return messages[-1]


def _call(exchange: Exchange) -> dict[str, Any]:
    function = {"name": exchange.name, "arguments": exchange.arguments}
    return {"id": exchange.call_id, "type": "function", "function": function}


async def _read_usage(stream: AsyncStream[ChatCompletionChunk], answer: "_Assembly") -> None:
    # The answer is whole: nothing that goes wrong from here on can spoil it.
    with suppress(TimeoutError, OpenAIError):
        async with asyncio.timeout(_USAGE_WAIT):
            while not answer.counted and (chunk := await anext(stream, None)) is not None:
                answer.count(chunk.usage)


@dataclass(slots=True)
class _Call:
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class _Assembly:
    """An answer as its chunks come in."""

    text: str = ""
    refusal: str = ""
    calls: dict[int, _Call] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    counted: bool = False
    finish_reason: str | None = None

    def take(self, chunk: ChatCompletionChunk, on_text: OnText) -> None:
        self.count(chunk.usage)
        for choice in chunk.choices[:1]:
            self._take_choice(choice, on_text)

    def _take_choice(self, choice: Choice, on_text: OnText) -> None:
        self.finish_reason = choice.finish_reason
        delta = choice.delta
        self.text += delta.content or ""
        self.refusal += delta.refusal or ""
        if said := (delta.content or "") + (delta.refusal or ""):
            on_text(said)
        for piece in delta.tool_calls or ():
            self._take_call(piece)

    def _take_call(self, piece: ChoiceDeltaToolCall) -> None:
        call = self.calls.setdefault(piece.index, _Call())
        call.call_id = call.call_id or piece.id or ""
        if piece.function is not None:
            call.name = call.name or piece.function.name or ""
            call.arguments += piece.function.arguments or ""

    def count(self, usage: CompletionUsage | None) -> None:
        if usage is None:
            return
        self.counted = True
        given, taken = usage.prompt_tokens_details, usage.completion_tokens_details
        self.usage = Usage(
            input_tokens=usage.prompt_tokens,
            cached_tokens=(given and given.cached_tokens) or 0,
            output_tokens=usage.completion_tokens,
            reasoning_tokens=(taken and taken.reasoning_tokens) or 0,
        )

    def items(self) -> Iterator[Item]:
        said = {"output_text": self.text, "refusal": self.refusal}
        blocks = [ContentBlock(type=kind, text=text) for kind, text in said.items() if text]
        if blocks:
            yield items.message(blocks)
        for index in sorted(self.calls):
            call = self.calls[index]
            yield items.call(call.call_id, call.name, call.arguments)
