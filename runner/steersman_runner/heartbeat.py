"""The heartbeat of one stream. What becomes of work that goes unheard is in isolation.py."""

import asyncio
from collections.abc import Callable

from steersman.v1.runner_pb2 import Heartbeat, Ping, RunnerMessage
from steersman_runner.errors import LinkLost
from steersman_runner.outbox import Outbox
from steersman_runner.terms import Terms


class Heartbeats:
    """Sends heartbeats and knows which were answered. `heard` is told when such a one was sent."""

    def __init__(self, terms: Terms, outbox: Outbox, heard: Callable[[float], None]) -> None:
        self._terms = terms
        self._outbox = outbox
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        self._number = 0
        self._sent_at: dict[int, float] = {}

    async def run(self) -> None:
        """Beats until cancelled. Raises LinkLost when the server is silent for a lease."""
        while True:
            oldest = min(self._sent_at.values(), default=self._loop.time())
            if self._loop.time() - oldest >= self._terms.lease:
                raise LinkLost(f"no heartbeat answered for {self._terms.lease:g} s")
            self._beat()
            await asyncio.sleep(self._terms.heartbeat_interval)

    def answered(self, ping: Ping) -> None:
        """The server has this heartbeat, and with it every earlier one."""
        sent_at = self._sent_at.get(ping.heartbeat)
        if sent_at is None:
            return
        self._sent_at = {n: at for n, at in self._sent_at.items() if n > ping.heartbeat}
        self._heard(sent_at)

    def _beat(self) -> None:
        self._number += 1
        self._sent_at[self._number] = self._loop.time()
        self._outbox.send(RunnerMessage(heartbeat=Heartbeat(number=self._number)))
