"""One run: the live sessions, the samples, the yardstick around them; in bounded time."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import NamedTuple

from bench.calibration import Calibration, calibration
from bench.figures import Figures
from bench.fleet import Fleet, fleet
from bench.live import LiveSession
from bench.measure import measure
from bench.moments import now

AGENT = "bench"
WORD = "streaming "
WARM_UP = 5  # samples that are thrown away: the server compiles its statements in them
LEAVING = 3.0  # seconds kept for the last calibration and for ending the processes


class Plan(NamedTuple):
    """How a run goes. Times in seconds."""

    sessions: int = 50
    seconds: float = 45.0  # of the whole run
    samples: int | None = None  # at most; unset means as many as fit
    delta_every: float = 0.2  # of each live turn
    calibration: float = 0.5  # for each of the three yardsticks, three times


class Outcome(NamedTuple):
    """What a run came to; `busy` is the share of a core that a process used meanwhile."""

    figures: Figures
    busy: Mapping[str, float]


async def run(plan: Plan) -> Outcome:
    """Raises ChildFailed, TimeoutError, and what the client raises."""
    until = now() + plan.seconds - LEAVING
    figures = Figures()
    async with (
        fleet(slots=plan.sessions + 1) as parts,
        asyncio.timeout(plan.seconds + 30.0),
        calibration(parts.echo, parts.directory, plan.calibration) as yardstick,
        asyncio.TaskGroup() as tasks,
    ):
        await yardstick.measure(figures, "before")
        await parts.client.agents.create(AGENT, harness="scripted", options=_script(plan))
        lives = [await _live(parts, tasks) for _ in range(plan.sessions)]
        for live in lives[:WARM_UP]:
            await measure(live, parts.stops, Figures())
        busy = await _measure_all(plan, parts, lives, yardstick, figures, until)
        await yardstick.measure(figures, "after")
        for live in lives:
            live.leave()
    return Outcome(figures, busy)


def _script(plan: Plan) -> Mapping[str, object]:
    """The first text at once, then more of it for longer than the run."""
    deltas = math.ceil(2 * (plan.seconds + 30.0) / plan.delta_every)
    step = {"text": WORD * deltas, "deltas": deltas, "delay": plan.delta_every}
    return {"script": [step]}


async def _live(parts: Fleet, tasks: asyncio.TaskGroup) -> LiveSession:
    live = LiveSession(await parts.client.sessions.create(AGENT), tasks)
    await live.begin()
    return live


async def _measure_all(
    plan: Plan,
    parts: Fleet,
    lives: Sequence[LiveSession],
    yardstick: Calibration,
    figures: Figures,
    until: float,
) -> Mapping[str, float]:
    """One session after the other, round and round; the yardstick once at half-time."""
    began, used = now(), [child.cpu_seconds() for child in parts.children]
    half, half_samples = (began + until) / 2, (plan.samples or 0) // 2
    halved = False
    for count, live in enumerate(cycle(lives), start=1):
        await measure(live, parts.stops, figures)
        ended = now() >= until or count == plan.samples
        if not halved and (ended or now() >= half or count == half_samples):
            halved = True
            await yardstick.measure(figures, "in between")
        if ended:
            break
    took = now() - began
    return {
        child.name: round((child.cpu_seconds() - before) / took, 2)
        for child, before in zip(parts.children, used, strict=True)
    }
