"""What a runner of the property test remembers of a turn it was given, and the frames it makes."""

import itertools
from dataclasses import dataclass, field

from steersman_server.core.frames import (
    CallBegun,
    Frame,
    OutputCommitted,
    RoundCommitted,
    TurnAccepted,
    TurnEnded,
)
from steersman_server.core.items import ContentBlock, Item, ItemRole, ItemStatus, ItemType
from steersman_server.core.turn import Completed, Failed, Stopped
from steersman_server.core.values import (
    Epoch,
    Failure,
    FailureKind,
    Instant,
    ItemId,
    RunnerId,
    SessionId,
    TurnId,
    Usage,
)

What = TurnAccepted | RoundCommitted | OutputCommitted | CallBegun | TurnEnded
_ids = itertools.count(1)


@dataclass
class Hold:
    """A turn under one epoch, as its runner sees it; it never hears that the epoch is over."""

    runner_id: RunnerId
    turn_id: TurnId
    epoch: Epoch
    number: int = 0
    round: int = 0
    open_calls: list[ItemId] = field(default_factory=list)

    @property
    def place(self) -> tuple[RunnerId, TurnId, Epoch]:
        return self.runner_id, self.turn_id, self.epoch

    def frame(self, what: What, number: int = 0) -> Frame:
        """The next frame; it counts once `committed` is called."""
        number = number or self.number + 1
        return Frame(self.runner_id, self.turn_id, self.epoch, number, what)

    def committed(self, what: What) -> None:
        self.number += 1
        match what:
            case RoundCommitted(round, items):
                self.round = round
                self.open_calls += [i.id for i in items if i.type is ItemType.FUNCTION_CALL]
            case OutputCommitted(item):
                self.open_calls.remove(item.call_item_id)

    def answers_with_calls(self, calls: int, *, says: bool) -> RoundCommitted:
        spoken = (message("let me see", ItemStatus.COMPLETED),) if says else ()
        wanted = tuple(_item(ItemType.FUNCTION_CALL, name="tool") for _ in range(calls))
        return RoundCommitted(self.round + 1, (*spoken, *wanted), Usage(output_tokens=1))

    def ends(self, how: str, text: str = "") -> TurnEnded:
        items: tuple[Item, ...] = ()
        if text:
            whole = how == "completed"
            items = (message(text, ItemStatus.COMPLETED if whole else ItemStatus.INCOMPLETE),)
        return TurnEnded(HOW[how], items, self.round + 1)


HOW = {
    "completed": Completed("end_turn", Usage()),
    "failed": Failed(Failure(FailureKind.PERMANENT, "broken", "it broke"), "error", Usage()),
    "stopped": Stopped(Usage()),
}


def output(call: ItemId) -> OutputCommitted:
    return OutputCommitted(
        _item(ItemType.FUNCTION_CALL_OUTPUT, call_item_id=call, output="a result")
    )


def message(text: str, status: ItemStatus) -> Item:
    block = ContentBlock("output_text", text)
    return _item(ItemType.MESSAGE, role=ItemRole.ASSISTANT, content=(block,), status=status)


def _item(type_: ItemType, **fields: object) -> Item:
    # The server puts in what it knows better: session, turn, attempt, actor, round.
    return Item(
        id=ItemId(f"item_modelled_{next(_ids)}"),
        type=type_,
        session_id=SessionId(""),
        turn_id=TurnId(""),
        attempt=0,
        created_at=Instant(0),
        actor="",
        **fields,  # type: ignore[arg-type]
    )
