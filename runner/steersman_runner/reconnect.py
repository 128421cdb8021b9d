"""When to connect again, and when never to. Pure: sockets and clocks never live here."""

import secrets
from collections.abc import Callable

import grpc

from steersman_runner.errors import LinkEnd, LinkLost, LinkRefused

# Asking again changes nothing. INTERNAL and UNAVAILABLE are absent on purpose:
# proxies and restarting servers produce them for streams that were only cut.
UNRECOVERABLE_CODES = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
# Their codes have other, passing reasons too. `bad_request` is a hello that will
# be as malformed the next time.
UNRECOVERABLE_REASONS = frozenset({"protocol_mismatch", "bad_request"})

_RANDOM = secrets.SystemRandom()


def verdict_on(end: LinkEnd) -> LinkLost | LinkRefused:
    """What to raise for a stream that ended so."""
    if end.code in UNRECOVERABLE_CODES or end.reason in UNRECOVERABLE_REASONS:
        return LinkRefused(end)
    return LinkLost(f"{end.reason}: {end.message}")


class Backoff:
    """Full jitter: each wait is drawn from a window that doubles up to a cap, in seconds."""

    def __init__(
        self,
        first: tuple[float, float],
        cap: float,
        draw: Callable[[float, float], float] = _RANDOM.uniform,
    ) -> None:
        self._first = first
        self._cap = cap
        self._draw = draw
        self._failures = 0

    def next(self) -> float:
        """The wait before the next try."""
        wait = self._draw(*self.window())
        self._failures += 1
        return wait

    def window(self) -> tuple[float, float]:
        """The shortest and the longest that the next wait can be."""
        shortest, longest = self._first
        # 2**32 is over every cap; more would only overflow a float.
        return shortest, min(self._cap, longest * 2.0 ** min(self._failures, 32))

    def reset(self) -> None:
        """A link stood; the next loss starts from the first window."""
        self._failures = 0
