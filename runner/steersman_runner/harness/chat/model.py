"""What is asked of a model and what it answers, whichever API is spoken."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeVar

from openai import APIConnectionError, APITimeoutError, AsyncOpenAI, AsyncStream, OpenAIError

from steersman.v1.item_pb2 import ITEM_TYPE_FUNCTION_CALL, Item, Usage
from steersman_runner.harness.chat.failures import StreamFault
from steersman_runner.harness.chat.history import Entry
from steersman_runner.tools import Tool

_Event = TypeVar("_Event")
# After the terminal event; a connection that was read to its end is used again.
_DRAIN = 0.1

OnText = Callable[[str], None]


class Question(NamedTuple):
    """One model call."""

    model: str
    instructions: str
    entries: Sequence[Entry]
    tools: Sequence[Tool]
    options: Mapping[str, Any]


class ModelAnswer(NamedTuple):
    """A whole answer: it exists only when the stream's terminal event came."""

    items: Sequence[Item]
    usage: Usage

    @property
    def calls(self) -> list[Item]:
        return [item for item in self.items if item.type == ITEM_TYPE_FUNCTION_CALL]


class Ask(Protocol):
    """Asks a model and tells its text as it comes. Raises one of MODEL_ERRORS."""

    async def __call__(
        self, client: AsyncOpenAI, question: Question, on_text: OnText
    ) -> ModelAnswer: ...


async def next_event(stream: AsyncStream[_Event]) -> _Event | None:
    """The stream's next event, None at its end.

    Raises StreamFault when the line breaks: that, too, is a stream that ended.
    Better than `async for`, whose generator stays behind when its loop is left.
    """
    try:
        return await anext(stream, None)
    except APITimeoutError:
        raise
    except APIConnectionError as error:
        raise ended_early() from error


async def drain(stream: AsyncStream[_Event]) -> None:
    """Reads what follows the terminal event, for a moment."""
    with suppress(TimeoutError, OpenAIError):
        async with asyncio.timeout(_DRAIN):
            while await anext(stream, None) is not None:
                pass


def ended_early() -> StreamFault:
    """The fault of a stream that stopped before its terminal event."""
    return StreamFault("stream_ended", "the model's stream ended before its answer was whole")
