"""One runner's stream as the server sees it: what it holds, and what is to be sent."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

import structlog

from steersman.v1.runner_pb2 import Ack, Ping, ServerMessage, StopTurn
from steersman_server.core.notices import EpochOver, StartWanted, StopWanted, TurnReleased
from steersman_server.core.reconciliation import Reconciled
from steersman_server.core.refusals import Refusal
from steersman_server.core.runner import Runner
from steersman_server.core.turn import Turn
from steersman_server.core.values import Epoch, SessionId, TurnId
from steersman_server.hub.leases import RunnerKey
from steersman_server.wire import frames, pairs

OUTBOUND: Final = 4096
"""Frames that may wait for a runner that reads slowly."""

log = structlog.get_logger()


class SlowRunner(Refusal):
    """The runner does not read; it may reconnect and be told everything anew."""

    reason = "rate_limited"

    def __init__(self, runner_id: str) -> None:
        super().__init__(
            f"runner {runner_id} let {OUTBOUND} frames wait", runner_id=runner_id, limit=OUTBOUND
        )


class Superseded(Refusal):
    """A newer stream or process of the same name has taken over."""

    reason = "lease_lost"

    def __init__(self, runner_id: str, generation: int) -> None:
        super().__init__(
            f"runner {runner_id} is connected anew",
            runner_id=runner_id,
            generation=generation,
        )


class SilentRunner(Refusal):
    """The runner was not heard for a whole lease; its turns are not its own any more."""

    reason = "lease_lost"

    def __init__(self, runner_id: str) -> None:
        super().__init__(f"runner {runner_id} was not heard for a lease", runner_id=runner_id)


@dataclass(frozen=True, slots=True)
class Held:
    """A turn that this runner holds."""

    session_id: SessionId
    epoch: Epoch
    attempt: int


@dataclass(slots=True)
class Link:
    """The runner behind a stream. Its methods never block; a full queue closes the link."""

    runner: Runner
    turns: dict[TurnId, Held] = field(default_factory=dict)
    reserved: set[TurnId] = field(default_factory=set)
    closed: Refusal | None = None
    said_goodbye: bool = False
    welcomed: bool = False
    resting: bool = False
    _outbound: asyncio.Queue[ServerMessage | None] = field(default_factory=lambda: asyncio.Queue())

    @property
    def key(self) -> RunnerKey:
        return RunnerKey(self.runner.tenant, self.runner.id)

    @property
    def used(self) -> int:
        return len(self.turns.keys() | self.reserved)

    def hold(self, turn: Turn) -> None:
        self.reserved.discard(turn.id)
        self.turns[turn.id] = Held(turn.session_id, turn.epoch, turn.attempt)

    def holds(self, turn_id: TurnId, epoch: int) -> Held | None:
        held = self.turns.get(turn_id)
        return held if held is not None and held.epoch == epoch else None

    def welcome(self, agreed: Reconciled, message: ServerMessage) -> None:
        """Greet the runner, and send again what its last stream lost."""
        self.welcomed = True
        self.send(message)
        for turn in agreed.kept:
            self.hold(turn)
        for assignment in agreed.starts:
            self.notice(StartWanted(assignment))
        for turn, interrupt in agreed.stops:
            self.notice(
                StopWanted(
                    turn.tenant,
                    self.runner.id,
                    turn.id,
                    turn.epoch,
                    interrupt.id,
                    interrupt.mode,
                )
            )

    def notice(self, notice: StartWanted | StopWanted | EpochOver | TurnReleased) -> None:
        """Pass on a command that is committed, in the order of the commits.

        What was committed before the welcome is part of it.
        """
        if not self.welcomed:
            return
        match notice:
            case StartWanted(assignment):
                self.hold(assignment.turn)
                for message in frames.start_turn(assignment):
                    self.send(message)
            case StopWanted(_, _, turn_id, epoch, interrupt_id, mode):
                stop = StopTurn(
                    turn_id=turn_id,
                    epoch=epoch,
                    interrupt_id=interrupt_id,
                    mode=pairs.INTERRUPT_MODE.number(mode),
                )
                self.send(ServerMessage(stop_turn=stop))
            case EpochOver(_, _, turn_id, epoch):
                self.send(ServerMessage(stop_turn=StopTurn(turn_id=turn_id, epoch=epoch)))
            case TurnReleased(_, _, turn_id, epoch):
                if self.holds(turn_id, epoch):
                    del self.turns[turn_id]

    def acknowledge(self, turn_id: str, epoch: int, number: int, *, refused: bool = False) -> None:
        ack = Ack(turn_id=turn_id, epoch=epoch, number=number, refused=refused)
        self.send(ServerMessage(ack=ack))

    def answer_heartbeat(self, number: int) -> None:
        self.send(ServerMessage(ping=Ping(heartbeat=number)))

    def send(self, message: ServerMessage) -> None:
        if self.closed is not None:
            return
        if self._outbound.qsize() >= OUTBOUND:
            self.close(SlowRunner(self.runner.id))
            return
        self._outbound.put_nowait(message)

    def close(self, why: Refusal) -> None:
        """End the stream with this refusal, after what is queued."""
        if self.closed is None:
            self.closed = why
            self._outbound.put_nowait(None)

    def finish(self) -> None:
        """The runner said goodbye: end the stream, and with it the lease."""
        self.said_goodbye = True
        self.lose()

    def lose(self) -> None:
        """The runner's side of the stream has ended; ours follows."""
        self._outbound.put_nowait(None)

    async def messages(self) -> AsyncIterator[ServerMessage]:
        """What to send, until the link is closed. Raises what it was closed with."""
        while (message := await self._outbound.get()) is not None:
            yield message
        if self.closed is not None:
            raise self.closed
