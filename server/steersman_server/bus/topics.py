"""Which topic a notice rings on."""

from collections.abc import Iterator, Sequence

from steersman_server.bus.local import LocalBus
from steersman_server.core.notices import (
    EpochOver,
    InterruptOpen,
    Notice,
    RunnerWelcomed,
    SessionAdvanced,
    SessionDeleted,
    StartWanted,
    StopWanted,
    TurnReady,
    TurnReleased,
    TurnUnready,
)
from steersman_server.core.values import RunnerId, SessionId, Tenant

READY = "turns.ready"
INTERRUPTS = "interrupts.open"
RELEASED = "turns.released"
DRAINING = "server.draining"


def session(session_id: SessionId) -> str:
    """Events of one session, and its live text."""
    return f"session.{session_id}"


def tenant(name: Tenant) -> str:
    """Changes of any session of a tenant."""
    return f"tenant.{name}"


def runner(of: Tenant, runner_id: RunnerId) -> str:
    """Commands for one runner, and what becomes of its turns."""
    return f"runner.{of}.{runner_id}"


def topics_of(notice: Notice) -> Iterator[str]:
    match notice:
        case SessionAdvanced(of, _):
            yield session(of.id)
            yield tenant(of.tenant)
        case SessionDeleted(of_tenant, session_id):
            yield session(session_id)
            yield tenant(of_tenant)
        case TurnReady():
            yield READY
        case StartWanted(assignment):
            turn = assignment.turn
            assert turn.runner_id is not None  # noqa: S101  (it was assigned)
            yield runner(turn.tenant, turn.runner_id)
        case StopWanted() | EpochOver():
            yield runner(notice.tenant, notice.runner_id)
        case TurnReleased():
            yield runner(notice.tenant, notice.runner_id)
            yield RELEASED
        case RunnerWelcomed(of_runner, _):
            yield runner(of_runner.tenant, of_runner.id)
        case TurnUnready():
            yield READY
        case InterruptOpen():
            yield INTERRUPTS


def publish(bus: LocalBus, notices: Sequence[Notice]) -> None:
    """Ring for every notice, in order."""
    for notice in notices:
        for topic in topics_of(notice):
            bus.publish(topic, notice)
