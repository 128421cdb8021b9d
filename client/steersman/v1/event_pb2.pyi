import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from steersman.v1 import interrupt_pb2 as _interrupt_pb2
from steersman.v1 import item_pb2 as _item_pb2
from steersman.v1 import session_pb2 as _session_pb2
from steersman.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_SESSION_CREATED: _ClassVar[EventKind]
    EVENT_KIND_SESSION_UPDATED: _ClassVar[EventKind]
    EVENT_KIND_SESSION_ARCHIVED: _ClassVar[EventKind]
    EVENT_KIND_INPUT_QUEUED: _ClassVar[EventKind]
    EVENT_KIND_INPUT_DROPPED: _ClassVar[EventKind]
    EVENT_KIND_ITEM_ADDED: _ClassVar[EventKind]
    EVENT_KIND_ITEMS_WITHDRAWN: _ClassVar[EventKind]
    EVENT_KIND_CALL_STARTED: _ClassVar[EventKind]
    EVENT_KIND_TURN_QUEUED: _ClassVar[EventKind]
    EVENT_KIND_TURN_ASSIGNED: _ClassVar[EventKind]
    EVENT_KIND_TURN_RUNNING: _ClassVar[EventKind]
    EVENT_KIND_TURN_BACKING_OFF: _ClassVar[EventKind]
    EVENT_KIND_TURN_WAITING: _ClassVar[EventKind]
    EVENT_KIND_TURN_INTERRUPTING: _ClassVar[EventKind]
    EVENT_KIND_TURN_COMPLETED: _ClassVar[EventKind]
    EVENT_KIND_TURN_FAILED: _ClassVar[EventKind]
    EVENT_KIND_TURN_INTERRUPTED: _ClassVar[EventKind]
    EVENT_KIND_INTERRUPT_REQUESTED: _ClassVar[EventKind]
    EVENT_KIND_INTERRUPT_DELIVERED: _ClassVar[EventKind]
    EVENT_KIND_INTERRUPT_CONFIRMED: _ClassVar[EventKind]
    EVENT_KIND_INTERRUPT_FORCED: _ClassVar[EventKind]
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_SESSION_CREATED: EventKind
EVENT_KIND_SESSION_UPDATED: EventKind
EVENT_KIND_SESSION_ARCHIVED: EventKind
EVENT_KIND_INPUT_QUEUED: EventKind
EVENT_KIND_INPUT_DROPPED: EventKind
EVENT_KIND_ITEM_ADDED: EventKind
EVENT_KIND_ITEMS_WITHDRAWN: EventKind
EVENT_KIND_CALL_STARTED: EventKind
EVENT_KIND_TURN_QUEUED: EventKind
EVENT_KIND_TURN_ASSIGNED: EventKind
EVENT_KIND_TURN_RUNNING: EventKind
EVENT_KIND_TURN_BACKING_OFF: EventKind
EVENT_KIND_TURN_WAITING: EventKind
EVENT_KIND_TURN_INTERRUPTING: EventKind
EVENT_KIND_TURN_COMPLETED: EventKind
EVENT_KIND_TURN_FAILED: EventKind
EVENT_KIND_TURN_INTERRUPTED: EventKind
EVENT_KIND_INTERRUPT_REQUESTED: EventKind
EVENT_KIND_INTERRUPT_DELIVERED: EventKind
EVENT_KIND_INTERRUPT_CONFIRMED: EventKind
EVENT_KIND_INTERRUPT_FORCED: EventKind

class Event(_message.Message):
    __slots__ = ("sequence", "kind", "session_id", "turn_id", "attempt", "actor", "created_at", "session_status", "session", "turn", "item", "input", "interrupt", "call_started", "items_withdrawn")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    SESSION_STATUS_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_FIELD_NUMBER: _ClassVar[int]
    CALL_STARTED_FIELD_NUMBER: _ClassVar[int]
    ITEMS_WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    kind: EventKind
    session_id: str
    turn_id: str
    attempt: int
    actor: str
    created_at: _timestamp_pb2.Timestamp
    session_status: _session_pb2.SessionStatus
    session: _session_pb2.Session
    turn: _turn_pb2.Turn
    item: _item_pb2.Item
    input: _turn_pb2.PendingInput
    interrupt: _interrupt_pb2.Interrupt
    call_started: CallStarted
    items_withdrawn: ItemsWithdrawn
    def __init__(self, sequence: _Optional[int] = ..., kind: _Optional[_Union[EventKind, str]] = ..., session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., actor: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., session_status: _Optional[_Union[_session_pb2.SessionStatus, str]] = ..., session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., turn: _Optional[_Union[_turn_pb2.Turn, _Mapping]] = ..., item: _Optional[_Union[_item_pb2.Item, _Mapping]] = ..., input: _Optional[_Union[_turn_pb2.PendingInput, _Mapping]] = ..., interrupt: _Optional[_Union[_interrupt_pb2.Interrupt, _Mapping]] = ..., call_started: _Optional[_Union[CallStarted, _Mapping]] = ..., items_withdrawn: _Optional[_Union[ItemsWithdrawn, _Mapping]] = ...) -> None: ...

class CallStarted(_message.Message):
    __slots__ = ("item_id",)
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    item_id: str
    def __init__(self, item_id: _Optional[str] = ...) -> None: ...

class ItemsWithdrawn(_message.Message):
    __slots__ = ("item_ids", "cause")
    ITEM_IDS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    item_ids: _containers.RepeatedScalarFieldContainer[str]
    cause: str
    def __init__(self, item_ids: _Optional[_Iterable[str]] = ..., cause: _Optional[str] = ...) -> None: ...
