"""Child processes with a log each, that say when they are ready. Never knows which they are."""

import asyncio
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

# Seconds between asking a child to end and ending it.
GRACE = 5.0
# The longest line that a child may log, in bytes.
LINE_LIMIT = 16 * 1024 * 1024


class ChildDied(Exception):
    """A child ended that should not have. Carries its last lines."""

    def __init__(self, name: str, code: int, last_lines: Sequence[str], log: Path) -> None:
        super().__init__(f"{name} ended with code {code}")
        self.last_lines = last_lines
        self.log = log


class Child:
    """A `steersman` command as a process of its own.

    It leads its own session, so that a Ctrl+C in the terminal reaches the parent
    alone, which then stops its children in order.
    """

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self._log = log
        self._last: deque[str] = deque(maxlen=15)
        self._said: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._pump: asyncio.Task[None] | None = None

    async def start(self, arguments: Sequence[str], env: Mapping[str, str]) -> None:
        """Start it. Raises OSError when its log cannot be written."""
        self._log.parent.mkdir(parents=True, exist_ok=True)
        log = self._log.open("a", encoding="utf-8")
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "steersman", self.name, *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **env, "PYTHONUNBUFFERED": "1"},
            limit=LINE_LIMIT,
        )
        self._pump = asyncio.create_task(self._read(self._process, log), name=self.name)

    async def said(self, event: str) -> dict[str, Any]:
        """The first JSON line with this event, once it is said."""
        return await asyncio.shield(self._heard(event))

    async def death(self) -> NoReturn:
        """Raises ChildDied when the process has ended and all that it said is read."""
        process, pump = self._started()
        await asyncio.shield(pump)
        raise ChildDied(self.name, await process.wait(), list(self._last), self._log)

    async def stop(self) -> None:
        """Ask it to end, and end it when it does not within the grace."""
        if self._process is None or self._pump is None:
            return
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(asyncio.shield(self._pump), GRACE)
        except TimeoutError:
            self._signal(signal.SIGKILL)
        await self._process.wait()
        await self._pump

    def _signal(self, number: signal.Signals) -> None:
        process, _ = self._started()
        if process.returncode is None:
            process.send_signal(number)

    def _started(self) -> tuple[asyncio.subprocess.Process, asyncio.Task[None]]:
        if self._process is None or self._pump is None:
            raise RuntimeError(f"{self.name} was not started")
        return self._process, self._pump

    def _heard(self, event: str) -> asyncio.Future[dict[str, Any]]:
        return self._said.setdefault(event, asyncio.get_running_loop().create_future())

    async def _read(self, process: asyncio.subprocess.Process, log: Any) -> None:
        """Keep every line in the log, and hear the events among them."""
        if process.stdout is None:
            raise RuntimeError("the child's output is a pipe")
        with log:
            async for raw in process.stdout:
                line = raw.decode(errors="replace")
                log.write(line)
                log.flush()
                self._last.append(line.rstrip())
                self._hear(line)

    def _hear(self, line: str) -> None:
        document = json_object(line)
        event = document.get("event")
        if isinstance(event, str) and not self._heard(event).done():
            self._heard(event).set_result(document)


async def unless(death: Coroutine[Any, Any, NoReturn], work: Coroutine[Any, Any, T]) -> T:
    """What the work answers, unless a death is raised first."""
    dying, working = asyncio.create_task(death), asyncio.create_task(work)
    try:
        await asyncio.wait([dying, working], return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else dying.result()
    finally:
        dying.cancel()
        working.cancel()
        await asyncio.wait([dying, working])


def json_object(line: str) -> dict[str, Any]:
    """The JSON object that a line is; empty when it is anything else."""
    try:
        document = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}
