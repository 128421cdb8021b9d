import datetime

from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import empty_pb2 as _empty_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from steersman.v1 import event_pb2 as _event_pb2
from steersman.v1 import interrupt_pb2 as _interrupt_pb2
from steersman.v1 import item_pb2 as _item_pb2
from steersman.v1 import options_pb2 as _options_pb2
from steersman.v1 import session_pb2 as _session_pb2
from steersman.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WhenBusy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHEN_BUSY_UNSPECIFIED: _ClassVar[WhenBusy]
    WHEN_BUSY_ENQUEUE: _ClassVar[WhenBusy]
    WHEN_BUSY_REJECT: _ClassVar[WhenBusy]
    WHEN_BUSY_INTERRUPT: _ClassVar[WhenBusy]

class SendOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEND_OUTCOME_UNSPECIFIED: _ClassVar[SendOutcome]
    SEND_OUTCOME_STARTED: _ClassVar[SendOutcome]
    SEND_OUTCOME_QUEUED: _ClassVar[SendOutcome]
    SEND_OUTCOME_INTERRUPTING: _ClassVar[SendOutcome]

class Order(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORDER_UNSPECIFIED: _ClassVar[Order]
    ORDER_ASC: _ClassVar[Order]
    ORDER_DESC: _ClassVar[Order]
WHEN_BUSY_UNSPECIFIED: WhenBusy
WHEN_BUSY_ENQUEUE: WhenBusy
WHEN_BUSY_REJECT: WhenBusy
WHEN_BUSY_INTERRUPT: WhenBusy
SEND_OUTCOME_UNSPECIFIED: SendOutcome
SEND_OUTCOME_STARTED: SendOutcome
SEND_OUTCOME_QUEUED: SendOutcome
SEND_OUTCOME_INTERRUPTING: SendOutcome
ORDER_UNSPECIFIED: Order
ORDER_ASC: Order
ORDER_DESC: Order

class CreateSessionRequest(_message.Message):
    __slots__ = ("agent", "title", "labels", "runner_id", "selector", "message", "request_id")
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
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    RUNNER_ID_FIELD_NUMBER: _ClassVar[int]
    SELECTOR_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    agent: str
    title: str
    labels: _containers.ScalarMap[str, str]
    runner_id: str
    selector: _containers.ScalarMap[str, str]
    message: NewMessage
    request_id: str
    def __init__(self, agent: _Optional[str] = ..., title: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., runner_id: _Optional[str] = ..., selector: _Optional[_Mapping[str, str]] = ..., message: _Optional[_Union[NewMessage, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class NewMessage(_message.Message):
    __slots__ = ("text", "content", "role")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    text: str
    content: _containers.RepeatedCompositeFieldContainer[_item_pb2.ContentBlock]
    role: _item_pb2.ItemRole
    def __init__(self, text: _Optional[str] = ..., content: _Optional[_Iterable[_Union[_item_pb2.ContentBlock, _Mapping]]] = ..., role: _Optional[_Union[_item_pb2.ItemRole, str]] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("limit", "after", "filter")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    limit: int
    after: str
    filter: SessionFilter
    def __init__(self, limit: _Optional[int] = ..., after: _Optional[str] = ..., filter: _Optional[_Union[SessionFilter, _Mapping]] = ...) -> None: ...

class SessionFilter(_message.Message):
    __slots__ = ("status", "agent", "labels", "title", "include_archived")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    STATUS_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    status: _containers.RepeatedScalarFieldContainer[_session_pb2.SessionStatus]
    agent: str
    labels: _containers.ScalarMap[str, str]
    title: str
    include_archived: bool
    def __init__(self, status: _Optional[_Iterable[_Union[_session_pb2.SessionStatus, str]]] = ..., agent: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., title: _Optional[str] = ..., include_archived: _Optional[bool] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("data", "first_id", "last_id", "has_more")
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedCompositeFieldContainer[_session_pb2.Session]
    first_id: str
    last_id: str
    has_more: bool
    def __init__(self, data: _Optional[_Iterable[_Union[_session_pb2.Session, _Mapping]]] = ..., first_id: _Optional[str] = ..., last_id: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class UpdateSessionRequest(_message.Message):
    __slots__ = ("session", "update_mask", "request_id")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    update_mask: _field_mask_pb2.FieldMask
    request_id: str
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ArchiveSessionRequest(_message.Message):
    __slots__ = ("session_id", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteSessionRequest(_message.Message):
    __slots__ = ("session_id", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class SendMessageRequest(_message.Message):
    __slots__ = ("session_id", "message", "when_busy", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    WHEN_BUSY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    message: NewMessage
    when_busy: WhenBusy
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., message: _Optional[_Union[NewMessage, _Mapping]] = ..., when_busy: _Optional[_Union[WhenBusy, str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class SendMessageResponse(_message.Message):
    __slots__ = ("outcome", "queued", "item_id", "turn_id", "interrupt")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_FIELD_NUMBER: _ClassVar[int]
    outcome: SendOutcome
    queued: bool
    item_id: str
    turn_id: str
    interrupt: _interrupt_pb2.Interrupt
    def __init__(self, outcome: _Optional[_Union[SendOutcome, str]] = ..., queued: _Optional[bool] = ..., item_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., interrupt: _Optional[_Union[_interrupt_pb2.Interrupt, _Mapping]] = ...) -> None: ...

class SubmitEventRequest(_message.Message):
    __slots__ = ("session_id", "type", "data", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    type: str
    data: EventData
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., type: _Optional[str] = ..., data: _Optional[_Union[EventData, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class EventData(_message.Message):
    __slots__ = ("role", "content", "when_busy", "turn_id", "reason")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    WHEN_BUSY_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    role: _item_pb2.ItemRole
    content: _containers.RepeatedCompositeFieldContainer[_item_pb2.ContentBlock]
    when_busy: WhenBusy
    turn_id: str
    reason: str
    def __init__(self, role: _Optional[_Union[_item_pb2.ItemRole, str]] = ..., content: _Optional[_Iterable[_Union[_item_pb2.ContentBlock, _Mapping]]] = ..., when_busy: _Optional[_Union[WhenBusy, str]] = ..., turn_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class SubmitEventResponse(_message.Message):
    __slots__ = ("queued", "item_id", "turn_id", "interrupt")
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_FIELD_NUMBER: _ClassVar[int]
    queued: bool
    item_id: str
    turn_id: str
    interrupt: _interrupt_pb2.Interrupt
    def __init__(self, queued: _Optional[bool] = ..., item_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., interrupt: _Optional[_Union[_interrupt_pb2.Interrupt, _Mapping]] = ...) -> None: ...

class ListItemsRequest(_message.Message):
    __slots__ = ("session_id", "order", "limit", "after", "before", "include_withdrawn")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    order: Order
    limit: int
    after: str
    before: str
    include_withdrawn: bool
    def __init__(self, session_id: _Optional[str] = ..., order: _Optional[_Union[Order, str]] = ..., limit: _Optional[int] = ..., after: _Optional[str] = ..., before: _Optional[str] = ..., include_withdrawn: _Optional[bool] = ...) -> None: ...

class ListItemsResponse(_message.Message):
    __slots__ = ("data", "first_id", "last_id", "has_more")
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedCompositeFieldContainer[_item_pb2.Item]
    first_id: str
    last_id: str
    has_more: bool
    def __init__(self, data: _Optional[_Iterable[_Union[_item_pb2.Item, _Mapping]]] = ..., first_id: _Optional[str] = ..., last_id: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class GetTurnRequest(_message.Message):
    __slots__ = ("session_id", "turn_id", "wait", "wait_timeout")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    WAIT_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    turn_id: str
    wait: bool
    wait_timeout: _duration_pb2.Duration
    def __init__(self, session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., wait: _Optional[bool] = ..., wait_timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ListTurnsRequest(_message.Message):
    __slots__ = ("session_id", "limit", "after")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    limit: int
    after: str
    def __init__(self, session_id: _Optional[str] = ..., limit: _Optional[int] = ..., after: _Optional[str] = ...) -> None: ...

class ListTurnsResponse(_message.Message):
    __slots__ = ("data", "first_id", "last_id", "has_more")
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Turn]
    first_id: str
    last_id: str
    has_more: bool
    def __init__(self, data: _Optional[_Iterable[_Union[_turn_pb2.Turn, _Mapping]]] = ..., first_id: _Optional[str] = ..., last_id: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class WatchSessionRequest(_message.Message):
    __slots__ = ("session_id", "after_sequence", "include_deltas")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_DELTAS_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    after_sequence: int
    include_deltas: bool
    def __init__(self, session_id: _Optional[str] = ..., after_sequence: _Optional[int] = ..., include_deltas: _Optional[bool] = ...) -> None: ...

class WatchSessionResponse(_message.Message):
    __slots__ = ("snapshot", "events", "delta", "progress", "gap", "lagging")
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    GAP_FIELD_NUMBER: _ClassVar[int]
    LAGGING_FIELD_NUMBER: _ClassVar[int]
    snapshot: SessionSnapshot
    events: EventBatch
    delta: TextDelta
    progress: WatchProgress
    gap: WatchGap
    lagging: WatchLagging
    def __init__(self, snapshot: _Optional[_Union[SessionSnapshot, _Mapping]] = ..., events: _Optional[_Union[EventBatch, _Mapping]] = ..., delta: _Optional[_Union[TextDelta, _Mapping]] = ..., progress: _Optional[_Union[WatchProgress, _Mapping]] = ..., gap: _Optional[_Union[WatchGap, _Mapping]] = ..., lagging: _Optional[_Union[WatchLagging, _Mapping]] = ...) -> None: ...

class SessionSnapshot(_message.Message):
    __slots__ = ("session", "head_sequence", "in_flight")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    head_sequence: int
    in_flight: TextInFlight
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., head_sequence: _Optional[int] = ..., in_flight: _Optional[_Union[TextInFlight, _Mapping]] = ...) -> None: ...

class TextInFlight(_message.Message):
    __slots__ = ("turn_id", "attempt", "round", "text", "length")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    attempt: int
    round: int
    text: str
    length: int
    def __init__(self, turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., round: _Optional[int] = ..., text: _Optional[str] = ..., length: _Optional[int] = ..., **kwargs) -> None: ...

class TextDelta(_message.Message):
    __slots__ = ("turn_id", "attempt", "round", "offset", "text")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    attempt: int
    round: int
    offset: int
    text: str
    def __init__(self, turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., round: _Optional[int] = ..., offset: _Optional[int] = ..., text: _Optional[str] = ..., **kwargs) -> None: ...

class EventBatch(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.Event]
    def __init__(self, events: _Optional[_Iterable[_Union[_event_pb2.Event, _Mapping]]] = ...) -> None: ...

class WatchProgress(_message.Message):
    __slots__ = ("head_sequence",)
    HEAD_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    head_sequence: int
    def __init__(self, head_sequence: _Optional[int] = ...) -> None: ...

class WatchGap(_message.Message):
    __slots__ = ("first_available",)
    FIRST_AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    first_available: int
    def __init__(self, first_available: _Optional[int] = ...) -> None: ...

class WatchLagging(_message.Message):
    __slots__ = ("sequence",)
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ...) -> None: ...

class WatchSessionsRequest(_message.Message):
    __slots__ = ("limit", "filter")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    limit: int
    filter: SessionFilter
    def __init__(self, limit: _Optional[int] = ..., filter: _Optional[_Union[SessionFilter, _Mapping]] = ...) -> None: ...

class WatchSessionsResponse(_message.Message):
    __slots__ = ("snapshot", "session", "removed", "progress")
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    snapshot: ListSessionsResponse
    session: _session_pb2.Session
    removed: str
    progress: WatchProgress
    def __init__(self, snapshot: _Optional[_Union[ListSessionsResponse, _Mapping]] = ..., session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., removed: _Optional[str] = ..., progress: _Optional[_Union[WatchProgress, _Mapping]] = ...) -> None: ...
