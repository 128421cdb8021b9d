"""Requests → commands. A field that cannot be is refused here with its name."""

from google.protobuf.duration_pb2 import Duration

from steersman.v1 import agent_pb2, interrupt_pb2
from steersman.v1 import session_service_pb2 as service
from steersman_server.core.interrupt import InterruptMode, InterruptState
from steersman_server.core.items import ContentBlock, ItemRole
from steersman_server.core.labels import check_labels, check_title
from steersman_server.core.refusals import BadRequest
from steersman_server.core.values import Caller
from steersman_server.store.sessions import SessionFilter
from steersman_server.usecases.begin_turn import Message
from steersman_server.usecases.create_session import CreateSession
from steersman_server.usecases.interrupt_turn import InterruptTurn, Wish
from steersman_server.usecases.manage_agents import CreateAgent, UpdateAgent
from steersman_server.usecases.manage_sessions import UpdateSession
from steersman_server.usecases.send_message import SendMessage, WhenBusy
from steersman_server.wire import agents, pairs

INPUT_TYPES = ("input_text", "output_text")
REASON_LIMIT = 1000
UPDATABLE = ("title", "labels")


def page_size(limit: int | None) -> int:
    """Raises BadRequest outside 1 to 1,000; None means 100."""
    if limit is None:
        return 100
    if not 1 <= limit <= 1000:
        raise BadRequest("limit", "must be 1 to 1000")
    return limit


def seconds(field: str, value: Duration | None, default: float, most: float) -> float:
    """Raises BadRequest for a negative duration or one over `most` seconds."""
    if value is None:
        return default
    given: float = value.ToMicroseconds() / 1e6
    if not 0 <= given <= most:
        raise BadRequest(field, f"must be 0 to {most:g} s")
    return given


def message(given: service.NewMessage) -> Message:
    if given.text and given.content:
        raise BadRequest("message", "takes text or content, not both")
    blocks = [ContentBlock("input_text", given.text)] if given.text else []
    for block in given.content:
        if block.type not in INPUT_TYPES:
            raise BadRequest("message.content.type", f"takes one of: {', '.join(INPUT_TYPES)}")
        blocks.append(ContentBlock(block.type, block.text))
    return Message(
        role=pairs.ITEM_ROLE.member_or("message.role", given.role, ItemRole.USER),
        content=tuple(blocks),
    )


def create_agent(caller: Caller, request: agent_pb2.CreateAgentRequest) -> CreateAgent:
    return CreateAgent(caller, request.agent.name, agents.spec(request.agent))


def update_agent(caller: Caller, request: agent_pb2.UpdateAgentRequest) -> UpdateAgent:
    return UpdateAgent(
        caller=caller,
        name=request.agent.name,
        etag=request.agent.etag,
        change=agents.change(request.agent, request.update_mask.paths),
    )


def create_session(caller: Caller, request: service.CreateSessionRequest) -> CreateSession:
    return CreateSession(
        caller=caller,
        agent=request.agent,
        title=request.title,
        labels=dict(request.labels),
        runner_id=request.runner_id if request.HasField("runner_id") else None,
        selector=dict(request.selector),
        message=message(request.message) if request.HasField("message") else None,
    )


def update_session(caller: Caller, request: service.UpdateSessionRequest) -> UpdateSession:
    given = request.session
    paths = list(request.update_mask.paths)
    for path in paths:
        if path not in UPDATABLE:
            raise BadRequest("update_mask", f"{path} is not one of: {', '.join(UPDATABLE)}")
    chosen = paths or [f.name for f, _ in given.ListFields()]
    return UpdateSession(
        caller=caller,
        session_id=given.id,
        etag=given.etag,
        title=given.title if "title" in chosen else None,
        labels=dict(given.labels) if "labels" in chosen else None,
    )


def send_message(caller: Caller, request: service.SendMessageRequest) -> SendMessage:
    return SendMessage(
        caller=caller,
        session_id=request.session_id,
        message=message(request.message),
        when_busy=pairs.WHEN_BUSY.member_or("when_busy", request.when_busy, WhenBusy.ENQUEUE),
    )


def submitted_message(caller: Caller, request: service.SubmitEventRequest) -> SendMessage:
    data = request.data
    return SendMessage(
        caller=caller,
        session_id=request.session_id,
        message=message(service.NewMessage(content=data.content, role=data.role)),
        when_busy=pairs.WHEN_BUSY.member_or("data.when_busy", data.when_busy, WhenBusy.ENQUEUE),
    )


def submitted_interrupt(caller: Caller, request: service.SubmitEventRequest) -> InterruptTurn:
    return InterruptTurn(
        caller=caller,
        session_id=request.session_id,
        wish=Wish(reason=_reason("data.reason", request.data.reason)),
        turn_id=request.data.turn_id,
    )


def interrupt(caller: Caller, request: interrupt_pb2.InterruptRequest) -> InterruptTurn:
    return InterruptTurn(
        caller=caller,
        session_id=request.session_id,
        wish=Wish(
            mode=pairs.INTERRUPT_MODE.member_or("mode", request.mode, InterruptMode.KEEP),
            keep_queued=_queued(request.queued),
            reason=_reason("reason", request.reason),
        ),
        turn_id=request.turn_id,
        attempt=request.attempt if request.HasField("attempt") else None,
    )


def _queued(value: int) -> bool:
    if value not in interrupt_pb2.QueuedInputs.values():
        raise BadRequest("queued", "takes one of: drop, keep")
    return value == interrupt_pb2.QUEUED_INPUTS_KEEP


def _reason(field: str, text: str) -> str:
    if len(text) > REASON_LIMIT:
        raise BadRequest(field, f"has {len(text)} characters, the limit is {REASON_LIMIT}")
    return text


_WAITS = {
    interrupt_pb2.INTERRUPT_WAIT_UNSPECIFIED: None,
    interrupt_pb2.INTERRUPT_WAIT_NONE: None,
    interrupt_pb2.INTERRUPT_WAIT_DELIVERED: InterruptState.DELIVERED,
    interrupt_pb2.INTERRUPT_WAIT_SETTLED: InterruptState.CONFIRMED,
}


def interrupt_wait(request: interrupt_pb2.InterruptRequest) -> InterruptState | None:
    """What the call waits for: at least delivered, settled, or nothing."""
    if request.wait not in _WAITS:
        raise BadRequest("wait", "takes one of: none, delivered, settled")
    return _WAITS[request.wait]


def session_filter(given: service.SessionFilter) -> SessionFilter:
    """Raises BadRequest for what no session can have: the database would choke on it."""
    check_title(given.title, "filter.title")
    check_labels("filter.labels", given.labels)
    return SessionFilter(
        statuses=[pairs.SESSION_STATUS.member("filter.status", s) for s in set(given.status)],
        agent=given.agent,
        labels=dict(given.labels),
        title=given.title,
        include_archived=given.include_archived,
    )


def descending(order: int) -> bool:
    if order not in service.Order.values():
        raise BadRequest("order", "takes one of: asc, desc")
    return order == service.ORDER_DESC
