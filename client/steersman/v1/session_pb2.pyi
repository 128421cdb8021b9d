import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from steersman.v1 import item_pb2 as _item_pb2
from steersman.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SessionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SESSION_STATUS_UNSPECIFIED: _ClassVar[SessionStatus]
    SESSION_STATUS_IDLE: _ClassVar[SessionStatus]
    SESSION_STATUS_RUNNING: _ClassVar[SessionStatus]
    SESSION_STATUS_WAITING: _ClassVar[SessionStatus]
    SESSION_STATUS_FAILED: _ClassVar[SessionStatus]
SESSION_STATUS_UNSPECIFIED: SessionStatus
SESSION_STATUS_IDLE: SessionStatus
SESSION_STATUS_RUNNING: SessionStatus
SESSION_STATUS_WAITING: SessionStatus
SESSION_STATUS_FAILED: SessionStatus

class Session(_message.Message):
    __slots__ = ("id", "agent", "agent_version", "title", "labels", "status", "active_turn", "pending_inputs", "last_error", "runner_id", "selector", "head_sequence", "usage", "created_at", "updated_at", "archived_at", "etag")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class SelectorEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    AGENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_TURN_FIELD_NUMBER: _ClassVar[int]
    PENDING_INPUTS_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    RUNNER_ID_FIELD_NUMBER: _ClassVar[int]
    SELECTOR_FIELD_NUMBER: _ClassVar[int]
    HEAD_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_AT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    id: str
    agent: str
    agent_version: int
    title: str
    labels: _containers.ScalarMap[str, str]
    status: SessionStatus
    active_turn: _turn_pb2.Turn
    pending_inputs: _containers.RepeatedCompositeFieldContainer[_turn_pb2.PendingInput]
    last_error: _turn_pb2.Failure
    runner_id: str
    selector: _containers.ScalarMap[str, str]
    head_sequence: int
    usage: _item_pb2.Usage
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    archived_at: _timestamp_pb2.Timestamp
    etag: str
    def __init__(self, id: _Optional[str] = ..., agent: _Optional[str] = ..., agent_version: _Optional[int] = ..., title: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., status: _Optional[_Union[SessionStatus, str]] = ..., active_turn: _Optional[_Union[_turn_pb2.Turn, _Mapping]] = ..., pending_inputs: _Optional[_Iterable[_Union[_turn_pb2.PendingInput, _Mapping]]] = ..., last_error: _Optional[_Union[_turn_pb2.Failure, _Mapping]] = ..., runner_id: _Optional[str] = ..., selector: _Optional[_Mapping[str, str]] = ..., head_sequence: _Optional[int] = ..., usage: _Optional[_Union[_item_pb2.Usage, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., archived_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...
