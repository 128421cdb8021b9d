"""Processes that the benchmark starts: their logs are read, and they end when it does."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]

ROOT = Path(__file__).parent.parent
START = 30.0  # seconds until a process must have said that it is ready
END = 8.0  # seconds to end in after the signal; then it is killed


class ChildFailed(Exception):
    """A process did not say what was awaited; the message has the end of its log."""


class Child:
    """A process that logs JSON lines. `hear` gets every one of them."""

    def __init__(self, name: str, process: Process, hear: Callable[[Record], None]) -> None:
        self.name = name
        self._process = process
        self._hear = hear
        self._tail: deque[str] = deque(maxlen=30)
        self._said: dict[str, asyncio.Future[Record]] = {}
        self._reading = asyncio.create_task(self._read(), name=f"log of {name}")

    async def said(self, event: str) -> Record:
        """The first record with this event. Raises ChildFailed."""
        first = self._future(event)
        either: set[asyncio.Future[Any]] = {first, self._reading}
        await asyncio.wait(either, timeout=START, return_when=asyncio.FIRST_COMPLETED)
        if not first.done():
            log = "\n".join(self._tail)
            raise ChildFailed(f"{self.name} did not come to {event!r}; its log ends:\n{log}")
        return first.result()

    def cpu_seconds(self) -> float:
        """Processor time used so far; 0 where /proc does not tell."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def end(self, by: signal.Signals) -> None:
        """Ends the process by its id, gently, then not."""
        for way in (by, signal.SIGKILL):
            if self._process.returncode is None:
                self._process.send_signal(way)
            try:
                async with asyncio.timeout(END):
                    await self._process.wait()
                    break
            except TimeoutError:
                continue
        await self._reading

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self._tail.append(line.decode(errors="replace").rstrip())
            record = _record(line)
            if record is None:
                continue
            said = self._future(str(record["event"]))
            if not said.done():
                said.set_result(record)
            self._hear(record)

    def _future(self, event: str) -> asyncio.Future[Record]:
        if event not in self._said:
            self._said[event] = asyncio.get_running_loop().create_future()
        return self._said[event]


@asynccontextmanager
async def child(
    name: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    hear: Callable[[Record], None] = lambda _: None,
    ends_by: signal.Signals = signal.SIGTERM,
) -> AsyncIterator[Child]:
    """`python -m …` as a process, for as long as the context is open."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *arguments,
        cwd=ROOT,
        env={**_environment(), **(environment or {})},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
    )
    running = Child(name, process, hear)
    try:
        yield running
    finally:
        await asyncio.shield(running.end(ends_by))


def _environment() -> Mapping[str, str]:
    """Ours without its settings: what is measured is what comes without any."""
    return {name: value for name, value in os.environ.items() if not name.startswith("STEERSMAN_")}


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and "event" in record else None
