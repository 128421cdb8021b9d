"""A scheduler that hunts for an instant: it lets two things go ever closer to their tie."""

import asyncio
import os
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

LONG = bool(os.environ.get("STEERSMAN_LONG"))
SEED = int(os.environ.get("STEERSMAN_SEED") or random.SystemRandom().getrandbits(32))
STRIDE = 512
"""Turns of the event loop: no call takes more of them to be decided."""


class Scheduler:
    """Gives one of two things a head start, counted in turns of the event loop.

    After each run `went` says who won; the other's head start grows until it wins,
    then the steps shrink. So the runs gather where the two meet, on any machine.
    Every choice besides comes from the printed seed.
    """

    def __init__(self, name: str) -> None:
        sys.stdout.write(f"STEERSMAN_SEED={SEED}\n")
        self._random = random.Random(f"{SEED} {name}")
        self._lead = self._random.randint(-8, 8)
        self._step = 8
        self._last: bool | None = None

    def maybe(self) -> bool:
        return self._random.random() < 0.5

    def went(self, to_the_first: bool) -> None:
        """Whether the first of the two had won in the last run."""
        turned = self._last is not None and self._last is not to_the_first
        self._step = max(1, self._step // 2) if turned else min(STRIDE, self._step * 2)
        self._lead += -self._step if to_the_first else self._step
        self._last = to_the_first

    async def let_go(
        self, first: Callable[[], Awaitable[Any]], second: Callable[[], Awaitable[Any]]
    ) -> list[Any]:
        """Run both; what each raised or answered."""
        lead = self._lead + self._random.randint(-self._step, self._step)
        early, late = (first, second) if lead > 0 else (second, first)
        begun = asyncio.ensure_future(early())
        for _ in range(abs(lead)):
            await asyncio.sleep(0)
        both = (begun, asyncio.ensure_future(late()))
        ordered = both if lead > 0 else both[::-1]
        return await asyncio.gather(*ordered, return_exceptions=True)
