"""What ends a link or a runner. Failures of a turn never live here: see harness.base."""

from typing import NamedTuple

import grpc


class RunnerError(Exception):
    """Base of everything that a runner raises on its own account."""


class LinkEnd(NamedTuple):
    """How a stream ended: gRPC's code, our reason where there was one, and the text."""

    code: grpc.StatusCode
    reason: str
    message: str


class LinkLost(RunnerError):
    """The stream is gone without our goodbye; another one may take over."""


class LinkRefused(RunnerError):
    """The server will not have this runner, however often it asks. Carries the LinkEnd."""

    def __init__(self, end: LinkEnd) -> None:
        super().__init__(f"{end.reason}: {end.message}")
        self.end = end


class OutboxFull(RunnerError):
    """More frames wait for the server than may. Carries what waits and the limit."""

    def __init__(self, waiting: str, limit: int) -> None:
        super().__init__(f"over {limit} {waiting} wait for the server")
        self.waiting = waiting
        self.limit = limit


class FrameTooLarge(RunnerError):
    """A frame is over what the stream carries. Sizes in bytes."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"a frame of {size} bytes is over the limit of {limit}")
        self.size = size
        self.limit = limit
