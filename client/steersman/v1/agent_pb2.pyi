import datetime

from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import empty_pb2 as _empty_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from steersman.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ApprovalPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    APPROVAL_POLICY_UNSPECIFIED: _ClassVar[ApprovalPolicy]
    APPROVAL_POLICY_ASK: _ClassVar[ApprovalPolicy]
    APPROVAL_POLICY_ALLOW: _ClassVar[ApprovalPolicy]
    APPROVAL_POLICY_DENY: _ClassVar[ApprovalPolicy]

class RunnerLossPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUNNER_LOSS_POLICY_UNSPECIFIED: _ClassVar[RunnerLossPolicy]
    RUNNER_LOSS_POLICY_MOVE: _ClassVar[RunnerLossPolicy]
    RUNNER_LOSS_POLICY_FAIL: _ClassVar[RunnerLossPolicy]
APPROVAL_POLICY_UNSPECIFIED: ApprovalPolicy
APPROVAL_POLICY_ASK: ApprovalPolicy
APPROVAL_POLICY_ALLOW: ApprovalPolicy
APPROVAL_POLICY_DENY: ApprovalPolicy
RUNNER_LOSS_POLICY_UNSPECIFIED: RunnerLossPolicy
RUNNER_LOSS_POLICY_MOVE: RunnerLossPolicy
RUNNER_LOSS_POLICY_FAIL: RunnerLossPolicy

class Agent(_message.Message):
    __slots__ = ("name", "version", "harness", "model", "endpoint", "instructions", "tools", "options", "retry", "max_rounds", "approvals", "on_runner_loss", "selector", "context_items", "etag", "created_at")
    class SelectorEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HARNESS_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTIONS_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RETRY_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    APPROVALS_FIELD_NUMBER: _ClassVar[int]
    ON_RUNNER_LOSS_FIELD_NUMBER: _ClassVar[int]
    SELECTOR_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_ITEMS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    harness: str
    model: str
    endpoint: str
    instructions: str
    tools: _containers.RepeatedScalarFieldContainer[str]
    options: _struct_pb2.Struct
    retry: RetryPolicy
    max_rounds: int
    approvals: ApprovalPolicy
    on_runner_loss: RunnerLossPolicy
    selector: _containers.ScalarMap[str, str]
    context_items: int
    etag: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ..., harness: _Optional[str] = ..., model: _Optional[str] = ..., endpoint: _Optional[str] = ..., instructions: _Optional[str] = ..., tools: _Optional[_Iterable[str]] = ..., options: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., retry: _Optional[_Union[RetryPolicy, _Mapping]] = ..., max_rounds: _Optional[int] = ..., approvals: _Optional[_Union[ApprovalPolicy, str]] = ..., on_runner_loss: _Optional[_Union[RunnerLossPolicy, str]] = ..., selector: _Optional[_Mapping[str, str]] = ..., context_items: _Optional[int] = ..., etag: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RetryPolicy(_message.Message):
    __slots__ = ("delays", "max_attempts", "deadline")
    DELAYS_FIELD_NUMBER: _ClassVar[int]
    MAX_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    delays: _containers.RepeatedCompositeFieldContainer[_duration_pb2.Duration]
    max_attempts: int
    deadline: _duration_pb2.Duration
    def __init__(self, delays: _Optional[_Iterable[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]]] = ..., max_attempts: _Optional[int] = ..., deadline: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CreateAgentRequest(_message.Message):
    __slots__ = ("agent", "request_id")
    AGENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    agent: Agent
    request_id: str
    def __init__(self, agent: _Optional[_Union[Agent, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class GetAgentRequest(_message.Message):
    __slots__ = ("agent", "version")
    AGENT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    agent: str
    version: int
    def __init__(self, agent: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class ListAgentsRequest(_message.Message):
    __slots__ = ("limit", "after")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    limit: int
    after: str
    def __init__(self, limit: _Optional[int] = ..., after: _Optional[str] = ...) -> None: ...

class ListAgentsResponse(_message.Message):
    __slots__ = ("data", "first_id", "last_id", "has_more")
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedCompositeFieldContainer[Agent]
    first_id: str
    last_id: str
    has_more: bool
    def __init__(self, data: _Optional[_Iterable[_Union[Agent, _Mapping]]] = ..., first_id: _Optional[str] = ..., last_id: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class UpdateAgentRequest(_message.Message):
    __slots__ = ("agent", "update_mask", "request_id")
    AGENT_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    agent: Agent
    update_mask: _field_mask_pb2.FieldMask
    request_id: str
    def __init__(self, agent: _Optional[_Union[Agent, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteAgentRequest(_message.Message):
    __slots__ = ("agent", "request_id")
    AGENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    agent: str
    request_id: str
    def __init__(self, agent: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...
