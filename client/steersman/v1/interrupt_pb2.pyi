import datetime

from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from steersman.v1 import options_pb2 as _options_pb2
from steersman.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InterruptState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INTERRUPT_STATE_UNSPECIFIED: _ClassVar[InterruptState]
    INTERRUPT_STATE_REQUESTED: _ClassVar[InterruptState]
    INTERRUPT_STATE_DELIVERED: _ClassVar[InterruptState]
    INTERRUPT_STATE_CONFIRMED: _ClassVar[InterruptState]
    INTERRUPT_STATE_FORCED: _ClassVar[InterruptState]
    INTERRUPT_STATE_ALREADY_IDLE: _ClassVar[InterruptState]

class InterruptMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INTERRUPT_MODE_UNSPECIFIED: _ClassVar[InterruptMode]
    INTERRUPT_MODE_KEEP: _ClassVar[InterruptMode]
    INTERRUPT_MODE_ROLLBACK: _ClassVar[InterruptMode]

class QueuedInputs(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUEUED_INPUTS_UNSPECIFIED: _ClassVar[QueuedInputs]
    QUEUED_INPUTS_DROP: _ClassVar[QueuedInputs]
    QUEUED_INPUTS_KEEP: _ClassVar[QueuedInputs]

class InterruptWait(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INTERRUPT_WAIT_UNSPECIFIED: _ClassVar[InterruptWait]
    INTERRUPT_WAIT_NONE: _ClassVar[InterruptWait]
    INTERRUPT_WAIT_DELIVERED: _ClassVar[InterruptWait]
    INTERRUPT_WAIT_SETTLED: _ClassVar[InterruptWait]
INTERRUPT_STATE_UNSPECIFIED: InterruptState
INTERRUPT_STATE_REQUESTED: InterruptState
INTERRUPT_STATE_DELIVERED: InterruptState
INTERRUPT_STATE_CONFIRMED: InterruptState
INTERRUPT_STATE_FORCED: InterruptState
INTERRUPT_STATE_ALREADY_IDLE: InterruptState
INTERRUPT_MODE_UNSPECIFIED: InterruptMode
INTERRUPT_MODE_KEEP: InterruptMode
INTERRUPT_MODE_ROLLBACK: InterruptMode
QUEUED_INPUTS_UNSPECIFIED: QueuedInputs
QUEUED_INPUTS_DROP: QueuedInputs
QUEUED_INPUTS_KEEP: QueuedInputs
INTERRUPT_WAIT_UNSPECIFIED: InterruptWait
INTERRUPT_WAIT_NONE: InterruptWait
INTERRUPT_WAIT_DELIVERED: InterruptWait
INTERRUPT_WAIT_SETTLED: InterruptWait

class Interrupt(_message.Message):
    __slots__ = ("id", "session_id", "turn_id", "attempt", "state", "mode", "reason", "actor", "requested_at", "delivered_at", "settled_at", "may_run_until", "stopped", "dropped_inputs")
    ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_AT_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_AT_FIELD_NUMBER: _ClassVar[int]
    SETTLED_AT_FIELD_NUMBER: _ClassVar[int]
    MAY_RUN_UNTIL_FIELD_NUMBER: _ClassVar[int]
    STOPPED_FIELD_NUMBER: _ClassVar[int]
    DROPPED_INPUTS_FIELD_NUMBER: _ClassVar[int]
    id: str
    session_id: str
    turn_id: str
    attempt: int
    state: InterruptState
    mode: InterruptMode
    reason: str
    actor: str
    requested_at: _timestamp_pb2.Timestamp
    delivered_at: _timestamp_pb2.Timestamp
    settled_at: _timestamp_pb2.Timestamp
    may_run_until: _timestamp_pb2.Timestamp
    stopped: _containers.RepeatedCompositeFieldContainer[StoppedTurn]
    dropped_inputs: _containers.RepeatedCompositeFieldContainer[_turn_pb2.PendingInput]
    def __init__(self, id: _Optional[str] = ..., session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., state: _Optional[_Union[InterruptState, str]] = ..., mode: _Optional[_Union[InterruptMode, str]] = ..., reason: _Optional[str] = ..., actor: _Optional[str] = ..., requested_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., delivered_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., settled_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., may_run_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., stopped: _Optional[_Iterable[_Union[StoppedTurn, _Mapping]]] = ..., dropped_inputs: _Optional[_Iterable[_Union[_turn_pb2.PendingInput, _Mapping]]] = ...) -> None: ...

class StoppedTurn(_message.Message):
    __slots__ = ("session_id", "turn_id", "state")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    turn_id: str
    state: _turn_pb2.TurnState
    def __init__(self, session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., state: _Optional[_Union[_turn_pb2.TurnState, str]] = ...) -> None: ...

class InterruptRequest(_message.Message):
    __slots__ = ("session_id", "turn_id", "attempt", "mode", "queued", "wait", "wait_timeout", "reason", "request_id", "cascade")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    WAIT_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CASCADE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    turn_id: str
    attempt: int
    mode: InterruptMode
    queued: QueuedInputs
    wait: InterruptWait
    wait_timeout: _duration_pb2.Duration
    reason: str
    request_id: str
    cascade: bool
    def __init__(self, session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., mode: _Optional[_Union[InterruptMode, str]] = ..., queued: _Optional[_Union[QueuedInputs, str]] = ..., wait: _Optional[_Union[InterruptWait, str]] = ..., wait_timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ..., cascade: _Optional[bool] = ...) -> None: ...

class GetInterruptRequest(_message.Message):
    __slots__ = ("session_id", "interrupt_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    interrupt_id: str
    def __init__(self, session_id: _Optional[str] = ..., interrupt_id: _Optional[str] = ...) -> None: ...

class ListInterruptsRequest(_message.Message):
    __slots__ = ("session_id", "limit", "after")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    limit: int
    after: str
    def __init__(self, session_id: _Optional[str] = ..., limit: _Optional[int] = ..., after: _Optional[str] = ...) -> None: ...

class ListInterruptsResponse(_message.Message):
    __slots__ = ("data", "first_id", "last_id", "has_more")
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedCompositeFieldContainer[Interrupt]
    first_id: str
    last_id: str
    has_more: bool
    def __init__(self, data: _Optional[_Iterable[_Union[Interrupt, _Mapping]]] = ..., first_id: _Optional[str] = ..., last_id: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...
