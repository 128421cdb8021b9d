"""Plain values for the rules of the server's core: one of each kind, changed by keyword."""

from dataclasses import replace
from typing import Any, Final

from steersman_server.core.interrupt import Interrupt, InterruptMode, InterruptState
from steersman_server.core.items import (
    ContentBlock,
    Item,
    ItemRole,
    ItemStatus,
    ItemType,
)
from steersman_server.core.turn import HELD, TERMINAL, Turn, TurnState
from steersman_server.core.values import (
    Epoch,
    Instant,
    InterruptId,
    ItemId,
    RunnerId,
    SessionId,
    Tenant,
    TurnId,
    Usage,
)

NOW: Final = Instant(1_700_000_000_000_000)
LATER: Final = Instant(NOW + 5_000_000)
RUNNER: Final = RunnerId("runner-1")
SESSION: Final = SessionId("sess_1")
TURN: Final = TurnId("turn_1")
TENANT: Final = Tenant("default")


def a_turn(state: TurnState = TurnState.RUNNING, **more: Any) -> Turn:
    """A turn in `state` at its second epoch, with the facts that are true in it."""
    turn = Turn(
        id=TURN,
        session_id=SESSION,
        tenant=TENANT,
        input_item_id=ItemId("item_in"),
        created_at=NOW,
        state=state,
        active=state not in TERMINAL,
        try_number=1,
        round=3,
        epoch=Epoch(2),
        frame=7,
        runner_id=RUNNER if state in HELD else None,
        interrupt_id=InterruptId("int_1") if state is TurnState.INTERRUPTING else None,
        usage=Usage(input_tokens=10),
        ended_at=NOW if state in TERMINAL else None,
    )
    return replace(turn, **more)


def an_interrupt(state: InterruptState = InterruptState.REQUESTED, **more: Any) -> Interrupt:
    interrupt = Interrupt(
        id=InterruptId("int_1"),
        tenant=TENANT,
        session_id=SESSION,
        state=state,
        mode=InterruptMode.KEEP,
        reason="enough",
        actor="client",
        requested_at=NOW,
        turn_id=TURN,
        attempt=1,
    )
    return replace(interrupt, **more)


def an_item(item_id: str, kind: ItemType, **more: Any) -> Item:
    item = Item(
        id=ItemId(item_id),
        type=kind,
        session_id=SESSION,
        turn_id=TURN,
        attempt=1,
        created_at=NOW,
        actor=RUNNER,
        round=1,
    )
    return replace(item, **more)


def a_call(item_id: str, **more: Any) -> Item:
    """A function call; providers reuse call ids, so all of them have the same."""
    return an_item(item_id, ItemType.FUNCTION_CALL, name="tool", call_id="call_0", **more)


def an_output(item_id: str, of: str, **more: Any) -> Item:
    named = {"call_item_id": ItemId(of), "call_id": "call_0", "output": "42"}
    return an_item(item_id, ItemType.FUNCTION_CALL_OUTPUT, **named, **more)


def said(item_id: str, text: str, *, whole: bool = True, **more: Any) -> Item:
    """An assistant's message; one that is not whole is partial text."""
    status = ItemStatus.COMPLETED if whole else ItemStatus.INCOMPLETE
    content = (ContentBlock("output_text", text),)
    facts = {"role": ItemRole.ASSISTANT, "status": status, "content": content}
    return an_item(item_id, ItemType.MESSAGE, **facts, **more)
