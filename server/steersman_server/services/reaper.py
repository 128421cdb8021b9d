"""The lease reaper: what becomes of the turns of a runner whose lease has ended."""

import asyncio
from functools import partial

import structlog

from steersman_server.core.lease import LeaseState
from steersman_server.core.refusals import StoreUnavailable
from steersman_server.hub.hub import Hub
from steersman_server.hub.leases import RunnerKey
from steersman_server.store import runners, turns
from steersman_server.store.store import Store
from steersman_server.usecases.lose_turn import lose_turn

log = structlog.get_logger()
AGAIN = 1.0  # seconds before a store that could not commit is asked again


class LeaseReaper:
    """Runs until cancelled. Nothing is lazily true: a loss is settled when the lease ends."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._unsettled: set[RunnerKey] = set()

    async def run(self) -> None:
        for tenant, runner_id in await self._store.read(turns.held_runners):
            self._hub.leases.expect(RunnerKey(tenant, runner_id))
        while True:
            self._unsettled.update(self._hub.leases.take_ended())
            for key in tuple(self._unsettled):
                await self._settle(key)
            await self._until_next()

    async def _settle(self, key: RunnerKey) -> None:
        """Take the runner's turns from it; stays unsettled while the store cannot commit."""
        try:
            seen = self._hub.leases.last_heard(key, self._store.now())
            if seen is not None:
                await self._store.write(lambda tx: runners.seen(tx, *key, seen))
            held = await self._store.read(lambda tx: turns.held_by(tx, *key))
            for turn in held:
                if self._hub.leases.state(key) is not LeaseState.ENDED:
                    break  # it came back, and its hello settled what it has
                log.warning("lease_ended", runner_id=key.runner_id, turn_id=turn.id)
                alone = self._hub.alone(key, turn.id, self._store.now())
                work = partial(lose_turn, turn_id=turn.id, epoch=turn.epoch, alone=alone)
                await self._store.write(work)
        except StoreUnavailable as problem:
            log.error("lease_not_settled", runner_id=key.runner_id, problem=str(problem))
        else:
            self._unsettled.discard(key)
            if self._hub.leases.state(key) is LeaseState.ENDED:
                self._hub.expire(key)

    async def _until_next(self) -> None:
        leases = self._hub.leases
        due = leases.next_deadline()
        wait = None if due is None else max(0.0, due - leases.clock())
        if self._unsettled:
            wait = AGAIN if wait is None else min(wait, AGAIN)
        try:
            async with asyncio.timeout(wait):
                await leases.changed.wait()
        except TimeoutError:
            return
        leases.changed.clear()
