"""Items of history, inputs that wait, and what is left open between calls and outputs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from steersman_server.core.refusals import BadRequest, MessageTooLarge
from steersman_server.core.values import Instant, ItemId, SessionId, TurnId

MESSAGE_LIMIT: Final = 1024 * 1024
"""Bytes of UTF-8 in one message."""


class ItemType(StrEnum):
    MESSAGE = "message"
    FUNCTION_CALL = "function_call"
    FUNCTION_CALL_OUTPUT = "function_call_output"
    REASONING = "reasoning"


class ItemRole(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class ItemStatus(StrEnum):
    COMPLETED = "completed"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """A piece of content; `type` as in the Responses API (`input_text`, `output_text`, …)."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One row of history. `sequence` is 0 until the log has given it its place."""

    id: ItemId
    type: ItemType
    session_id: SessionId
    turn_id: TurnId
    attempt: int
    created_at: Instant
    actor: str
    sequence: int = 0
    round: int = 0
    role: ItemRole | None = None
    status: ItemStatus = ItemStatus.COMPLETED
    content: tuple[ContentBlock, ...] = ()
    name: str = ""
    arguments: str = ""
    call_id: str = ""
    call_item_id: ItemId = field(default=ItemId(""))
    output: str = ""
    marker: str = ""
    truncated: bool = False
    synthetic: bool = False
    started_at: Instant | None = None
    withdrawn_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class PendingInput:
    """A message that waits for its turn. It is not history yet and may never be."""

    item_id: ItemId
    session_id: SessionId
    turn_id: TurnId
    role: ItemRole
    content: tuple[ContentBlock, ...]
    actor: str
    created_at: Instant


def open_calls(items: Iterable[Item]) -> list[Item]:
    """The calls among `items` that none of `items` answers, in their order."""
    standing = [item for item in items if item.withdrawn_at is None]
    answered = {i.call_item_id for i in standing if i.type is ItemType.FUNCTION_CALL_OUTPUT}
    return [i for i in standing if i.type is ItemType.FUNCTION_CALL and i.id not in answered]


def check_message(content: Sequence[ContentBlock]) -> None:
    """Raises BadRequest for a blank message and MessageTooLarge for one over the limit."""
    size = sum(len(block.text.encode()) for block in content)
    if size > MESSAGE_LIMIT:
        raise MessageTooLarge(size, MESSAGE_LIMIT)
    if not any(block.text.strip() for block in content):
        raise BadRequest("message", "must not be blank")
