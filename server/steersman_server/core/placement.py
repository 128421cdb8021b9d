"""Placement: which runner gets a turn. A function from facts to a choice."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from steersman_server.core.notices import TurnReady
from steersman_server.core.values import RunnerId


class Candidate(NamedTuple):
    """A connected runner as placement sees it."""

    runner_id: RunnerId
    slots: int
    used: int
    harnesses: frozenset[str]
    tools: frozenset[str]
    labels: Mapping[str, str]

    @property
    def free(self) -> int:
        return self.slots - self.used


def fits(turn: TurnReady, runner: Candidate) -> bool:
    """Whether the runner could ever take the turn, slots apart."""
    return (
        turn.harness in runner.harnesses
        and turn.tools <= runner.tools
        and turn.runner_id in (None, runner.runner_id)
        and turn.selector.items() <= runner.labels.items()
    )


def place(turn: TurnReady, fleet: Iterable[Candidate]) -> RunnerId | None:
    """The fitting runner with the most free slots, by name among equals; None for none."""
    fitting = [runner for runner in fleet if runner.free > 0 and fits(turn, runner)]
    if not fitting:
        return None
    return min(fitting, key=lambda runner: (-runner.free, runner.runner_id)).runner_id
