import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from steersman.v1 import item_pb2 as _item_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TurnState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_STATE_UNSPECIFIED: _ClassVar[TurnState]
    TURN_STATE_QUEUED: _ClassVar[TurnState]
    TURN_STATE_ASSIGNED: _ClassVar[TurnState]
    TURN_STATE_RUNNING: _ClassVar[TurnState]
    TURN_STATE_BACKING_OFF: _ClassVar[TurnState]
    TURN_STATE_WAITING: _ClassVar[TurnState]
    TURN_STATE_INTERRUPTING: _ClassVar[TurnState]
    TURN_STATE_COMPLETED: _ClassVar[TurnState]
    TURN_STATE_FAILED: _ClassVar[TurnState]
    TURN_STATE_INTERRUPTED: _ClassVar[TurnState]

class FailureKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAILURE_KIND_UNSPECIFIED: _ClassVar[FailureKind]
    FAILURE_KIND_TRANSIENT: _ClassVar[FailureKind]
    FAILURE_KIND_PERMANENT: _ClassVar[FailureKind]
    FAILURE_KIND_INTERNAL: _ClassVar[FailureKind]
TURN_STATE_UNSPECIFIED: TurnState
TURN_STATE_QUEUED: TurnState
TURN_STATE_ASSIGNED: TurnState
TURN_STATE_RUNNING: TurnState
TURN_STATE_BACKING_OFF: TurnState
TURN_STATE_WAITING: TurnState
TURN_STATE_INTERRUPTING: TurnState
TURN_STATE_COMPLETED: TurnState
TURN_STATE_FAILED: TurnState
TURN_STATE_INTERRUPTED: TurnState
FAILURE_KIND_UNSPECIFIED: FailureKind
FAILURE_KIND_TRANSIENT: FailureKind
FAILURE_KIND_PERMANENT: FailureKind
FAILURE_KIND_INTERNAL: FailureKind

class Turn(_message.Message):
    __slots__ = ("id", "session_id", "state", "attempt", "round", "runner_id", "epoch", "error", "stop_reason", "usage", "blocked_reason", "input_item_id", "active", "created_at", "started_at", "ended_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    RUNNER_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    STOP_REASON_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_REASON_FIELD_NUMBER: _ClassVar[int]
    INPUT_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    session_id: str
    state: TurnState
    attempt: int
    round: int
    runner_id: str
    epoch: int
    error: Failure
    stop_reason: str
    usage: _item_pb2.Usage
    blocked_reason: str
    input_item_id: str
    active: bool
    created_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    ended_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., session_id: _Optional[str] = ..., state: _Optional[_Union[TurnState, str]] = ..., attempt: _Optional[int] = ..., round: _Optional[int] = ..., runner_id: _Optional[str] = ..., epoch: _Optional[int] = ..., error: _Optional[_Union[Failure, _Mapping]] = ..., stop_reason: _Optional[str] = ..., usage: _Optional[_Union[_item_pb2.Usage, _Mapping]] = ..., blocked_reason: _Optional[str] = ..., input_item_id: _Optional[str] = ..., active: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., **kwargs) -> None: ...

class Failure(_message.Message):
    __slots__ = ("kind", "code", "message", "provider_status", "retryable")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_STATUS_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    kind: FailureKind
    code: str
    message: str
    provider_status: int
    retryable: bool
    def __init__(self, kind: _Optional[_Union[FailureKind, str]] = ..., code: _Optional[str] = ..., message: _Optional[str] = ..., provider_status: _Optional[int] = ..., retryable: _Optional[bool] = ...) -> None: ...

class PendingInput(_message.Message):
    __slots__ = ("item_id", "turn_id", "role", "content", "actor", "created_at")
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    item_id: str
    turn_id: str
    role: _item_pb2.ItemRole
    content: _containers.RepeatedCompositeFieldContainer[_item_pb2.ContentBlock]
    actor: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, item_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., role: _Optional[_Union[_item_pb2.ItemRole, str]] = ..., content: _Optional[_Iterable[_Union[_item_pb2.ContentBlock, _Mapping]]] = ..., actor: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
