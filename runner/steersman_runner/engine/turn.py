"""One turn in hand: its work, and how it ends. Which turns there are is kept in turns.py."""

import asyncio
from collections.abc import Callable
from enum import IntEnum

import structlog

from steersman.v1.interrupt_pb2 import INTERRUPT_MODE_KEEP, InterruptMode
from steersman.v1.runner_pb2 import Accepted, HeldTurn, TurnEnded
from steersman_runner.engine import reports
from steersman_runner.engine.desk import TurnDesk
from steersman_runner.engine.frames import TurnFrames
from steersman_runner.engine.text import RoundText
from steersman_runner.errors import FrameTooLarge, OutboxFull
from steersman_runner.harness.base import Answer, Harness, TurnFailed, Work
from steersman_runner.outbox import Outbox
from steersman_runner.settings import RunnerSettings

log = structlog.get_logger()


class Ending(IntEnum):
    """Why work was told to end; the higher one wins."""

    BY_ITSELF = 0
    ABANDONED = 1
    STOPPED = 2
    DROPPED = 3


class Turn:
    """A turn from its start until the server has committed its end.

    `on_change` is called when the work has ended and when its end is committed.
    """

    def __init__(
        self,
        work: Work,
        epoch: int,
        outbox: Outbox,
        settings: RunnerSettings,
        on_change: Callable[["Turn"], None],
    ) -> None:
        self.work = work
        self.epoch = epoch
        self.frames = TurnFrames(
            work.turn_id, epoch, work.try_number, RoundText(work.round + 1), settings.durable_limit
        )
        self.ended = False
        self._desk = TurnDesk(work, self.frames, outbox, settings.delta_window)
        self._outbox = outbox
        self._on_change = on_change
        self._ending = Ending.BY_ITSELF
        self._mode: InterruptMode = INTERRUPT_MODE_KEEP
        self._last = 0
        self._task: asyncio.Task[Answer] | None = None

    @property
    def settled(self) -> bool:
        """Whether the server has committed the end of the work."""
        return self.ended and self.frames.acknowledged >= self._last

    @property
    def dropped(self) -> bool:
        """Whether the epoch is over: the work ends unheard."""
        return self._ending is Ending.DROPPED

    def start(self, harness: Harness) -> None:
        """Accepts the turn and starts its work."""
        self.frames.add(Accepted())
        self._outbox.notify(self.frames)
        work = harness.run(self.work, self._desk)
        self._task = asyncio.create_task(work, name=f"turn {self.work.turn_id}")
        self._task.add_done_callback(self._work_ended)

    def held(self) -> HeldTurn:
        """The turn as hello tells it."""
        return self.frames.held()

    def resume(self, acknowledged: int) -> None:
        """A new stream is there, and the server wants to go on."""
        self.frames.resume(acknowledged)
        self.acknowledge(acknowledged)

    def acknowledge(self, number: int) -> None:
        """Everything up to this frame is committed."""
        self.frames.acknowledge(number)
        self._desk.acknowledge(number)
        if self.settled:
            self._on_change(self)

    def stop(self, mode: InterruptMode) -> None:
        """Ends the work for an Interrupt; a repeat changes nothing."""
        if self._ending < Ending.STOPPED:
            self._mode = mode
        self._end(Ending.STOPPED)

    def abandon(self) -> None:
        """Ends the work so that another runner goes on with it."""
        self._end(Ending.ABANDONED)

    def drop(self) -> None:
        """The epoch is over: ends the work and says nothing more about it."""
        self._outbox.forget(self.frames)
        self._desk.close()
        self._end(Ending.DROPPED)

    async def work_ended(self) -> None:
        """Returns once the work has really ended, however it did."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def _end(self, ending: Ending) -> None:
        # One cancellation only: a second one would break into the harness's own
        # clean-up, and a harness that ignored the first is stopped at its desk.
        if self._ending is Ending.BY_ITSELF and self._task is not None:
            self._task.cancel()
        self._ending = max(self._ending, ending)

    def _work_ended(self, task: asyncio.Task[Answer]) -> None:
        self.ended = True
        self._desk.close()
        if not self.dropped:
            self._last = self.frames.add(self._checked(self._report(task)))
            self._outbox.notify(self.frames)
        else:
            self._log_failure(task)
        self._on_change(self)

    def _report(self, task: asyncio.Task[Answer]) -> TurnEnded:
        if not task.cancelled() and task.exception() is None:
            # Also when a stop came in the same instant: the server decides.
            return reports.completed(task.result(), self.work, self.frames.text.round)
        self._log_failure(task)
        match self._ending:
            case Ending.STOPPED:
                return reports.stopped(self.frames.text, self._mode, self.work)
            case Ending.ABANDONED:
                return reports.abandoned(self.frames.text.round)
            case _:
                return reports.failed(_error(task), self.frames.text.round)

    def _checked(self, ended: TurnEnded) -> TurnEnded:
        limit = self._outbox.terms.max_frame_bytes
        if ended.ByteSize() <= limit:
            return ended
        return reports.failed(FrameTooLarge(ended.ByteSize(), limit), ended.round)

    def _log_failure(self, task: asyncio.Task[Answer]) -> None:
        error = _error(task)
        if not isinstance(error, TurnFailed | asyncio.CancelledError | OutboxFull):
            log.error("harness_error", turn_id=self.work.turn_id, exc_info=error)


def _error(task: asyncio.Task[Answer]) -> BaseException:
    if task.cancelled():
        return asyncio.CancelledError()
    return task.exception() or asyncio.CancelledError()
