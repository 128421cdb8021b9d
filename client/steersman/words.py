"""Words for what the protos number: enums in and out, kinds, texts. Never talks to a server."""

from typing import cast

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

from steersman.v1.event_pb2 import Event
from steersman.v1.item_pb2 import Item
from steersman.v1.turn_pb2 import Turn, TurnState

ENDED = frozenset(
    {
        TurnState.TURN_STATE_COMPLETED,
        TurnState.TURN_STATE_FAILED,
        TurnState.TURN_STATE_INTERRUPTED,
    }
)


def short(message: Message, field: str) -> str:
    """The short lower-case word of an enum field: `short(turn, "state") == "running"`.

    A value that this client does not know is its number, as text.
    """
    enum = cast(EnumDescriptor, message.DESCRIPTOR.fields_by_name[field].enum_type)
    return short_name(enum, getattr(message, field))


def short_name(enum: EnumDescriptor, number: int) -> str:
    """The short lower-case word of an enum value, or its number as text."""
    value = enum.values_by_number.get(number)
    return str(number) if value is None else value.name.removeprefix(prefix(enum)).lower()


def prefix(enum: EnumDescriptor) -> str:
    """What every value of the enum starts with; its zero is `<prefix>UNSPECIFIED`."""
    return enum.values_by_number[0].name.removesuffix("UNSPECIFIED")


def proto_name(enum: EnumTypeWrapper, word: str | None) -> str | None:
    """The proto's name for a short or full word; None stays None, which means unset.

    Raises ValueError with the allowed words when it is none of them.
    """
    if word is None:
        return None
    names = [value.name for value in enum.DESCRIPTOR.values if value.number != 0]
    start = prefix(enum.DESCRIPTOR)
    for name in names:
        if word.upper() in (name, name.removeprefix(start)):
            return name
    allowed = ", ".join(name.removeprefix(start).lower() for name in names)
    raise ValueError(f"{word!r} is not a {enum.DESCRIPTOR.name}; allowed: {allowed}")


def kind(event: Event) -> str:
    """What happened, as a word: `turn_completed`, `item_added`, …"""
    return short(event, "kind")


def text(item: Item) -> str:
    """The text of an item: its content joined, or a tool's output; empty for a call."""
    return item.output or "".join(block.text for block in item.content)


def ended(turn: Turn) -> bool:
    """Whether this attempt of the turn is over."""
    return turn.state in ENDED
