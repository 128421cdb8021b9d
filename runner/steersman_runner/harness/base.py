"""What a harness is: the thing that answers one turn. Links and frames never live here."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from steersman.v1.agent_pb2 import Agent
from steersman.v1.item_pb2 import Item, Usage
from steersman.v1.turn_pb2 import Failure


class Work(NamedTuple):
    """A turn as the server handed it over.

    `history` is valid for a model but for calls of the newest round that have no
    output yet: a try that was lost left them. Of those, the ones in
    `started_call_ids` (item ids) began to run on another runner; a tool that is
    not repeatable must not run again and gets an output that says so.
    """

    turn_id: str
    session_id: str
    attempt: int
    try_number: int
    round: int  # rounds of this attempt that are durable already
    agent: Agent
    history: Sequence[Item]
    started_call_ids: frozenset[str]


class Answer(NamedTuple):
    """The end of a turn: the final round's items (no calls) and why it ended."""

    items: Sequence[Item]
    usage: Usage
    stop_reason: str = "end_turn"


class TurnFailed(Exception):
    """The turn cannot go on. Carries what the caller of the API will read."""

    def __init__(self, failure: Failure, stop_reason: str = "error") -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.stop_reason = stop_reason


class Desk(Protocol):
    """Where a harness reports. Each awaited method returns once the server has committed it."""

    def delta(self, text: str) -> None:
        """Text of the round in flight, for watchers and for what an interrupt keeps."""

    async def round(self, items: Sequence[Item], usage: Usage) -> None:
        """A model answer with calls. No tool of it may start before this returns."""

    async def call_started(self, call_item_id: str) -> None:
        """A tool that must not run twice is about to run; it may once this returns."""

    async def output(self, item: Item) -> None:
        """The output of one call, as it lands."""


class Harness(Protocol):
    """Answers turns of agents that name it.

    A stop is a cancellation of `run`: it must close the model's stream, end and
    await its tools, report outputs that exist, and only then let CancelledError
    through. It raises TurnFailed for everything that ends the turn otherwise.
    """

    name: str

    async def run(self, work: Work, desk: Desk) -> Answer: ...
