"""Runners as the record knows them. Whether one is connected is the hub's to say."""

from collections.abc import Mapping
from dataclasses import dataclass

from steersman_server.core.agent import check_name
from steersman_server.core.refusals import BadRequest, ProtocolMismatch
from steersman_server.core.values import Instant, RunnerId, Tenant

PROTOCOL = (1, 1)
"""The range of protocol versions that this server speaks."""


@dataclass(frozen=True, slots=True)
class Runner:
    """A runner as it introduced itself last."""

    id: RunnerId
    tenant: Tenant
    generation: int
    labels: Mapping[str, str]
    slots: int
    harnesses: tuple[str, ...]
    tools: tuple[str, ...]
    version: str
    protocol: int
    address: str
    connected_at: Instant
    last_seen_at: Instant


def negotiate(runner: tuple[int, int], server: tuple[int, int] = PROTOCOL) -> int:
    """The highest version that both speak; raises ProtocolMismatch."""
    highest = min(runner[1], server[1])
    if highest < max(runner[0], server[0]):
        raise ProtocolMismatch(runner, server)
    return highest


def check_hello(runner_id: str, slots: int) -> None:
    """Raises BadRequest with the field of hello that is out of range."""
    check_name("hello.runner_id", runner_id)
    if not 1 <= slots <= 10_000:
        raise BadRequest("hello.slots", "must be 1 to 10000")
