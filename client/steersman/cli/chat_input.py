"""Where a chat's lines come from: an editor on a terminal, plain lines otherwise."""

import asyncio
import sys
import threading
from typing import Protocol

from prompt_toolkit import PromptSession


class CtrlC(Exception):
    """Ctrl+C while a line was being entered; the line is dropped."""


class Lines(Protocol):
    """Lines, one at a time."""

    async def read(self) -> str:
        """The next line. Raises EOFError after the last, CtrlC when it was dropped."""


class Editor:
    """A line editor with history, for terminals."""

    def __init__(self) -> None:
        self._prompt: PromptSession[str] = PromptSession(interrupt_exception=CtrlC)

    async def read(self) -> str:
        # SIGINT stays with the chat: between two prompts nobody else would take it.
        return await self._prompt.prompt_async("> ", handle_sigint=False)


class Plain:
    """Lines of a pipe or file, read by a thread that the program's end does not wait for."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, name="stdin", daemon=True).start()

    async def read(self) -> str:
        line = await self._lines.get()
        if not line:
            raise EOFError
        return line

    def _pump(self) -> None:
        """Hand over each line, and an empty string at the end."""
        more = True
        while more:
            line = sys.stdin.readline()
            more = bool(line)
            if self._loop.is_closed():
                return
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def lines() -> Lines:
    """The editor where there is a terminal, else plain lines."""
    return Editor() if sys.stdin.isatty() and sys.stdout.isatty() else Plain()
