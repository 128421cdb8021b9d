"""One program, started and waited for. What becomes of its group lives in process_group.py.

The event loop does not start it: uvloop forks with the handlers that gRPC leaves for
that, and of the children that are born while gRPC works a part dies before its program
begins. Popen starts programs without them.
"""

import asyncio
import subprocess
import threading
from collections.abc import Mapping, Sequence
from os import PathLike


class Child:
    """A program in a session, and a process group, of its own; without input.

    `output` is the descriptor that stdout and stderr write to. Raises OSError when
    the program cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        output: int,
        cwd: str | PathLike[str] | None,
        env: Mapping[str, str] | None,
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - whose program it is, is the tool's affair
            argv,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        threading.Thread(target=self._watch, name=f"child {self.pid}", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    async def wait(self) -> int:
        """The exit code, once it has ended; minus the signal's number where one ended it."""
        return await asyncio.shield(self._ended)

    def _watch(self) -> None:
        code = self._process.wait()
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ended.set_result, code)
