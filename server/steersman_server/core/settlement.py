"""What history must hold when an attempt ends: outputs for open calls, partial text, the marker."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from steersman_server.core.interrupt import InterruptMode
from steersman_server.core.items import (
    ContentBlock,
    Item,
    ItemRole,
    ItemStatus,
    ItemType,
    open_calls,
)
from steersman_server.core.turn import Turn
from steersman_server.core.values import Instant, ItemId

MARKER: Final = "interrupted"
MARKER_TEXT: Final = (
    "[interrupted] The request above was interrupted by the user and is abandoned. "
    "What was done for it may be incomplete; do not go on with it unless asked again."
)
INTERRUPTED_OUTPUT: Final = (
    "interrupted: the call was stopped before it gave a result; it may have had effects"
)
LOST_OUTPUT: Final = (
    "unknown: the turn ended before the call gave a result; it may have had effects"
)


@dataclass(frozen=True, slots=True)
class Settlement:
    """Items to add, in order, and items to withdraw."""

    add: tuple[Item, ...] = ()
    withdraw: tuple[ItemId, ...] = ()


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes items of one attempt: who, when, and where ids come from."""

    turn: Turn
    actor: str
    now: Instant
    new_item_id: Callable[[], ItemId]

    def output(self, call: Item, text: str) -> Item:
        return Item(
            id=self.new_item_id(),
            type=ItemType.FUNCTION_CALL_OUTPUT,
            session_id=self.turn.session_id,
            turn_id=self.turn.id,
            attempt=self.turn.attempt,
            created_at=self.now,
            actor=self.actor,
            round=call.round,
            status=ItemStatus.INCOMPLETE,
            name=call.name,
            call_id=call.call_id,
            call_item_id=call.id,
            output=text,
            synthetic=True,
        )

    def message(self, role: ItemRole, block: ContentBlock, **more: object) -> Item:
        return Item(
            id=self.new_item_id(),
            type=ItemType.MESSAGE,
            session_id=self.turn.session_id,
            turn_id=self.turn.id,
            attempt=self.turn.attempt,
            created_at=self.now,
            actor=self.actor,
            role=role,
            content=(block,),
            **more,  # type: ignore[arg-type]
        )


def partial_message(pen: Pen, text: str, *, truncated: bool) -> Item:
    """The assistant text that watchers saw of a round that never ended."""
    return pen.message(
        ItemRole.ASSISTANT,
        ContentBlock("output_text", text),
        status=ItemStatus.INCOMPLETE,
        truncated=truncated,
        round=pen.turn.round + 1,
    )


def settle_interrupted(
    pen: Pen, mode: InterruptMode, attempt: Sequence[Item], ending: Sequence[Item]
) -> Settlement:
    """What an interrupt leaves behind.

    `attempt` is what history holds of it, `ending` what its end brought: a final
    answer, or partial text. Keep: `ending`, an output for every open call, one
    marker. Rollback: no marker, and calls without a real output are withdrawn; a
    final answer that came in the same instant stays, partial text does not.
    """
    if mode is InterruptMode.ROLLBACK:
        whole = tuple(item for item in ending if item.status is ItemStatus.COMPLETED)
        return Settlement(
            add=whole, withdraw=tuple(call.id for call in open_calls([*attempt, *whole]))
        )
    marker = pen.message(
        ItemRole.USER, ContentBlock("input_text", MARKER_TEXT), marker=MARKER, synthetic=True
    )
    return Settlement(add=(*_answered(pen, attempt, ending, INTERRUPTED_OUTPUT), marker))


def settle_ended(pen: Pen, attempt: Sequence[Item], ending: Sequence[Item]) -> Settlement:
    """What a completed or failed attempt leaves behind: no call without its output."""
    return Settlement(add=_answered(pen, attempt, ending, LOST_OUTPUT))


def _answered(
    pen: Pen, attempt: Sequence[Item], ending: Sequence[Item], text: str
) -> tuple[Item, ...]:
    """`ending`, with an output for every open call right behind the round that called."""
    unanswered = open_calls([*attempt, *ending])
    late = {item.id for item in ending}
    before = [pen.output(call, text) for call in unanswered if call.id not in late]
    after = [pen.output(call, text) for call in unanswered if call.id in late]
    return (*before, *ending, *after)
