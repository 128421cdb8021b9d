"""Draws the machines of the core into docs/states.md, from the tables that decide.

Usage: python docs/generate.py [OUT]. `make docs` writes the page; `make check`
compares it.
"""

import sys
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from steersman_server.core import interrupt, lease, session, turn

PAGE = Path(__file__).parent / "states.md"

HEAD = """\
# States and transitions

Drawn from the code by `make docs`; do not edit. What is not in a table is refused
(turns), or changes nothing (interrupts, leases).
"""

Table = Mapping[tuple[Any, type], StrEnum]


def diagram(first: StrEnum, last: Iterable[StrEnum], table: Table) -> str:
    """A state diagram: one arrow a pair of states, its events on it."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for (before, event), after in table.items():
        if before is not after:
            arrows.setdefault((before.value, after.value), []).append(event.__name__)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {first.value}"]
    for (before, after), events in arrows.items():
        lines.append(f"    {before} --> {after}: {', '.join(events)}")
    lines += [f"    {state.value} --> [*]" for state in last]
    return "\n".join([*lines, "```"])


def grid(states: type[StrEnum], table: Table) -> str:
    """Every event in every state; `·` where there is no transition."""
    events = list(dict.fromkeys(event for _, event in table))
    rows = [
        "| state | " + " | ".join(event.__name__ for event in events) + " |",
        "|---|" + "---|" * len(events),
    ]
    for state in states:
        cells = [table[state, event].value if (state, event) in table else "·" for event in events]
        rows.append(f"| `{state.value}` | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def section(title: str, about: str, *parts: str) -> str:
    return "\n\n".join([f"## {title}", about, *parts])


def statuses() -> str:
    rows = ["| its turn is | the session is |", "|---|---|"]
    rows += [f"| `{state.value}` | `{now.value}` |" for state, now in session.STATUS_WITH.items()]
    return "\n".join(rows)


def page() -> str:
    terminal = [state for state in turn.TurnState if state in turn.TERMINAL]
    settled = [interrupt.InterruptState.CONFIRMED, interrupt.InterruptState.FORCED]
    parts = [
        HEAD.rstrip(),
        section(
            "Turn",
            "`core/turn.py`. These events end the epoch, so that no frame of it may write any "
            f"more: {', '.join(sorted(event.__name__ for event in turn.FENCING))}.",
            diagram(turn.TurnState.QUEUED, terminal, turn.TRANSITIONS),
            grid(turn.TurnState, turn.TRANSITIONS),
        ),
        section("Session", "`core/session.py`: a function of its turns.", statuses()),
        section(
            "Interrupt",
            "`core/interrupt.py`. `already_idle` is where an interrupt begins and ends that "
            "found nothing to stop.",
            diagram(interrupt.InterruptState.REQUESTED, settled, interrupt.TRANSITIONS),
            grid(interrupt.InterruptState, interrupt.TRANSITIONS),
        ),
        section(
            "Lease of a runner",
            "`core/lease.py`. `Checked` ends a lease whose time is over.",
            diagram(lease.LeaseState.CONNECTED, [lease.LeaseState.ENDED], lease.TRANSITIONS),
            grid(lease.LeaseState, lease.TRANSITIONS),
        ),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    out.write_text(page())
