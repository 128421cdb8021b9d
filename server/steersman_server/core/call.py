"""One call as the services see it, whichever door it came through."""

from dataclasses import dataclass

from steersman_server.core.values import Caller


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls what, from where; `correlation_id` stands in the log and in internal errors.

    `time_left` is the caller's deadline in seconds when the call came in; None
    without one.
    """

    caller: Caller
    method: str
    peer: str
    correlation_id: str
    time_left: float | None = None
