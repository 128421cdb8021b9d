"""Lists and single resources for people. What is in them is said by each command."""

from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from rich.table import Table
from rich.text import Text

from steersman.cli.output import visible


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A plain table, a column for each name."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for position, column in enumerate(columns):
        # The first names the row, and is there to be copied.
        made.add_column(column, overflow="fold", no_wrap=position == 0)
    for row in rows:
        made.add_row(*(Text(visible(cell)) for cell in row))
    return made


def moment(timestamp: Timestamp) -> str:
    """A time to the second."""
    return f"{timestamp.ToDatetime():%Y-%m-%d %H:%M:%SZ}"


def outline(document: dict[str, Any]) -> Text:
    """A resource as `name: value` lines, nested ones indented; what is empty is left out."""
    return Text("\n".join(outline_lines(document, 0)))


def outline_lines(document: dict[str, Any], depth: int) -> Iterable[str]:
    """The lines of one level."""
    indent = "  " * depth
    for name, value in document.items():
        if value in ("", [], {}, "unspecified"):
            continue
        if isinstance(value, dict):
            yield f"{indent}{name}:"
            yield from outline_lines(value, depth + 1)
        elif isinstance(value, list):
            yield from list_lines(name, value, depth)
        else:
            yield f"{indent}{name}: {visible(str(value))}"


def list_lines(name: str, values: list[Any], depth: int) -> Iterable[str]:
    """The lines of a list: on one line, or a block for each resource."""
    indent = "  " * depth
    if not isinstance(values[0], dict):
        yield f"{indent}{name}: {visible(', '.join(map(str, values)))}"
        return
    for value in values:
        yield f"{indent}{name}:"
        yield from outline_lines(value, depth + 1)
