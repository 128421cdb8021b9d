"""What a tool answers, as text of bounded size. Running tools lives in tool.py."""

import asyncio
from typing import NamedTuple

from pydantic_core import PydanticSerializationError, to_json

MAX_OUTPUT_BYTES = 256 * 1024


class ToolResult(NamedTuple):
    """The output of one call, at most the limit's bytes of UTF-8.

    `complete` is false when the tool was stopped and this is what it had until then.
    """

    output: str
    truncated: bool = False
    complete: bool = True


class ToolStopped(asyncio.CancelledError):
    """A tool was cancelled before its end; carries the output it had until then."""

    def __init__(self, output: str) -> None:
        super().__init__("stopped before its end")
        self.output = output


class ToolTimedOut(Exception):
    """A tool did not end in time; carries the output it had until then."""

    def __init__(self, seconds: float, output: str = "", still_running: bool = False) -> None:
        super().__init__(f"not done after {seconds:g} s")
        self.seconds = seconds
        self.output = output
        self.still_running = still_running

    def as_text(self) -> str:
        """What the model reads: the output until then, and that the time was up."""
        fate = "it cannot be stopped and may still run" if self.still_running else "it was stopped"
        note = f"error: timed out after {self.seconds:g} s; {fate}"
        return f"{self.output}\n{note}" if self.output else note


def as_text(value: object) -> str:
    """A tool's value as the model reads it: text as it is, all else as JSON."""
    if isinstance(value, str):
        return value
    try:
        return to_json(value).decode()
    except (PydanticSerializationError, ValueError):
        return f"error: the tool returned a {type(value).__name__}, which is not JSON"


def cut(text: str, max_bytes: int = MAX_OUTPUT_BYTES, complete: bool = True) -> ToolResult:
    """The text as a result of at most `max_bytes` of UTF-8, cut between characters."""
    # Half a surrogate pair is legal in a str and in no message.
    data = text.encode("utf-8", "replace")
    if len(data) <= max_bytes:
        return ToolResult(data.decode(), complete=complete)
    return ToolResult(data[:max_bytes].decode("utf-8", "ignore"), truncated=True, complete=complete)
