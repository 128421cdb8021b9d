"""What must be true of a log, of a history, and of what a model is given. Holds no state."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from steersman import Event, kind, short, text
from steersman.v1.item_pb2 import Item


def dense(events: Sequence[Event]) -> bool:
    """Whether the sequences are 1, 2, 3, …"""
    return [event.sequence for event in events] == list(range(1, len(events) + 1))


def items_of(events: Sequence[Event]) -> list[Item]:
    """The items that a log added."""
    return [event.item for event in events if kind(event) == "item_added"]


def each_once(items: Sequence[Item]) -> bool:
    """Whether no item is there twice, and each call has exactly one output."""
    ids = Counter(item.id for item in items)
    calls = [item.id for item in items if short(item, "type") == "function_call"]
    answered = [item.call_item_id for item in items if item.call_item_id]
    return set(ids.values()) <= {1} and sorted(calls) == sorted(answered)


def messages(items: Sequence[Item]) -> list[tuple[str, str]]:
    """Who said what, calls and outputs left out."""
    spoken = (item for item in items if short(item, "type") == "message")
    return [(short(item, "role"), text(item)) for item in spoken]


def markers(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.marker == "interrupted"]


def outputs(items: Sequence[Item]) -> dict[str, Item]:
    """Outputs by the name of what was called."""
    return {item.name: item for item in items if short(item, "type") == "function_call_output"}


def given_messages(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Who said what in the body of a model request, instructions left out."""
    parts = body.get("input") or body["messages"]
    spoken = [part for part in parts if part.get("role") in ("user", "assistant")]
    found = [(part["role"], flat(part.get("content"))) for part in spoken]
    return [(role, words) for role, words in found if words]


def given_calls(body: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The ids of the calls, and of the outputs, in the body of a model request."""
    if "messages" in body:
        calls = [call["id"] for part in body["messages"] for call in part.get("tool_calls") or ()]
        return calls, [part["tool_call_id"] for part in body["messages"] if part["role"] == "tool"]
    typed = [(part.get("type"), part.get("call_id")) for part in body["input"]]
    return (
        [call_id for type_, call_id in typed if type_ == "function_call"],
        [call_id for type_, call_id in typed if type_ == "function_call_output"],
    )


def valid(body: Mapping[str, Any]) -> bool:
    """Whether every call of a model request has exactly one output."""
    calls, answered = given_calls(body)
    return len(set(calls)) == len(calls) and sorted(calls) == sorted(answered)


def flat(content: object) -> str:
    """The text of a message's content, in either API."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part.get("text", "") for part in parts)
