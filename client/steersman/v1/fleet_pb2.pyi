import datetime

from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from steersman.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunnerState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUNNER_STATE_UNSPECIFIED: _ClassVar[RunnerState]
    RUNNER_STATE_CONNECTED: _ClassVar[RunnerState]
    RUNNER_STATE_DISCONNECTED: _ClassVar[RunnerState]
    RUNNER_STATE_ENDED: _ClassVar[RunnerState]
RUNNER_STATE_UNSPECIFIED: RunnerState
RUNNER_STATE_CONNECTED: RunnerState
RUNNER_STATE_DISCONNECTED: RunnerState
RUNNER_STATE_ENDED: RunnerState

class Runner(_message.Message):
    __slots__ = ("id", "state", "generation", "labels", "slots", "slots_used", "harnesses", "tools", "version", "protocol", "address", "connected_at", "last_seen_at", "leases")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    SLOTS_USED_FIELD_NUMBER: _ClassVar[int]
    HARNESSES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_SEEN_AT_FIELD_NUMBER: _ClassVar[int]
    LEASES_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: RunnerState
    generation: int
    labels: _containers.ScalarMap[str, str]
    slots: int
    slots_used: int
    harnesses: _containers.RepeatedScalarFieldContainer[str]
    tools: _containers.RepeatedScalarFieldContainer[str]
    version: str
    protocol: int
    address: str
    connected_at: _timestamp_pb2.Timestamp
    last_seen_at: _timestamp_pb2.Timestamp
    leases: _containers.RepeatedCompositeFieldContainer[Lease]
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[RunnerState, str]] = ..., generation: _Optional[int] = ..., labels: _Optional[_Mapping[str, str]] = ..., slots: _Optional[int] = ..., slots_used: _Optional[int] = ..., harnesses: _Optional[_Iterable[str]] = ..., tools: _Optional[_Iterable[str]] = ..., version: _Optional[str] = ..., protocol: _Optional[int] = ..., address: _Optional[str] = ..., connected_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_seen_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., leases: _Optional[_Iterable[_Union[Lease, _Mapping]]] = ...) -> None: ...

class Lease(_message.Message):
    __slots__ = ("session_id", "turn_id", "epoch")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    turn_id: str
    epoch: int
    def __init__(self, session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., epoch: _Optional[int] = ...) -> None: ...

class ListRunnersRequest(_message.Message):
    __slots__ = ("limit", "after")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    limit: int
    after: str
    def __init__(self, limit: _Optional[int] = ..., after: _Optional[str] = ...) -> None: ...

class ListRunnersResponse(_message.Message):
    __slots__ = ("data", "first_id", "last_id", "has_more")
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedCompositeFieldContainer[Runner]
    first_id: str
    last_id: str
    has_more: bool
    def __init__(self, data: _Optional[_Iterable[_Union[Runner, _Mapping]]] = ..., first_id: _Optional[str] = ..., last_id: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class GetRunnerRequest(_message.Message):
    __slots__ = ("runner_id",)
    RUNNER_ID_FIELD_NUMBER: _ClassVar[int]
    runner_id: str
    def __init__(self, runner_id: _Optional[str] = ...) -> None: ...
