"""Speaks the Responses API: history into input, stream into answer. Runs no tools."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from openai import AsyncOpenAI, AsyncStream
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseErrorEvent,
    ResponseFailedEvent,
    ResponseFunctionToolCall,
    ResponseIncompleteEvent,
    ResponseOutputItem,
    ResponseOutputItemDoneEvent,
    ResponseOutputMessage,
    ResponseReasoningItem,
    ResponseRefusalDeltaEvent,
    ResponseStreamEvent,
    ResponseTextDeltaEvent,
    ResponseUsage,
)

from steersman.v1.item_pb2 import ContentBlock, Item, Usage
from steersman_runner.harness.chat import items
from steersman_runner.harness.chat.failures import StreamFault
from steersman_runner.harness.chat.history import Called, Entry, Said, Thought
from steersman_runner.harness.chat.model import (
    ModelAnswer,
    OnText,
    Question,
    drain,
    ended_early,
    next_event,
)
from steersman_runner.harness.chat.options import RESPONSES_OPTIONS, allowed
from steersman_runner.tools import Tool


async def ask(client: AsyncOpenAI, question: Question, on_text: OnText) -> ModelAnswer:
    """Asks once. See model.Ask."""
    stream = cast(
        AsyncStream[ResponseStreamEvent],
        await client.responses.create(stream=True, **request(question)),
    )
    async with stream:
        done: dict[int, ResponseOutputItem] = {}
        while (event := await next_event(stream)) is not None:
            match event:
                case ResponseTextDeltaEvent() | ResponseRefusalDeltaEvent():
                    on_text(event.delta)
                case ResponseOutputItemDoneEvent():
                    done[event.output_index] = event.item
                case ResponseCompletedEvent():
                    await drain(stream)
                    return _answer(event.response, done)
                case ResponseFailedEvent() | ResponseIncompleteEvent():
                    raise _fault(event.response)
                case ResponseErrorEvent():
                    raise StreamFault(event.code or "server_error", event.message)
    raise ended_early()


def request(question: Question) -> dict[str, Any]:
    """The body of one request, but for `stream`."""
    body: dict[str, Any] = {
        "model": question.model,
        "input": [part for entry in question.entries for part in _input(entry)],
        # The session's history is ours; nothing is looked up at the provider.
        "store": False,
    }
    if question.instructions:
        body["instructions"] = question.instructions
    if question.tools:
        body["tools"] = [_tool(tool) for tool in question.tools]
    return body | allowed(question.options, RESPONSES_OPTIONS)


def _tool(tool: Tool) -> Mapping[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": False,
    }


def _input(entry: Entry) -> Iterator[Mapping[str, Any]]:
    match entry:
        case Said(role, text):
            yield {"role": role, "content": text}
        case Thought(summary, encrypted):
            texts = [{"type": "summary_text", "text": text} for text in summary]
            yield {"type": "reasoning", "summary": texts, "encrypted_content": encrypted}
        case Called(exchanges):
            for call in exchanges:
                named = {"name": call.name, "arguments": call.arguments}
                yield {"type": "function_call", "call_id": call.call_id} | named
            for call in exchanges:
                answered = {"call_id": call.call_id, "output": call.output}
                yield {"type": "function_call_output"} | answered


def _answer(response: Response, done: Mapping[int, ResponseOutputItem]) -> ModelAnswer:
    # Some servers leave the output of the terminal event empty.
    output = [done[index] for index in sorted(done)] or response.output
    return ModelAnswer(list(_items(output)), _usage(response.usage))


def _items(output: Iterable[ResponseOutputItem]) -> Iterator[Item]:
    for part in output:
        match part:
            case ResponseOutputMessage():
                yield items.message(
                    ContentBlock(type="refusal", text=block.refusal)
                    if block.type == "refusal"
                    else ContentBlock(type="output_text", text=block.text)
                    for block in part.content
                )
            case ResponseFunctionToolCall():
                yield items.call(part.call_id, part.name, part.arguments)
            case ResponseReasoningItem():
                yield items.reasoning(_thoughts(part))


def _thoughts(part: ResponseReasoningItem) -> Iterator[ContentBlock]:
    for summary in part.summary or ():
        yield ContentBlock(type="summary_text", text=summary.text)
    for content in part.content or ():
        yield ContentBlock(type="reasoning_text", text=content.text)
    if part.encrypted_content:
        yield ContentBlock(type="encrypted_content", text=part.encrypted_content)


def _usage(usage: ResponseUsage | None) -> Usage:
    if usage is None:
        return Usage()
    # Other servers' details may be absent, whatever the types say.
    given, taken = usage.input_tokens_details, usage.output_tokens_details
    return Usage(
        input_tokens=usage.input_tokens,
        cached_tokens=getattr(given, "cached_tokens", None) or 0,
        output_tokens=usage.output_tokens,
        reasoning_tokens=getattr(taken, "reasoning_tokens", None) or 0,
    )


def _fault(response: Response) -> StreamFault:
    if response.error is not None:
        return StreamFault(response.error.code or "server_error", response.error.message)
    reason = response.incomplete_details.reason if response.incomplete_details else None
    if reason is None:
        return StreamFault("server_error", f"the model's answer ended {response.status}")
    return StreamFault(reason, f"the model's answer is incomplete: {reason}")
