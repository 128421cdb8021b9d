"""Lanes: the durable frames of one turn in order, those of different turns side by side.

A frame is acknowledged after its commit. Turns do not wait for each other, so
that their frames meet in one commit.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial

import structlog

from steersman.v1.runner_pb2 import RunnerMessage
from steersman_server.core.refusals import BadRequest, LeaseLost, StoreUnavailable
from steersman_server.core.turn import IllegalTransition
from steersman_server.core.values import Epoch, TurnId
from steersman_server.hub.link import Link
from steersman_server.store.store import Store
from steersman_server.usecases.spoil_turn import spoil_turn
from steersman_server.usecases.take_frame import take_frame
from steersman_server.wire import frames

log = structlog.get_logger()

Work = Callable[[], Awaitable[None]]


class Lanes:
    """The lanes of one link. `close` ends them; what is not acknowledged is sent again."""

    def __init__(self, link: Link, store: Store) -> None:
        self._link = link
        self._store = store
        self._waiting: dict[str, deque[Work]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, message: RunnerMessage) -> None:
        """Apply a durable frame after those of its turn that came before."""
        self.run(frames.place(message)[0], partial(self._apply, message))

    def run(self, name: str, work: Work) -> None:
        """Run `work` in the lane of this name: a turn's id, or an interrupt's."""
        lane = self._waiting.get(name)
        if lane is not None:
            lane.append(work)
            return
        self._waiting[name] = deque([work])
        task = asyncio.create_task(self._drive(name), name=f"lane {name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _drive(self, name: str) -> None:
        lane = self._waiting[name]
        try:
            while lane:
                await lane[0]()
                lane.popleft()
        except StoreUnavailable as problem:
            # Nothing is lost: the runner keeps what was not acknowledged.
            self._link.close(problem)
        finally:
            del self._waiting[name]

    async def _apply(self, message: RunnerMessage) -> None:
        runner_id = self._link.runner.id
        turn_id, epoch, number = frames.place(message)
        try:
            frame = frames.frame(runner_id, message, self._store.now())
            await self._store.write(lambda tx: take_frame(tx, frame))
        except LeaseLost:
            self._link.acknowledge(turn_id, epoch, number, refused=True)
        except StoreUnavailable:
            raise
        except (BadRequest, IllegalTransition) as fault:
            log.error("runner_frame_refused", turn_id=turn_id, problem=str(fault))
            await self.spoil(turn_id, epoch, str(fault))
            self._link.acknowledge(turn_id, epoch, number, refused=True)
        except Exception:
            # An item id that is taken, or a fault of ours: the turn must not wait for ever.
            log.exception("runner_frame_failed", turn_id=turn_id)
            await self.spoil(turn_id, epoch, "a frame that cannot be stored")
            self._link.acknowledge(turn_id, epoch, number, refused=True)
        else:
            self._link.acknowledge(turn_id, epoch, number)

    async def spoil(self, turn_id: TurnId, epoch: Epoch, problem: str) -> None:
        """Fail a turn about which the runner reported what cannot be."""
        runner_id = self._link.runner.id
        await self._store.write(lambda tx: spoil_turn(tx, runner_id, turn_id, epoch, problem))

    async def close(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
