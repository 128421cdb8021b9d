"""The dispatcher: gives queued turns to runners with a free slot, oldest first.

The queue in memory is a copy of what the store holds; the assignment is decided
in the store, so a copy that is out of date costs a look and nothing else.
"""

import asyncio
from functools import partial

import structlog

from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.notices import TurnReady, TurnUnready
from steersman_server.core.placement import place
from steersman_server.core.refusals import StoreUnavailable
from steersman_server.core.turn import TurnState
from steersman_server.core.values import TurnId
from steersman_server.hub.hub import Hub
from steersman_server.hub.link import Link
from steersman_server.store import sessions, turns
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.assign_turn import assign_turn
from steersman_server.usecases.begin_turn import turn_ready

log = structlog.get_logger()
AGAIN = 1.0  # seconds before a store that could not commit is asked again


class Dispatcher:
    """Runs until cancelled. Turns are placed when they become ready and when a slot is free."""

    def __init__(self, store: Store, bus: LocalBus, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._ready: dict[TurnId, TurnReady] = {}
        bus.subscribe(topics.READY, self._hear)

    def _hear(self, notice: TurnReady | TurnUnready) -> None:
        match notice:
            case TurnReady():
                # At once, on the publisher's stack: the runner should not wait
                # until every watcher has been told that the turn is queued.
                self._ready[notice.turn_id] = notice
                self._place_all()
            case TurnUnready():
                self._ready.pop(notice.turn_id, None)

    async def run(self) -> None:
        for turn in await self._store.read(_queued):
            self._ready.setdefault(turn.turn_id, turn)
        while True:
            self._place_all()
            await self._hub.capacity.wait()
            self._hub.capacity.clear()

    def _place_all(self) -> None:
        """Place what fits, oldest first, until no slot is free."""
        oldest = sorted(self._ready.values(), key=lambda turn: (turn.queued_at, turn.turn_id))
        for turn in oldest:
            if not self._hub.has_capacity():
                return
            runner_id = place(turn, self._hub.candidates(turn.tenant))
            link = None if runner_id is None else self._hub.link_of(turn.tenant, runner_id)
            if link is not None:
                self._give(turn, link)

    def _give(self, turn: TurnReady, link: Link) -> None:
        del self._ready[turn.turn_id]
        link.reserved.add(turn.turn_id)
        work = partial(assign_turn, turn_id=turn.turn_id, runner_id=link.runner.id)
        self._store.hand_in(work).add_done_callback(partial(self._given, turn, link))

    def _given(self, turn: TurnReady, link: Link, promise: "asyncio.Future[bool]") -> None:
        link.reserved.discard(turn.turn_id)
        self._hub.leases.recheck(link.key)
        fault = None if promise.cancelled() else promise.exception()
        if fault is None:
            return
        log.error("assignment_failed", turn_id=turn.turn_id, exc_info=fault)
        if isinstance(fault, StoreUnavailable):
            self._ready.setdefault(turn.turn_id, turn)
            asyncio.get_running_loop().call_later(AGAIN, self._hub.capacity.set)


def _queued(tx: Transaction) -> list[TurnReady]:
    return [
        turn_ready(tx, sessions.get_any(tx, turn.session_id), turn)
        for turn in turns.live(tx, [TurnState.QUEUED])
    ]
