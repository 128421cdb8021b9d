"""`steersman` commands as processes of their own: what they say, and their end by id. No rules."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

MODULE = (sys.executable, "-P", "-m", "steersman")
# So long a process may take to start, to end, or to say something; two cores may be busy.
PATIENCE = 60.0


def environment(**more: str) -> dict[str, str]:
    """This process's environment, without what would lead a command elsewhere."""
    elsewhere = ("STEERSMAN_", "OPENAI_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(elsewhere)}
    return {**kept, "PYTHONUNBUFFERED": "1", "PROMPT_TOOLKIT_NO_CPR": "1", **more}


class Ran(NamedTuple):
    """A command that ran to its end."""

    code: int
    out: str
    err: str

    @property
    def documents(self) -> list[Any]:
        """Its JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def document(self) -> Any:
        """Its one JSON line."""
        (only,) = self.documents
        return only


def run(*arguments: str, env: Mapping[str, str] | None = None) -> Ran:
    """Run `steersman` with these arguments to its end."""
    ran = subprocess.run(
        [*MODULE, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(**(env or {})),
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


class LiveProcess:
    """A `steersman` command that runs on. Its output is read by a thread, line by line."""

    def __init__(self, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*MODULE, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(**(env or {})),
        )
        self.name = arguments[0]
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._silent = False
        self._reader = threading.Thread(target=self._read, name=f"{self.name} output", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def said(self, event: str, after: int = 0) -> dict[str, Any]:
        """The first JSON line with this event, `after` so many lines. Waits for it."""
        line = self.line(lambda text: json_object(text).get("event") == event, after)
        return json_object(line)

    def said_kind(self, kind: str) -> dict[str, Any]:
        """The first JSON line of this kind; a watch names its frames so."""
        return json_object(self.line(lambda text: json_object(text).get("kind") == kind))

    def line(self, wanted: Callable[[str], bool], after: int = 0) -> str:
        """The first line that `wanted` is true of, once it is said. Raises AssertionError."""
        end = time.monotonic() + PATIENCE
        with self._news:
            while True:
                for text in self.lines[after:]:
                    if wanted(text):
                        return text
                after = max(after, len(self.lines))
                assert not self._silent, f"{self.name} ended:\n{self.told()}"
                assert self._news.wait(end - time.monotonic()), f"not said:\n{self.told()}"

    def told(self) -> str:
        """All that it said."""
        return "\n".join(self.lines)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        """SIGKILL, as a crash; returns when it is gone."""
        self.process.kill()
        self.ended()

    def ended(self) -> int:
        """Its exit status, once it has ended and all that it said is read."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End it, whatever state it is in."""
        if self.alive():
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.lines.append(line.rstrip())
                self._news.notify_all()
        with self._news:
            self._silent = True
            self._news.notify_all()


def json_object(line: str) -> dict[str, Any]:
    """The JSON object that a line is; empty when it is anything else."""
    try:
        document = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def children(pid: int) -> dict[str, int]:
    """The `steersman` commands that a process started, by their name."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        arguments = Path(f"/proc/{child}/cmdline").read_bytes().decode().split("\0")
        found[arguments[4]] = int(child)
    return found


def is_there(pid: int) -> bool:
    """Whether a process is there, an unburied one not counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
