"""The runner as a library: one link after the other. Signals and log set-up never live here."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from importlib.util import find_spec

import structlog

from steersman.v1.runner_pb2 import Hello
from steersman_runner.engine.turns import Turns
from steersman_runner.errors import LinkLost
from steersman_runner.harness.base import Harness
from steersman_runner.harness.scripted import ScriptedHarness
from steersman_runner.isolation import Isolation
from steersman_runner.link import Link
from steersman_runner.outbox import Outbox
from steersman_runner.reconnect import Backoff
from steersman_runner.settings import DEFAULT_SETTINGS, RunnerSettings, checked_runner_id
from steersman_runner.tools import Tool
from steersman_runner.version import VERSION

log = structlog.get_logger()

PROTOCOL = 1


class Runner:
    """Takes turns from one server and works on them.

    `server` is HOST:PORT. Unset `harnesses` means `scripted`, and `chat` with the
    given tools where its dependencies are installed. Raises ValueError for a
    runner id or a number of slots that no server would take.
    """

    def __init__(
        self,
        server: str,
        token: str,
        runner_id: str | None = None,
        harnesses: Sequence[Harness] = (),
        tools: Sequence[Tool] = (),
        slots: int = 4,
        labels: Mapping[str, str] | None = None,
        settings: RunnerSettings = DEFAULT_SETTINGS,
    ) -> None:
        if slots < 1:
            raise ValueError(f"slots {slots}: at least 1")
        self.runner_id = checked_runner_id(runner_id)
        self._server = server
        self._token = token
        self._settings = settings
        self._generation = time.time_ns()
        self._slots = slots
        self._labels = labels or {}
        self._owned = AsyncExitStack()
        self._harnesses = harnesses or _default_harnesses(tools, self._owned)
        self._tools = [tool.name for tool in tools]
        self._outbox = Outbox(settings.live_limit)
        self._turns = Turns(self._harnesses, slots, self._outbox, settings)
        self._isolation = Isolation(self._turns.isolate)

    async def run(self) -> None:
        """Works until drained or aborted, over any number of lost links.

        Raises LinkRefused when the server will not have this runner. However it
        ends, no work is left running.
        """
        backoff = Backoff(self._settings.first_retry, self._settings.retry_cap)
        try:
            while not self._turns.left:
                if await self._held_to_goodbye(backoff):
                    return
                await self._pause(backoff.next())
        finally:
            self._isolation.disarm()
            await self._turns.close()
            await self._owned.aclose()

    def drain(self) -> None:
        """Finishes what runs, takes no more, says goodbye. Call it on the runner's loop."""
        log.info("runner_draining", runner_id=self.runner_id)
        self._turns.drain()

    def abort(self) -> None:
        """Stops what runs, reports it abandoned, says goodbye. Call it on the runner's loop."""
        log.info("runner_aborting", runner_id=self.runner_id)
        self._turns.abort()

    async def _held_to_goodbye(self, backoff: Backoff) -> bool:
        link = Link(
            self._server, self._hello(), self._turns, self._outbox, self._isolation, self._settings
        )

        def welcomed() -> None:
            backoff.reset()
            log.info("runner_connected", runner_id=self.runner_id, server=self._server)

        try:
            await link.hold(self._token, welcomed)
        except LinkLost as lost:
            log.warning("runner_disconnected", server=self._server, message=str(lost))
            return False
        log.info("runner_left", runner_id=self.runner_id, server=self._server)
        return True

    async def _pause(self, delay: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await self._turns.wait_until_left()

    def _hello(self) -> Hello:
        return Hello(
            runner_id=self.runner_id,
            generation=self._generation,
            labels=self._labels,
            slots=self._slots,
            harnesses=[harness.name for harness in self._harnesses],
            tools=self._tools,
            protocol_min=PROTOCOL,
            protocol_max=PROTOCOL,
            version=VERSION,
            working_on=self._turns.held(),
        )


def _default_harnesses(tools: Sequence[Tool], owned: AsyncExitStack) -> Sequence[Harness]:
    if find_spec("openai") is None:
        return [ScriptedHarness()]
    from steersman_runner.harness.chat import ChatHarness

    chat = ChatHarness(tools=tools)
    owned.push_async_callback(chat.aclose)
    return [ScriptedHarness(), chat]
