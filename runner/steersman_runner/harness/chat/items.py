"""Makes the items of a model's answer and of its tools. Where they stand is the server's."""

from collections.abc import Iterable

from steersman.v1.item_pb2 import (
    ITEM_ROLE_ASSISTANT,
    ITEM_STATUS_COMPLETED,
    ITEM_STATUS_INCOMPLETE,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_FUNCTION_CALL_OUTPUT,
    ITEM_TYPE_MESSAGE,
    ITEM_TYPE_REASONING,
    ContentBlock,
    Item,
)
from steersman_runner.ids import new_id
from steersman_runner.tools import ToolResult


def message(content: Iterable[ContentBlock]) -> Item:
    """What the assistant said."""
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_MESSAGE,
        role=ITEM_ROLE_ASSISTANT,
        status=ITEM_STATUS_COMPLETED,
        content=content,
    )


def call(call_id: str, name: str, arguments: str) -> Item:
    """A call, with the provider's id of it and its arguments as they came."""
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_FUNCTION_CALL,
        status=ITEM_STATUS_COMPLETED,
        call_id=call_id,
        name=name,
        arguments=arguments,
    )


def reasoning(content: Iterable[ContentBlock]) -> Item:
    """What the model thought, as far as its provider shows it."""
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_REASONING,
        status=ITEM_STATUS_COMPLETED,
        content=content,
    )


def output(call: Item, result: ToolResult) -> Item:
    """What a tool answered; `incomplete` when it was stopped before its end."""
    return Item(
        id=new_id("item"),
        type=ITEM_TYPE_FUNCTION_CALL_OUTPUT,
        status=ITEM_STATUS_COMPLETED if result.complete else ITEM_STATUS_INCOMPLETE,
        call_id=call.call_id,
        call_item_id=call.id,
        name=call.name,
        output=result.output,
        truncated=result.truncated,
    )
