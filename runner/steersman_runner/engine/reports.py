"""How work that ended becomes `turn_ended`. Pure; tasks and streams never live here."""

from collections.abc import Iterable, Sequence

from steersman.v1.interrupt_pb2 import INTERRUPT_MODE_ROLLBACK, InterruptMode
from steersman.v1.item_pb2 import (
    ITEM_ROLE_ASSISTANT,
    ITEM_STATUS_INCOMPLETE,
    ITEM_TYPE_FUNCTION_CALL_OUTPUT,
    ITEM_TYPE_MESSAGE,
    ContentBlock,
    Item,
)
from steersman.v1.runner_pb2 import (
    TURN_OUTCOME_ABANDONED,
    TURN_OUTCOME_COMPLETED,
    TURN_OUTCOME_FAILED,
    TURN_OUTCOME_STOPPED,
    TurnEnded,
)
from steersman.v1.turn_pb2 import FAILURE_KIND_INTERNAL, Failure
from steersman_runner.engine.text import RoundText
from steersman_runner.errors import FrameTooLarge, OutboxFull
from steersman_runner.harness.base import Answer, TurnFailed, Work
from steersman_runner.ids import new_id


def owned(items: Iterable[Item], work: Work, round_number: int) -> Sequence[Item]:
    """Copies of a harness's items that say which turn, attempt and round they are of."""
    copies = []
    for item in items:
        copy = Item()
        copy.CopyFrom(item)
        copy.turn_id, copy.attempt, copy.round = work.turn_id, work.attempt, round_number
        copies.append(copy)
    return copies


def cut_output(item: Item, limit: int) -> None:
    """Cuts an output to so many bytes of UTF-8, in place, between two characters."""
    encoded = item.output.encode()
    if item.type == ITEM_TYPE_FUNCTION_CALL_OUTPUT and len(encoded) > limit:
        item.output = encoded[:limit].decode(errors="ignore")
        item.truncated = True


def completed(answer: Answer, work: Work, round_number: int) -> TurnEnded:
    """The harness has its final answer."""
    return TurnEnded(
        outcome=TURN_OUTCOME_COMPLETED,
        items=owned(answer.items, work, round_number),
        stop_reason=answer.stop_reason,
        usage=answer.usage,
        round=round_number,
    )


def stopped(text: RoundText, mode: InterruptMode, work: Work) -> TurnEnded:
    """A stop_turn ended the work; the text so far stays unless the mode withdraws it."""
    ended = TurnEnded(outcome=TURN_OUTCOME_STOPPED, stop_reason="interrupted", round=text.round)
    partial = text.whole()
    if partial and mode != INTERRUPT_MODE_ROLLBACK:
        message = Item(
            id=new_id("item"),
            type=ITEM_TYPE_MESSAGE,
            role=ITEM_ROLE_ASSISTANT,
            status=ITEM_STATUS_INCOMPLETE,
            content=[ContentBlock(type="output_text", text=partial)],
        )
        ended.items.extend(owned([message], work, text.round))
    return ended


def abandoned(round_number: int) -> TurnEnded:
    """This runner does not go on; another one should."""
    return TurnEnded(outcome=TURN_OUTCOME_ABANDONED, stop_reason="runner_lost", round=round_number)


def failed(error: BaseException, round_number: int) -> TurnEnded:
    """The harness raised. Of an error that is not a TurnFailed only the type is told."""
    failure, stop_reason = _failure(error)
    return TurnEnded(
        outcome=TURN_OUTCOME_FAILED, error=failure, stop_reason=stop_reason, round=round_number
    )


def _failure(error: BaseException) -> tuple[Failure, str]:
    match error:
        case TurnFailed():
            return error.failure, error.stop_reason
        case FrameTooLarge():
            code, message = "frame_too_large", str(error)
        case OutboxFull():
            code, message = "outbox_full", str(error)
        case _:
            code, message = "harness_error", f"the harness raised {type(error).__name__}"
    return Failure(kind=FAILURE_KIND_INTERNAL, code=code, message=message), "error"
