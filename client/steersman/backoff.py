"""How long to wait before trying again. Never waits itself."""

import random
from collections.abc import Iterator

FIRST = (0.05, 0.25)
CAP = 5.0


def delays() -> Iterator[float]:
    """Seconds before each try after the first: quick once, then full jitter up to a cap.

    The jitter spreads clients that lost the same server at the same instant.
    """
    yield random.uniform(*FIRST)  # noqa: S311 - spreads load, guards nothing
    ceiling = 2 * FIRST[1]
    while True:
        yield random.uniform(FIRST[0], ceiling)  # noqa: S311
        ceiling = min(CAP, 2 * ceiling)
