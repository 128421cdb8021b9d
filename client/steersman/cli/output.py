"""Where commands print: one JSON document, JSON lines, or something for people."""

import json
import re
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from steersman.cli.advice import advice
from steersman.errors import SteersmanError

WIDE = 240

# What a model or a tool wrote must not move the cursor or recolour the terminal.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """Text with its control characters, newline and tab apart, made visible."""
    return CONTROLS.sub(lambda found: picture(ord(found[0])), text)


def picture(code: int) -> str:
    """The sign that stands for a control character."""
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"


class Output:
    """What a command says. With `as_json` nothing but JSON reaches stdout."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        # Whatever reads a pipe wants ids whole, not folded to some terminal's width.
        width = None if sys.stdout.isatty() else WIDE
        self.console = Console(highlight=False, soft_wrap=True, width=width)
        self.errors = Console(stderr=True, highlight=False, soft_wrap=True)

    def result(self, document: Any, human: RenderableType) -> None:
        """The one answer of a command."""
        if self.as_json:
            self.line(document)
        else:
            self.console.print(human, markup=False)

    def line(self, document: Any) -> None:
        """One JSON document on one line."""
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def say(self, text: str, style: str = "") -> None:
        """A line for people; nothing with `as_json`."""
        if not self.as_json:
            self.console.print(Text(visible(text), style))

    def error(self, error: SteersmanError) -> None:
        """Reason, message, and what to do."""
        if self.as_json:
            self.line(error_document(error))
            return
        self.errors.print(Text.assemble(("error ", "red"), visible(str(error))))
        if facts := details_line(error.details):
            self.errors.print(Text(f"details: {visible(facts)}", "dim"))
        if help_text := advice(error):
            self.errors.print(Text(f"what to do: {help_text}"))


def error_document(error: SteersmanError) -> dict[str, Any]:
    """An error as JSON, with the names that HTTP uses."""
    return {"error": error.message, "code": error.reason, "details": dict(error.details)}


def details_line(details: Mapping[str, str]) -> str:
    """An error's variables on one line."""
    return ", ".join(f"{name}={value}" for name, value in sorted(details.items()))
