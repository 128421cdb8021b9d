"""A turn as a runner needs it."""

from dataclasses import dataclass

from steersman_server.core.agent import Agent
from steersman_server.core.items import Item
from steersman_server.core.turn import Turn
from steersman_server.core.values import ItemId


@dataclass(frozen=True, slots=True)
class Assignment:
    """The turn, who answers it, and the history.

    `started_calls` are open calls whose tools began on another runner.
    """

    turn: Turn
    agent: Agent
    history: tuple[Item, ...]
    started_calls: frozenset[ItemId]
