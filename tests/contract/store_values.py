"""Random values of every kind that the store keeps, made from the fields of their classes."""

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final

from hypothesis import strategies as st

from steersman_server.core.events import CallStarted, Event, EventKind, ItemsWithdrawn
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import Epoch, Instant

# No NUL: not every database can keep one in a text.
TEXT: Final = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
SMALL: Final = st.integers(0, 2**31 - 1)
LARGE: Final = st.integers(0, 2**62)
JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
PLAIN: Final[dict[Any, st.SearchStrategy[Any]]] = {
    str: TEXT,
    int: SMALL,
    bool: st.booleans(),
    float: st.floats(0, 1e6),
    object: JSON,
    types.NoneType: st.none(),
    Instant: LARGE,
    Epoch: LARGE,
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a class, field by field; a field that is added is covered by itself."""
    if kind in PLAIN:
        return PLAIN[kind]
    if hasattr(kind, "__supertype__"):
        return values(kind.__supertype__)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    if is_dataclass(kind) and isinstance(kind, type):
        hints = typing.get_type_hints(kind)
        return st.builds(kind, **{field.name: values(hints[field.name]) for field in fields(kind)})
    return _of_several(typing.get_origin(kind), typing.get_args(kind))


def _of_several(origin: Any, arguments: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    if origin is Mapping:
        return st.dictionaries(TEXT, values(arguments[1]), max_size=3)
    if origin is tuple:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    return st.one_of(*map(values, arguments))


_DATA: Final[dict[str, type]] = {
    "session": Session,
    "turn": Turn,
    "input": PendingInput,
    "interrupt": Interrupt,
}


def data_of(kind: EventKind) -> st.SearchStrategy[Any]:
    """What an event of this kind is about."""
    match kind:
        case EventKind.ITEM_ADDED:
            return values(Item)
        case EventKind.ITEMS_WITHDRAWN:
            return values(ItemsWithdrawn)
        case EventKind.CALL_STARTED:
            return values(CallStarted)
    return values(_DATA[kind.partition("_")[0]])


@st.composite
def events(draw: st.DrawFn) -> Event:
    """An event of any kind with data that fits it; its session and place are the caller's."""
    kind = draw(st.sampled_from(EventKind))
    hints = typing.get_type_hints(Event)
    names = [field.name for field in fields(Event) if field.name not in {"kind", "data"}]
    facts = {name: draw(values(hints[name])) for name in names}
    data = draw(data_of(kind))
    if isinstance(data, Item):
        data = replace(data, started_at=None, withdrawn_at=None)
    return Event(kind=kind, data=data, **facts)
