"""Samples by name, what they come to, and the table of them. Nothing is judged here."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

YARDSTICK = "echo, unary"
AIMS: Mapping[str, float] = {  # milliseconds, of the median
    "send → first delta": 10.0,
    "interrupt → harness stopped": 5.0,
    "interrupt → every watcher told": 15.0,
}


class Figure(NamedTuple):
    """What the samples of one name come to; times in milliseconds."""

    samples: int
    p50: float
    p95: float
    max: float
    ratio: float  # of the median to that of the yardstick
    aim: float | None


class Figures:
    """Samples in seconds, under the names and in the order in which they came."""

    def __init__(self) -> None:
        self._samples: dict[str, list[float]] = {}

    def add(self, name: str, seconds: float) -> None:
        self._samples.setdefault(name, []).append(seconds)

    def summary(self) -> Mapping[str, Figure]:
        """A figure for every name."""
        yardstick = quantile(self._samples[YARDSTICK], 0.5)
        return {name: _figure(name, of, yardstick) for name, of in self._samples.items()}


def quantile(samples: Sequence[float], share: float) -> float:
    """The smallest sample that at least `share` of the samples do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def table(figures: Mapping[str, Figure]) -> str:
    """The figures for a terminal, the aims beside those that have one."""
    width = max(map(len, figures))
    head = (
        f"{'milliseconds':{width}}  {'n':>6} {'p50':>8} {'p95':>8} {'max':>8} {'to echo':>8}  aim"
    )
    # The yardsticks first: what is measured is always from something → to something.
    ordered = sorted(figures.items(), key=lambda named: "→" in named[0])
    return "\n".join([head, *(_line(name, f, width) for name, f in ordered)])


def _figure(name: str, samples: Sequence[float], yardstick: float) -> Figure:
    median = quantile(samples, 0.5)
    return Figure(
        samples=len(samples),
        p50=round(median * 1000, 3),
        p95=round(quantile(samples, 0.95) * 1000, 3),
        max=round(max(samples) * 1000, 3),
        ratio=round(median / yardstick, 2),
        aim=AIMS.get(name),
    )


def _line(name: str, f: Figure, width: int) -> str:
    aim = "" if f.aim is None else f"p50 ≤ {f.aim:g}"
    numbers = f"{f.samples:6} {f.p50:8.2f} {f.p95:8.2f} {f.max:8.2f} {f.ratio:8.1f}"
    return f"{name:{width}}  {numbers}  {aim}".rstrip()
