from steersman.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_BAD_REQUEST: _ClassVar[Reason]
    REASON_REQUEST_ID_REUSED: _ClassVar[Reason]
    REASON_INVALID_CURSOR: _ClassVar[Reason]
    REASON_MESSAGE_TOO_LARGE: _ClassVar[Reason]
    REASON_UNAUTHENTICATED: _ClassVar[Reason]
    REASON_PERMISSION_DENIED: _ClassVar[Reason]
    REASON_UNTRUSTED_ORIGIN: _ClassVar[Reason]
    REASON_NOT_FOUND: _ClassVar[Reason]
    REASON_METHOD_NOT_ALLOWED: _ClassVar[Reason]
    REASON_ALREADY_EXISTS: _ClassVar[Reason]
    REASON_SESSION_BUSY: _ClassVar[Reason]
    REASON_TURN_NOT_ACTIVE: _ClassVar[Reason]
    REASON_NOTHING_TO_RETRY: _ClassVar[Reason]
    REASON_DELEGATION_RECORD_STALE: _ClassVar[Reason]
    REASON_DELEGATION_IN_FLIGHT: _ClassVar[Reason]
    REASON_SESSION_ARCHIVED: _ClassVar[Reason]
    REASON_PROTOCOL_MISMATCH: _ClassVar[Reason]
    REASON_LEASE_LOST: _ClassVar[Reason]
    REASON_VERSION_CONFLICT: _ClassVar[Reason]
    REASON_QUEUE_FULL: _ClassVar[Reason]
    REASON_DELEGATION_BUDGET_EXHAUSTED: _ClassVar[Reason]
    REASON_RATE_LIMITED: _ClassVar[Reason]
    REASON_NO_ELIGIBLE_RUNNER: _ClassVar[Reason]
    REASON_DRAINING: _ClassVar[Reason]
    REASON_STORE_UNAVAILABLE: _ClassVar[Reason]
    REASON_DEADLINE_EXCEEDED: _ClassVar[Reason]
    REASON_INTERNAL: _ClassVar[Reason]
REASON_UNSPECIFIED: Reason
REASON_BAD_REQUEST: Reason
REASON_REQUEST_ID_REUSED: Reason
REASON_INVALID_CURSOR: Reason
REASON_MESSAGE_TOO_LARGE: Reason
REASON_UNAUTHENTICATED: Reason
REASON_PERMISSION_DENIED: Reason
REASON_UNTRUSTED_ORIGIN: Reason
REASON_NOT_FOUND: Reason
REASON_METHOD_NOT_ALLOWED: Reason
REASON_ALREADY_EXISTS: Reason
REASON_SESSION_BUSY: Reason
REASON_TURN_NOT_ACTIVE: Reason
REASON_NOTHING_TO_RETRY: Reason
REASON_DELEGATION_RECORD_STALE: Reason
REASON_DELEGATION_IN_FLIGHT: Reason
REASON_SESSION_ARCHIVED: Reason
REASON_PROTOCOL_MISMATCH: Reason
REASON_LEASE_LOST: Reason
REASON_VERSION_CONFLICT: Reason
REASON_QUEUE_FULL: Reason
REASON_DELEGATION_BUDGET_EXHAUSTED: Reason
REASON_RATE_LIMITED: Reason
REASON_NO_ELIGIBLE_RUNNER: Reason
REASON_DRAINING: Reason
REASON_STORE_UNAVAILABLE: Reason
REASON_DEADLINE_EXCEEDED: Reason
REASON_INTERNAL: Reason
