"""How a message reads as JSON, on the command line as over HTTP. Never talks to a server."""

from collections.abc import Sequence
from typing import Any, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from steersman.words import short_name

# Their canonical JSON is ours too: "1.5s", RFC 3339, a plain object.
CANONICAL = (Duration, FieldMask, Struct, Timestamp)


def to_json(message: Message) -> dict[str, Any]:
    """A message as a JSON object.

    Names are snake_case, enums short lower-case words, 64-bit integers numbers.
    Fields without presence are always there, unset optional ones never.
    """
    fields = cast(Sequence[FieldDescriptor], message.DESCRIPTOR.fields)
    return {
        field.name: field_value(message, field)
        for field in fields
        if not field.has_presence or message.HasField(field.name)
    }


def field_value(message: Message, field: FieldDescriptor) -> Any:
    """One field's value as JSON."""
    value = getattr(message, field.name)
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        inner = entry.fields_by_name["value"]
        return {str(key): scalar(value[key], inner) for key in sorted(value)}
    if field.is_repeated:
        return [scalar(element, field) for element in value]
    return scalar(value, field)


def scalar(value: Any, field: FieldDescriptor) -> Any:
    """One element of a field as JSON."""
    if isinstance(value, CANONICAL):
        return MessageToDict(value)
    if isinstance(value, Message):
        return to_json(value)
    if field.enum_type is not None:
        return short_name(field.enum_type, value)
    return value
