"""Small values that several nouns share: instants, ids, actors, usage, failures."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

Instant = NewType("Instant", int)
"""Microseconds since the Unix epoch."""

Tenant = NewType("Tenant", str)
SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
ItemId = NewType("ItemId", str)
InterruptId = NewType("InterruptId", str)
RunnerId = NewType("RunnerId", str)
Epoch = NewType("Epoch", int)


class Role(StrEnum):
    """What a token may do; see the proto option `roles`."""

    ADMIN = "admin"
    CLIENT = "client"
    RUNNER = "runner"
    VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the tenant and name of a token, and its role."""

    tenant: Tenant
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the provider counted them."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    failed_tokens: int = 0

    def counts(self) -> tuple[int, int, int, int, int]:
        """All of them, in the order of the fields."""
        return (
            self.input_tokens,
            self.cached_tokens,
            self.output_tokens,
            self.reasoning_tokens,
            self.failed_tokens,
        )

    def __add__(self, other: "Usage") -> "Usage":
        pairs = zip(self.counts(), other.counts(), strict=True)
        return Usage(*(mine + theirs for mine, theirs in pairs))


class FailureKind(StrEnum):
    """Whose fault, and whether it passes."""

    TRANSIENT = "transient"
    PERMANENT = "permanent"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a turn failed. `code` is a short stable word; `message` is for people."""

    kind: FailureKind
    code: str
    message: str
    provider_status: int | None = None
    retryable: bool = False


RUNNER_LOST = Failure(
    kind=FailureKind.TRANSIENT,
    code="runner_lost",
    message="the runner that held the turn was lost",
    retryable=True,
)
