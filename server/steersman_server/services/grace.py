"""The grace of interrupts: one that its runner does not confirm in time is forced."""

import asyncio
from functools import partial

import structlog

from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.notices import InterruptOpen
from steersman_server.core.refusals import StoreUnavailable
from steersman_server.core.turn import Turn, TurnState
from steersman_server.hub.hub import Hub
from steersman_server.hub.leases import RunnerKey
from steersman_server.store import turns
from steersman_server.store.store import Store
from steersman_server.usecases.force_interrupt import force_interrupt

log = structlog.get_logger()
AGAIN = 1.0  # seconds before a store that could not commit is asked again


class InterruptGrace:
    """Runs until cancelled. After a start every open interrupt has a full grace."""

    def __init__(self, store: Store, bus: LocalBus, hub: Hub, grace: float) -> None:
        self._store = store
        self._hub = hub
        self._grace = grace
        self._due: asyncio.PriorityQueue[tuple[float, str, InterruptOpen]] = asyncio.PriorityQueue()
        bus.subscribe(topics.INTERRUPTS, self._open)

    def _open(self, interrupt: InterruptOpen, wait: float | None = None) -> None:
        at = asyncio.get_running_loop().time() + (self._grace if wait is None else wait)
        self._due.put_nowait((at, interrupt.interrupt_id, interrupt))

    async def run(self) -> None:
        for turn in await self._store.read(lambda tx: turns.live(tx, [TurnState.INTERRUPTING])):
            if turn.interrupt_id is not None:
                self._open(InterruptOpen(turn.id, turn.interrupt_id))
        while True:
            # The grace is the same for all, so the first that was opened is the first due.
            at, _, interrupt = await self._due.get()
            await asyncio.sleep(max(0.0, at - asyncio.get_running_loop().time()))
            await self._force(interrupt)

    async def _force(self, interrupt: InterruptOpen) -> None:
        try:
            turn = await self._store.read(lambda tx: turns.find(tx, interrupt.turn_id))
            if turn is not None and turn.state is TurnState.INTERRUPTING:
                await self._settle_alone(interrupt, turn)
        except StoreUnavailable as problem:
            log.error(
                "interrupt_not_forced", interrupt_id=interrupt.interrupt_id, problem=str(problem)
            )
            self._open(interrupt, AGAIN)

    async def _settle_alone(self, interrupt: InterruptOpen, turn: Turn) -> None:
        assert turn.runner_id is not None  # noqa: S101  (interrupting is a held state)
        key = RunnerKey(turn.tenant, turn.runner_id)
        alone = self._hub.alone(key, turn.id, self._store.now())
        log.warning("interrupt_forced", turn_id=turn.id, runner_id=turn.runner_id)
        await self._store.write(
            partial(
                force_interrupt,
                turn_id=turn.id,
                interrupt_id=interrupt.interrupt_id,
                alone=alone,
            )
        )
