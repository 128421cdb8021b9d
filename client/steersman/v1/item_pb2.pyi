import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ItemType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ITEM_TYPE_UNSPECIFIED: _ClassVar[ItemType]
    ITEM_TYPE_MESSAGE: _ClassVar[ItemType]
    ITEM_TYPE_FUNCTION_CALL: _ClassVar[ItemType]
    ITEM_TYPE_FUNCTION_CALL_OUTPUT: _ClassVar[ItemType]
    ITEM_TYPE_REASONING: _ClassVar[ItemType]

class ItemRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ITEM_ROLE_UNSPECIFIED: _ClassVar[ItemRole]
    ITEM_ROLE_USER: _ClassVar[ItemRole]
    ITEM_ROLE_ASSISTANT: _ClassVar[ItemRole]
    ITEM_ROLE_SYSTEM: _ClassVar[ItemRole]

class ItemStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ITEM_STATUS_UNSPECIFIED: _ClassVar[ItemStatus]
    ITEM_STATUS_COMPLETED: _ClassVar[ItemStatus]
    ITEM_STATUS_INCOMPLETE: _ClassVar[ItemStatus]
ITEM_TYPE_UNSPECIFIED: ItemType
ITEM_TYPE_MESSAGE: ItemType
ITEM_TYPE_FUNCTION_CALL: ItemType
ITEM_TYPE_FUNCTION_CALL_OUTPUT: ItemType
ITEM_TYPE_REASONING: ItemType
ITEM_ROLE_UNSPECIFIED: ItemRole
ITEM_ROLE_USER: ItemRole
ITEM_ROLE_ASSISTANT: ItemRole
ITEM_ROLE_SYSTEM: ItemRole
ITEM_STATUS_UNSPECIFIED: ItemStatus
ITEM_STATUS_COMPLETED: ItemStatus
ITEM_STATUS_INCOMPLETE: ItemStatus

class Item(_message.Message):
    __slots__ = ("id", "type", "role", "status", "content", "name", "arguments", "call_id", "call_item_id", "output", "marker", "truncated", "synthetic", "turn_id", "attempt", "round", "sequence", "created_at", "withdrawn_at", "actor")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    CALL_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    MARKER_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    SYNTHETIC_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_AT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    id: str
    type: ItemType
    role: ItemRole
    status: ItemStatus
    content: _containers.RepeatedCompositeFieldContainer[ContentBlock]
    name: str
    arguments: str
    call_id: str
    call_item_id: str
    output: str
    marker: str
    truncated: bool
    synthetic: bool
    turn_id: str
    attempt: int
    round: int
    sequence: int
    created_at: _timestamp_pb2.Timestamp
    withdrawn_at: _timestamp_pb2.Timestamp
    actor: str
    def __init__(self, id: _Optional[str] = ..., type: _Optional[_Union[ItemType, str]] = ..., role: _Optional[_Union[ItemRole, str]] = ..., status: _Optional[_Union[ItemStatus, str]] = ..., content: _Optional[_Iterable[_Union[ContentBlock, _Mapping]]] = ..., name: _Optional[str] = ..., arguments: _Optional[str] = ..., call_id: _Optional[str] = ..., call_item_id: _Optional[str] = ..., output: _Optional[str] = ..., marker: _Optional[str] = ..., truncated: _Optional[bool] = ..., synthetic: _Optional[bool] = ..., turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., round: _Optional[int] = ..., sequence: _Optional[int] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., withdrawn_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., actor: _Optional[str] = ...) -> None: ...

class ContentBlock(_message.Message):
    __slots__ = ("type", "text")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    type: str
    text: str
    def __init__(self, type: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "failed_tokens")
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    REASONING_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FAILED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    reasoning_tokens: int
    failed_tokens: int
    def __init__(self, input_tokens: _Optional[int] = ..., cached_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., reasoning_tokens: _Optional[int] = ..., failed_tokens: _Optional[int] = ...) -> None: ...
