"""Hello and Welcome ⇄ values."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version

from steersman.v1 import runner_pb2
from steersman_server.core.reconciliation import Held, Verdict
from steersman_server.core.runner import Runner, check_hello, negotiate
from steersman_server.core.turn import Turn
from steersman_server.core.values import Epoch, Instant, RunnerId, Tenant, TurnId
from steersman_server.settings import Settings
from steersman_server.wire.agents import duration

OUTPUT_LIMIT = 256 * 1024
FRAME_LIMIT = 31 * 1024 * 1024
"""Bytes in one frame: what the transport takes, with room for its envelope."""


@cache
def _version() -> str:
    return version("steersman")


def runner(hello: runner_pb2.Hello, tenant: Tenant, address: str, now: Instant) -> Runner:
    """Raises ProtocolMismatch and BadRequest."""
    protocol = negotiate((hello.protocol_min, hello.protocol_max))
    check_hello(hello.runner_id, hello.slots)
    return Runner(
        id=RunnerId(hello.runner_id),
        tenant=tenant,
        generation=hello.generation,
        labels=dict(hello.labels),
        slots=hello.slots,
        harnesses=tuple(hello.harnesses),
        tools=tuple(hello.tools),
        version=hello.version,
        protocol=protocol,
        address=address,
        connected_at=now,
        last_seen_at=now,
    )


def held(hello: runner_pb2.Hello) -> list[Held]:
    return [Held(TurnId(turn.turn_id), Epoch(turn.epoch)) for turn in hello.working_on]


def in_flight(hello: runner_pb2.Hello, kept: Sequence[Turn]) -> Iterator[tuple[Turn, int, str]]:
    """The text in flight of each kept turn: the turn, the round, the text."""
    turns = {turn.id: turn for turn in kept}
    for working in hello.working_on:
        turn = turns.get(TurnId(working.turn_id))
        if turn is not None and working.text:
            yield turn, working.round, working.text


def welcome(
    to: Runner, verdicts: Sequence[Verdict], settings: Settings
) -> runner_pb2.ServerMessage:
    return runner_pb2.ServerMessage(
        welcome=runner_pb2.Welcome(
            protocol=to.protocol,
            version=_version(),
            heartbeat_interval=duration(settings.heartbeat_interval),
            lease=duration(settings.lease),
            isolation_limit=duration(settings.isolation_limit),
            max_message_bytes=FRAME_LIMIT,
            max_output_bytes=OUTPUT_LIMIT,
            verdicts=[
                runner_pb2.Verdict(
                    turn_id=verdict.turn_id,
                    epoch=verdict.epoch,
                    keep=verdict.keep,
                    acknowledged=verdict.acknowledged,
                )
                for verdict in verdicts
            ],
        )
    )
