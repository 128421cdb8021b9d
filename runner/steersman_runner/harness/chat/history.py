"""A session's items in the order and shape that every model accepts. Knows no API's JSON."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from steersman.v1.item_pb2 import (
    ITEM_ROLE_ASSISTANT,
    ITEM_ROLE_SYSTEM,
    ITEM_ROLE_USER,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_FUNCTION_CALL_OUTPUT,
    ITEM_TYPE_MESSAGE,
    ITEM_TYPE_REASONING,
    Item,
)

UNKNOWN_OUTPUT = "The result of this call is not known."
_ROLES = {ITEM_ROLE_USER: "user", ITEM_ROLE_ASSISTANT: "assistant", ITEM_ROLE_SYSTEM: "system"}


class Said(NamedTuple):
    """A message."""

    role: str
    text: str


class Thought(NamedTuple):
    """Reasoning that its provider can read again."""

    summary: Sequence[str]
    encrypted: str


class Exchange(NamedTuple):
    """A call and its output. `call_id` is our item id: providers reuse their own."""

    call_id: str
    name: str
    arguments: str
    output: str


class Called(NamedTuple):
    """The calls of one model answer."""

    exchanges: Sequence[Exchange]


Entry = Said | Thought | Called


def entries(items: Sequence[Item]) -> list[Entry]:
    """The history as a model reads it: each answer's calls together, each with one output."""
    outputs = _outputs(items)
    told: list[Entry] = []
    calls: list[Exchange] = []
    for item in items:
        if item.type == ITEM_TYPE_FUNCTION_CALL:
            calls.append(_exchange(item, outputs.get(item.id)))
            continue
        if calls:
            told.append(Called(calls))
            calls = []
        told.extend(_others(item))
    if calls:
        told.append(Called(calls))
    return list(_without_idle_thoughts(told))


def open_calls(items: Sequence[Item]) -> list[Item]:
    """The calls that have no output."""
    answered = _outputs(items)
    return [
        item for item in items if item.type == ITEM_TYPE_FUNCTION_CALL and item.id not in answered
    ]


def _outputs(items: Iterable[Item]) -> dict[str, Item]:
    """Each call's first output, by the call's item id."""
    found: dict[str, Item] = {}
    newest: dict[str, str] = {}
    for item in items:
        if item.type == ITEM_TYPE_FUNCTION_CALL:
            newest[item.call_id] = item.id
        if item.type == ITEM_TYPE_FUNCTION_CALL_OUTPUT:
            found.setdefault(item.call_item_id or newest.get(item.call_id, ""), item)
    return found


def _exchange(call: Item, output: Item | None) -> Exchange:
    return Exchange(call.id, call.name, _as_json(call.arguments), _output_text(output))


def _as_json(arguments: str) -> str:
    """Arguments that any endpoint can parse; many refuse a history with broken JSON in it."""
    try:
        parsed = json.loads(arguments or "{}")
    except ValueError:
        parsed = None
    return (arguments or "{}") if isinstance(parsed, dict) else json.dumps({"invalid": arguments})


def _output_text(output: Item | None) -> str:
    if output is None:
        return UNKNOWN_OUTPUT
    return f"{output.output}\n[truncated]" if output.truncated else output.output


def _others(item: Item) -> Iterator[Entry]:
    text = "".join(block.text for block in item.content if block.type != "encrypted_content")
    if item.type == ITEM_TYPE_MESSAGE and text:
        yield Said(_ROLES.get(item.role, "user"), text)
    if item.type == ITEM_TYPE_REASONING:
        encrypted = [block.text for block in item.content if block.type == "encrypted_content"]
        summary = [block.text for block in item.content if block.type == "summary_text"]
        if encrypted:
            yield Thought(summary, encrypted[0])


def _without_idle_thoughts(told: Sequence[Entry]) -> Iterator[Entry]:
    """Leaves out reasoning without the answer it led to, which providers refuse."""
    for number, entry in enumerate(told):
        rest = (later for later in told[number + 1 :] if not isinstance(later, Thought))
        if not isinstance(entry, Thought) or _is_answer(next(rest, None)):
            yield entry


def _is_answer(entry: Entry | None) -> bool:
    return isinstance(entry, Called) or (isinstance(entry, Said) and entry.role == "assistant")
