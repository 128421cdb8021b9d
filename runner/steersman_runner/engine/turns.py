"""The turns in hand and the server's commands about them. How one turn works is in turn.py."""

import asyncio
from collections.abc import Iterable, Sequence

import structlog

from steersman.v1.runner_pb2 import (
    Ack,
    HeldTurn,
    Receipt,
    Rejected,
    RunnerMessage,
    StartTurn,
    StopTurn,
    Verdict,
)
from steersman_runner.engine.chunks import StartChunks, work_of
from steersman_runner.engine.frames import TurnFrames
from steersman_runner.engine.reconcile import reconcile
from steersman_runner.engine.turn import Turn
from steersman_runner.harness.base import Harness
from steersman_runner.outbox import Outbox
from steersman_runner.settings import RunnerSettings

log = structlog.get_logger()


class Turns:
    """Holds a turn from its start until its end is committed, over any number of streams.

    A slot is taken while work runs, and by dropped work until it has really ended.
    """

    def __init__(
        self, harnesses: Sequence[Harness], slots: int, outbox: Outbox, settings: RunnerSettings
    ) -> None:
        self._harnesses = {harness.name: harness for harness in harnesses}
        self._slots = slots
        self._outbox = outbox
        self._settings = settings
        self._chunks = StartChunks()
        self._held: dict[str, Turn] = {}
        self._dropped: set[Turn] = set()
        self._draining = False
        self.parting = "drained"  # what goodbye will say
        self._left = asyncio.Event()

    @property
    def left(self) -> bool:
        """Whether the runner is draining and has nothing in hand any more."""
        return self._left.is_set()

    async def wait_until_left(self) -> None:
        """Returns once `left` holds."""
        await self._left.wait()

    def start(self, chunk: StartTurn) -> None:
        """Starts the turn once it is whole, or tells why it is not taken."""
        start = self._chunks.add(chunk)
        if start is None:
            return
        held = self._held.get(start.turn_id)
        if held is not None and held.epoch >= start.epoch:
            return
        if held is not None:
            self._drop(held)
        harness = self._harnesses.get(start.agent.harness)
        if harness is None:
            self._reject(start, f"no harness {start.agent.harness!r} here")
        elif (refusal := self._no_room()) is not None:
            self._reject(start, refusal)
        else:
            self._take(start, harness)

    def stop(self, stop: StopTurn) -> None:
        """Stops a turn for an Interrupt, or drops it where no Interrupt is named."""
        turn = self._held.get(stop.turn_id)
        if turn is None or turn.epoch > stop.epoch:
            return
        if not stop.interrupt_id:
            self._drop(turn)
        elif turn.epoch == stop.epoch:
            receipt = Receipt(
                turn_id=stop.turn_id, epoch=stop.epoch, interrupt_id=stop.interrupt_id
            )
            self._outbox.send(RunnerMessage(receipt=receipt))
            turn.stop(stop.mode)

    def acknowledge(self, ack: Ack) -> None:
        """Frames of a turn are committed, or refused for good."""
        turn = self._held.get(ack.turn_id)
        if turn is None or turn.epoch != ack.epoch:
            return
        if ack.refused:
            self._drop(turn)
        else:
            turn.acknowledge(ack.number)

    def held(self) -> Sequence[HeldTurn]:
        """What hello tells: turns that run, and those whose end is not committed."""
        return [turn.held() for turn in self._held.values()]

    def resume(self, verdicts: Iterable[Verdict]) -> Sequence[TurnFrames]:
        """Does what a welcome says; the frames of the turns that go on."""
        epochs = {turn_id: turn.epoch for turn_id, turn in self._held.items()}
        keep, drop = reconcile(epochs, verdicts)
        for turn_id in drop:
            self._drop(self._held[turn_id])
        for turn_id, acknowledged in keep.items():
            self._held[turn_id].resume(acknowledged)
        return [turn.frames for turn in self._held.values()]

    def cut(self) -> None:
        """The stream is gone."""
        self._chunks.clear()

    def drain(self) -> None:
        """Takes no more turns; those in hand finish."""
        self._draining = True
        self._look_whether_left()

    def isolate(self) -> None:
        """Ends all work so that other runners can go on with it."""
        log.warning("turns_isolated", turns=len(self._held))
        for turn in self._held.values():
            turn.abandon()

    def abort(self) -> None:
        """Takes no more turns and ends those in hand, for other runners to go on with.

        Waits for their ends and the server's acknowledgements, but not over the grace.
        """
        self.parting = "aborted"
        self.drain()
        for turn in self._held.values():
            turn.abandon()
        asyncio.get_running_loop().call_later(self._settings.abort_grace, self._left.set)

    async def close(self) -> None:
        """Ends all work unheard, as no server is left to tell; waits for it up to the grace."""
        for turn in list(self._held.values()):
            self._drop(turn)
        if self._dropped:
            work = [asyncio.ensure_future(turn.work_ended()) for turn in self._dropped]
            _, unending = await asyncio.wait(work, timeout=self._settings.abort_grace)
            if unending:
                log.error("harness_ignores_cancellation", turns=len(unending))

    def _no_room(self) -> str | None:
        running = sum(not turn.ended for turn in self._held.values())
        if self._draining:
            return "draining"
        return "no free slot" if running + len(self._dropped) >= self._slots else None

    def _take(self, start: StartTurn, harness: Harness) -> None:
        turn = Turn(work_of(start), start.epoch, self._outbox, self._settings, self._changed)
        self._held[start.turn_id] = turn
        log.debug("turn_started", turn_id=start.turn_id, epoch=start.epoch)
        turn.start(harness)

    def _reject(self, start: StartTurn, message: str) -> None:
        log.info("turn_rejected", turn_id=start.turn_id, epoch=start.epoch, message=message)
        rejected = Rejected(turn_id=start.turn_id, epoch=start.epoch, message=message)
        self._outbox.send(RunnerMessage(rejected=rejected))

    def _drop(self, turn: Turn) -> None:
        log.info("turn_dropped", turn_id=turn.work.turn_id, epoch=turn.epoch)
        del self._held[turn.work.turn_id]
        if not turn.ended:
            self._dropped.add(turn)
        turn.drop()
        self._look_whether_left()

    def _changed(self, turn: Turn) -> None:
        self._dropped.discard(turn)
        if turn.settled and self._held.get(turn.work.turn_id) is turn:
            del self._held[turn.work.turn_id]
            log.debug("turn_settled", turn_id=turn.work.turn_id, epoch=turn.epoch)
        self._look_whether_left()

    def _look_whether_left(self) -> None:
        if self._draining and not self._held and not self._dropped:
            self._left.set()
