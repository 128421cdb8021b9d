"""Every pair of twin enums."""

from typing import Final

from steersman.v1 import (
    agent_pb2,
    event_pb2,
    fleet_pb2,
    interrupt_pb2,
    item_pb2,
    options_pb2,
    session_pb2,
    session_service_pb2,
    turn_pb2,
)
from steersman_server.core.agent import ApprovalPolicy, RunnerLossPolicy
from steersman_server.core.events import EventKind
from steersman_server.core.interrupt import InterruptMode, InterruptState
from steersman_server.core.items import ItemRole, ItemStatus, ItemType
from steersman_server.core.lease import LeaseState
from steersman_server.core.session import SessionStatus
from steersman_server.core.turn import TurnState
from steersman_server.core.values import FailureKind, Role
from steersman_server.usecases.send_message import SendOutcome, WhenBusy
from steersman_server.wire.enums import EnumPair

ROLE: Final = EnumPair(Role, options_pb2.Role, "ROLE_")
APPROVALS: Final = EnumPair(ApprovalPolicy, agent_pb2.ApprovalPolicy, "APPROVAL_POLICY_")
RUNNER_LOSS: Final = EnumPair(RunnerLossPolicy, agent_pb2.RunnerLossPolicy, "RUNNER_LOSS_POLICY_")
ITEM_TYPE: Final = EnumPair(ItemType, item_pb2.ItemType, "ITEM_TYPE_")
ITEM_ROLE: Final = EnumPair(ItemRole, item_pb2.ItemRole, "ITEM_ROLE_")
ITEM_STATUS: Final = EnumPair(ItemStatus, item_pb2.ItemStatus, "ITEM_STATUS_")
TURN_STATE: Final = EnumPair(TurnState, turn_pb2.TurnState, "TURN_STATE_")
FAILURE_KIND: Final = EnumPair(FailureKind, turn_pb2.FailureKind, "FAILURE_KIND_")
INTERRUPT_STATE: Final = EnumPair(InterruptState, interrupt_pb2.InterruptState, "INTERRUPT_STATE_")
INTERRUPT_MODE: Final = EnumPair(InterruptMode, interrupt_pb2.InterruptMode, "INTERRUPT_MODE_")
SESSION_STATUS: Final = EnumPair(SessionStatus, session_pb2.SessionStatus, "SESSION_STATUS_")
EVENT_KIND: Final = EnumPair(EventKind, event_pb2.EventKind, "EVENT_KIND_")
WHEN_BUSY: Final = EnumPair(WhenBusy, session_service_pb2.WhenBusy, "WHEN_BUSY_")
SEND_OUTCOME: Final = EnumPair(SendOutcome, session_service_pb2.SendOutcome, "SEND_OUTCOME_")
RUNNER_STATE: Final = EnumPair(LeaseState, fleet_pb2.RunnerState, "RUNNER_STATE_")

ALL: Final = tuple(value for value in globals().values() if isinstance(value, EnumPair))
