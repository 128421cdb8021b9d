import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from steersman.v1 import agent_pb2 as _agent_pb2
from steersman.v1 import interrupt_pb2 as _interrupt_pb2
from steersman.v1 import item_pb2 as _item_pb2
from steersman.v1 import options_pb2 as _options_pb2
from steersman.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TurnOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_OUTCOME_UNSPECIFIED: _ClassVar[TurnOutcome]
    TURN_OUTCOME_COMPLETED: _ClassVar[TurnOutcome]
    TURN_OUTCOME_FAILED: _ClassVar[TurnOutcome]
    TURN_OUTCOME_STOPPED: _ClassVar[TurnOutcome]
    TURN_OUTCOME_ABANDONED: _ClassVar[TurnOutcome]
TURN_OUTCOME_UNSPECIFIED: TurnOutcome
TURN_OUTCOME_COMPLETED: TurnOutcome
TURN_OUTCOME_FAILED: TurnOutcome
TURN_OUTCOME_STOPPED: TurnOutcome
TURN_OUTCOME_ABANDONED: TurnOutcome

class RunnerMessage(_message.Message):
    __slots__ = ("hello", "accepted", "rejected", "progress", "delta", "turn_ended", "receipt", "heartbeat", "goodbye")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    TURN_ENDED_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    accepted: Accepted
    rejected: Rejected
    progress: Progress
    delta: Delta
    turn_ended: TurnEnded
    receipt: Receipt
    heartbeat: Heartbeat
    goodbye: Goodbye
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., accepted: _Optional[_Union[Accepted, _Mapping]] = ..., rejected: _Optional[_Union[Rejected, _Mapping]] = ..., progress: _Optional[_Union[Progress, _Mapping]] = ..., delta: _Optional[_Union[Delta, _Mapping]] = ..., turn_ended: _Optional[_Union[TurnEnded, _Mapping]] = ..., receipt: _Optional[_Union[Receipt, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class ServerMessage(_message.Message):
    __slots__ = ("welcome", "start_turn", "stop_turn", "ack", "steer", "drain", "ping")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    START_TURN_FIELD_NUMBER: _ClassVar[int]
    STOP_TURN_FIELD_NUMBER: _ClassVar[int]
    ACK_FIELD_NUMBER: _ClassVar[int]
    STEER_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    start_turn: StartTurn
    stop_turn: StopTurn
    ack: Ack
    steer: Steer
    drain: Drain
    ping: Ping
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., start_turn: _Optional[_Union[StartTurn, _Mapping]] = ..., stop_turn: _Optional[_Union[StopTurn, _Mapping]] = ..., ack: _Optional[_Union[Ack, _Mapping]] = ..., steer: _Optional[_Union[Steer, _Mapping]] = ..., drain: _Optional[_Union[Drain, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("runner_id", "generation", "labels", "slots", "harnesses", "tools", "protocol_min", "protocol_max", "version", "working_on")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RUNNER_ID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    HARNESSES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MIN_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAX_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    WORKING_ON_FIELD_NUMBER: _ClassVar[int]
    runner_id: str
    generation: int
    labels: _containers.ScalarMap[str, str]
    slots: int
    harnesses: _containers.RepeatedScalarFieldContainer[str]
    tools: _containers.RepeatedScalarFieldContainer[str]
    protocol_min: int
    protocol_max: int
    version: str
    working_on: _containers.RepeatedCompositeFieldContainer[HeldTurn]
    def __init__(self, runner_id: _Optional[str] = ..., generation: _Optional[int] = ..., labels: _Optional[_Mapping[str, str]] = ..., slots: _Optional[int] = ..., harnesses: _Optional[_Iterable[str]] = ..., tools: _Optional[_Iterable[str]] = ..., protocol_min: _Optional[int] = ..., protocol_max: _Optional[int] = ..., version: _Optional[str] = ..., working_on: _Optional[_Iterable[_Union[HeldTurn, _Mapping]]] = ...) -> None: ...

class HeldTurn(_message.Message):
    __slots__ = ("turn_id", "epoch", "acknowledged", "round", "text")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    acknowledged: int
    round: int
    text: str
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., acknowledged: _Optional[int] = ..., round: _Optional[int] = ..., text: _Optional[str] = ..., **kwargs) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol", "version", "heartbeat_interval", "lease", "isolation_limit", "max_message_bytes", "max_output_bytes", "verdicts")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    ISOLATION_LIMIT_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_OUTPUT_BYTES_FIELD_NUMBER: _ClassVar[int]
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    version: str
    heartbeat_interval: _duration_pb2.Duration
    lease: _duration_pb2.Duration
    isolation_limit: _duration_pb2.Duration
    max_message_bytes: int
    max_output_bytes: int
    verdicts: _containers.RepeatedCompositeFieldContainer[Verdict]
    def __init__(self, protocol: _Optional[int] = ..., version: _Optional[str] = ..., heartbeat_interval: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., lease: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., isolation_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_message_bytes: _Optional[int] = ..., max_output_bytes: _Optional[int] = ..., verdicts: _Optional[_Iterable[_Union[Verdict, _Mapping]]] = ...) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("turn_id", "epoch", "keep", "acknowledged")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    KEEP_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    keep: bool
    acknowledged: int
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., keep: _Optional[bool] = ..., acknowledged: _Optional[int] = ...) -> None: ...

class StartTurn(_message.Message):
    __slots__ = ("turn_id", "session_id", "epoch", "attempt", "round", "agent", "history", "started_call_ids", "more")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    STARTED_CALL_IDS_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    session_id: str
    epoch: int
    attempt: int
    round: int
    agent: _agent_pb2.Agent
    history: _containers.RepeatedCompositeFieldContainer[_item_pb2.Item]
    started_call_ids: _containers.RepeatedScalarFieldContainer[str]
    more: bool
    def __init__(self, turn_id: _Optional[str] = ..., session_id: _Optional[str] = ..., epoch: _Optional[int] = ..., attempt: _Optional[int] = ..., round: _Optional[int] = ..., agent: _Optional[_Union[_agent_pb2.Agent, _Mapping]] = ..., history: _Optional[_Iterable[_Union[_item_pb2.Item, _Mapping]]] = ..., started_call_ids: _Optional[_Iterable[str]] = ..., more: _Optional[bool] = ..., **kwargs) -> None: ...

class Accepted(_message.Message):
    __slots__ = ("turn_id", "epoch", "number")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    number: int
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., number: _Optional[int] = ...) -> None: ...

class Rejected(_message.Message):
    __slots__ = ("turn_id", "epoch", "message")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    message: str
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class Progress(_message.Message):
    __slots__ = ("turn_id", "epoch", "number", "round", "output", "call_started")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    CALL_STARTED_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    number: int
    round: RoundCommitted
    output: _item_pb2.Item
    call_started: str
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., number: _Optional[int] = ..., round: _Optional[_Union[RoundCommitted, _Mapping]] = ..., output: _Optional[_Union[_item_pb2.Item, _Mapping]] = ..., call_started: _Optional[str] = ...) -> None: ...

class RoundCommitted(_message.Message):
    __slots__ = ("round", "items", "usage")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    round: int
    items: _containers.RepeatedCompositeFieldContainer[_item_pb2.Item]
    usage: _item_pb2.Usage
    def __init__(self, round: _Optional[int] = ..., items: _Optional[_Iterable[_Union[_item_pb2.Item, _Mapping]]] = ..., usage: _Optional[_Union[_item_pb2.Usage, _Mapping]] = ...) -> None: ...

class Delta(_message.Message):
    __slots__ = ("turn_id", "epoch", "round", "offset", "text")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    round: int
    offset: int
    text: str
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., round: _Optional[int] = ..., offset: _Optional[int] = ..., text: _Optional[str] = ..., **kwargs) -> None: ...

class TurnEnded(_message.Message):
    __slots__ = ("turn_id", "epoch", "number", "outcome", "items", "error", "stop_reason", "usage", "round")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    STOP_REASON_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    number: int
    outcome: TurnOutcome
    items: _containers.RepeatedCompositeFieldContainer[_item_pb2.Item]
    error: _turn_pb2.Failure
    stop_reason: str
    usage: _item_pb2.Usage
    round: int
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., number: _Optional[int] = ..., outcome: _Optional[_Union[TurnOutcome, str]] = ..., items: _Optional[_Iterable[_Union[_item_pb2.Item, _Mapping]]] = ..., error: _Optional[_Union[_turn_pb2.Failure, _Mapping]] = ..., stop_reason: _Optional[str] = ..., usage: _Optional[_Union[_item_pb2.Usage, _Mapping]] = ..., round: _Optional[int] = ...) -> None: ...

class StopTurn(_message.Message):
    __slots__ = ("turn_id", "epoch", "interrupt_id", "mode")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_ID_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    interrupt_id: str
    mode: _interrupt_pb2.InterruptMode
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., interrupt_id: _Optional[str] = ..., mode: _Optional[_Union[_interrupt_pb2.InterruptMode, str]] = ...) -> None: ...

class Receipt(_message.Message):
    __slots__ = ("turn_id", "epoch", "interrupt_id", "steer_item_id")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_ID_FIELD_NUMBER: _ClassVar[int]
    STEER_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    interrupt_id: str
    steer_item_id: str
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., interrupt_id: _Optional[str] = ..., steer_item_id: _Optional[str] = ...) -> None: ...

class Steer(_message.Message):
    __slots__ = ("turn_id", "epoch", "item")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    item: _item_pb2.Item
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., item: _Optional[_Union[_item_pb2.Item, _Mapping]] = ...) -> None: ...

class Ack(_message.Message):
    __slots__ = ("turn_id", "epoch", "number", "refused")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    epoch: int
    number: int
    refused: bool
    def __init__(self, turn_id: _Optional[str] = ..., epoch: _Optional[int] = ..., number: _Optional[int] = ..., refused: _Optional[bool] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("heartbeat",)
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    heartbeat: int
    def __init__(self, heartbeat: _Optional[int] = ...) -> None: ...

class Drain(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("message",)
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: str
    def __init__(self, message: _Optional[str] = ...) -> None: ...
