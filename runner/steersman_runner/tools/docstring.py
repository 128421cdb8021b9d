"""Reads what a docstring says about a function and its arguments. Types never come from here."""

import re
from collections.abc import Sequence
from itertools import pairwise
from textwrap import dedent
from typing import NamedTuple

_HEADING = re.compile(r"(Args|Arguments|Parameters|Returns|Raises|Yields|Examples?|Notes?):\s*")
_ARGUMENT_HEADINGS = {"Args", "Arguments", "Parameters"}
_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.*)")


class Docstring(NamedTuple):
    """The prose before any section, and a text for each argument that has one."""

    description: str
    arguments: dict[str, str]


def parse(text: str) -> Docstring:
    """Reads a docstring, as inspect.getdoc gives it, with sections in Google's style."""
    lines = text.splitlines()
    headings = [number for number, line in enumerate(lines) if _HEADING.fullmatch(line)]
    bounds = [*headings, len(lines)]
    arguments: dict[str, str] = {}
    for start, end in pairwise(bounds):
        if lines[start].partition(":")[0] in _ARGUMENT_HEADINGS:
            arguments.update(_entries(lines[start + 1 : end]))
    return Docstring("\n".join(lines[: bounds[0]]).strip(), arguments)


def _entries(lines: Sequence[str]) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in dedent("\n".join(lines)).splitlines():
        if entry := _ENTRY.fullmatch(line):
            current = texts.setdefault(entry[1], [])
            line = entry[2]
        current.append(line.strip())
    return {name: " ".join(filter(None, parts)) for name, parts in texts.items()}
