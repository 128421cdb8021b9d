"""The leases of all runners, on the monotonic clock. Decided in core/lease.py, kept here."""

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from steersman_server.core.lease import (
    Checked,
    Lease,
    LeaseEvent,
    LeaseState,
    Terms,
    deadline,
    decide,
    unseen,
)
from steersman_server.core.values import Instant, RunnerId, Tenant


class RunnerKey(NamedTuple):
    tenant: Tenant
    runner_id: RunnerId


class LeaseBook:
    """Who holds a lease, until when.

    `changed` is set whenever a deadline may have moved or a lease has ended.
    """

    def __init__(
        self, terms: Terms, isolation_limit: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.terms = terms
        self.clock = clock
        self.changed = asyncio.Event()
        self._isolation_limit = isolation_limit
        self._leases: dict[RunnerKey, Lease] = {}
        self._heard: dict[RunnerKey, float] = {}
        self._ended: list[RunnerKey] = []

    def note(self, key: RunnerKey, event: LeaseEvent) -> None:
        """Let the lease of `key` take `event`; a first one begins it."""
        before = self._leases.get(key, Lease(LeaseState.ENDED, event.now))
        after = decide(before, event, self.terms)
        self._leases[key] = after
        if after.state is LeaseState.CONNECTED:
            self._heard[key] = after.since  # a look at the clock is no sign of life
        if after.state is LeaseState.ENDED and before.state is not LeaseState.ENDED:
            self._ended.append(key)
        if after.state is not before.state:
            self.changed.set()

    def expect(self, key: RunnerKey) -> None:
        """The server started and this runner holds turns: it may still come back."""
        self._leases.setdefault(key, unseen(self.clock(), self.terms))
        self.changed.set()

    def state(self, key: RunnerKey) -> LeaseState:
        lease = self._leases.get(key)
        return LeaseState.ENDED if lease is None else lease.state

    def recheck(self, key: RunnerKey) -> None:
        """A turn was given to this runner just now: if its lease is over, so is the turn's."""
        if self.state(key) is LeaseState.ENDED:
            self._ended.append(key)
            self.changed.set()

    def take_ended(self) -> list[RunnerKey]:
        """The runners whose leases have ended since the last call."""
        now = self.clock()
        for key in tuple(self._leases):
            self.note(key, Checked(now))
        ended, self._ended = self._ended, []
        return ended

    def next_deadline(self) -> float | None:
        """When the next lease ends if nobody is heard."""
        deadlines = (deadline(lease, self.terms) for lease in self._leases.values())
        return min((at for at in deadlines if at is not None), default=None)

    def may_run_until(self, key: RunnerKey, now: Instant) -> Instant:
        """Until when a machine that is cut off may still work: the isolation limit
        after its last acknowledged heartbeat."""
        heard = self._heard.get(key, self.clock())
        left = max(0.0, heard + self._isolation_limit - self.clock())
        return Instant(now + round(left * 1_000_000))

    def last_heard(self, key: RunnerKey, now: Instant) -> Instant | None:
        heard = self._heard.get(key)
        if heard is None:
            return None
        return Instant(now - round((self.clock() - heard) * 1_000_000))
