"""What a runner reports about a turn, as values. Numbers and epochs are the link's promise."""

from dataclasses import dataclass

from steersman_server.core.items import Item
from steersman_server.core.turn import Completed, Failed, Stopped
from steersman_server.core.values import Epoch, ItemId, RunnerId, TurnId, Usage


@dataclass(frozen=True, slots=True)
class TurnAccepted:
    """The runner takes the turn."""


@dataclass(frozen=True, slots=True)
class RoundCommitted:
    """A model answer with calls."""

    round: int
    items: tuple[Item, ...]
    usage: Usage


@dataclass(frozen=True, slots=True)
class OutputCommitted:
    """The output of one call."""

    item: Item


@dataclass(frozen=True, slots=True)
class CallBegun:
    """A tool that must not run twice is about to run."""

    item_id: ItemId


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The work has really ended; `items` is the final answer, or partial text."""

    how: Completed | Failed | Stopped
    items: tuple[Item, ...]
    round: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One durable frame: numbered 1, 2, 3, … per (turn, epoch)."""

    runner_id: RunnerId
    turn_id: TurnId
    epoch: Epoch
    number: int
    what: TurnAccepted | RoundCommitted | OutputCommitted | CallBegun | TurnEnded
