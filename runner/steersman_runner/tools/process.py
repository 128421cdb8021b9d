"""Runs a program for a tool, in a process group of its own. Nothing outlives the call."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from steersman_runner.tools.child import Child
from steersman_runner.tools.process_group import end_group
from steersman_runner.tools.results import MAX_OUTPUT_BYTES, ToolStopped
from steersman_runner.tools.settle import settle

TERM_GRACE = 2.0
# A process that left the group may hold the pipe open; it is not waited for.
_LAST_WORDS = 0.2


class ProcessResult(NamedTuple):
    """How a program ended.

    `exit_code` is minus the signal's number for one that a signal ended; `output`
    is stdout and stderr as they came.
    """

    exit_code: int
    output: str
    truncated: bool


async def run_process(
    argv: Sequence[str],
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    max_output_bytes: int = MAX_OUTPUT_BYTES,
    term_grace: float = TERM_GRACE,
) -> ProcessResult:
    """Runs `argv` to its end, without a shell and without input.

    When it ends, whatever it left running in its group is ended too. Cancelled,
    it sends TERM to the group, after `term_grace` seconds KILL, and returns only
    when all are gone: with ToolStopped if there was output, else CancelledError.
    Raises OSError when the program cannot be started.
    """
    output = _Output(max_output_bytes)
    child = output.spawn(argv, cwd, env)
    try:
        await child.wait()
        stopped = False
    except asyncio.CancelledError:
        stopped = True
    ending = asyncio.create_task(_end(child, output, term_grace))
    stopped = await settle(ending) or stopped
    exit_code = ending.result()
    if not stopped:
        return ProcessResult(exit_code, output.text(), output.truncated)
    if output.text():
        raise ToolStopped(f"{output.text()}\n[stopped before it ended]")
    raise asyncio.CancelledError


async def _end(child: Child, output: "_Output", grace: float) -> int:
    await end_group(child.pid, grace)
    exit_code = await child.wait()
    await output.finish()
    return exit_code


class _Output:
    """The first `limit` bytes that a process tree writes; the rest is read and dropped."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()
        self._reading: asyncio.Task[None] | None = None
        self.truncated = False

    def text(self) -> str:
        return self._kept.decode("utf-8", "replace").rstrip("\n")

    def spawn(
        self,
        argv: Sequence[str],
        cwd: str | os.PathLike[str] | None,
        env: Mapping[str, str] | None,
    ) -> Child:
        # A pipe of our own: with asyncio's, wait() would also wait for every
        # grandchild that holds the other end.
        read_end, write_end = os.pipe()
        try:
            child = Child(argv, write_end, cwd, env)
        except BaseException:
            os.close(read_end)
            raise
        finally:
            os.close(write_end)
        self._reading = asyncio.create_task(self._read(read_end))
        return child

    async def finish(self) -> None:
        if self._reading is not None:
            await asyncio.wait({self._reading}, timeout=_LAST_WORDS)
            self._reading.cancel()
            await asyncio.wait({self._reading})

    async def _read(self, read_end: int) -> None:
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb", 0)
        )
        try:
            while chunk := await reader.read(65536):
                room = self._limit - len(self._kept)
                self.truncated = self.truncated or len(chunk) > room
                self._kept += chunk[:room]
        finally:
            transport.close()
