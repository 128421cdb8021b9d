"""Items, events and interrupts in a line of words. Prints nothing."""

from steersman.cli.output import visible
from steersman.v1.event_pb2 import Event
from steersman.v1.interrupt_pb2 import Interrupt
from steersman.v1.item_pb2 import Item, ItemStatus, ItemType
from steersman.v1.turn_pb2 import Failure, PendingInput, Turn
from steersman.words import kind, short, text

# A line for people shows so much of a text.
WIDTH = 240


def clipped(words: str) -> str:
    """A text on one line, cut to what a line can show."""
    line = " ".join(visible(words).split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def call(item: Item) -> str:
    """A function call: its name and arguments."""
    return f"{visible(item.name)}({clipped(item.arguments)})"


def item_line(item: Item) -> str:
    """An item: who said it, and the beginning of what."""
    notes = [
        *(["withdrawn"] if item.HasField("withdrawn_at") else []),
        *(["incomplete"] if item.status == ItemStatus.ITEM_STATUS_INCOMPLETE else []),
        *(["synthetic"] if item.synthetic else []),
        *(["truncated"] if item.truncated else []),
    ]
    noted = f" [{', '.join(notes)}]" if notes else ""
    return f"{speaker(item)}{noted}: {body(item)}"


def speaker(item: Item) -> str:
    """Who an item is from."""
    match item.type:
        case ItemType.ITEM_TYPE_FUNCTION_CALL:
            return "call"
        case ItemType.ITEM_TYPE_FUNCTION_CALL_OUTPUT:
            return "output"
        case ItemType.ITEM_TYPE_REASONING:
            return "reasoning"
    return f"marker {item.marker}" if item.marker else short(item, "role")


def body(item: Item) -> str:
    """What an item says, on one line."""
    if item.type == ItemType.ITEM_TYPE_FUNCTION_CALL:
        return call(item)
    return clipped(text(item))


def event_line(event: Event) -> str:
    """An event: its sequence, kind, and what it is about."""
    return f"{event.sequence:>5}  {kind(event):<20} {event_summary(event)}".rstrip()


def event_summary(event: Event) -> str:
    """What an event is about."""
    match event.WhichOneof("data"):
        case "session":
            return f"{event.session.id} agent={event.session.agent} {clipped(event.session.title)}"
        case "turn":
            return turn_summary(event.turn)
        case "item":
            return item_line(event.item)
        case "input":
            return f"{event.turn_id} {input_line(event.input)}"
        case "interrupt":
            return f"{event.interrupt.id} {event.interrupt.turn_id}"
        case "call_started":
            return event.call_started.item_id
        case "items_withdrawn":
            gone = event.items_withdrawn
            return f"{', '.join(gone.item_ids)} ({gone.cause})"
    return ""


def turn_summary(turn: Turn) -> str:
    """A turn: its id, who has it, why it does not go on."""
    parts = [
        turn.id,
        f"on {turn.runner_id}" if turn.runner_id else "",
        f"blocked: {turn.blocked_reason}" if turn.blocked_reason else "",
        failure_line(turn.error) if turn.HasField("error") else "",
    ]
    return " ".join(part for part in parts if part)


def failure_line(failure: Failure) -> str:
    """Why a turn failed: kind, code, the provider's status, and the message."""
    status = f" {failure.provider_status}" if failure.HasField("provider_status") else ""
    return f"{short(failure, 'kind')} {failure.code}{status}: {clipped(failure.message)}"


def input_line(waiting: PendingInput) -> str:
    """A waiting input: the beginning of its text."""
    return clipped("".join(block.text for block in waiting.content))


def interrupt_lines(interrupt: Interrupt) -> list[str]:
    """What became of an interrupt, told as far as it is known."""
    lines = [OUTCOMES.get(short(interrupt, "state"), short(interrupt, "state"))]
    lines[0] = lines[0].format(turn=interrupt.turn_id)
    if interrupt.HasField("may_run_until"):
        until = interrupt.may_run_until.ToJsonString()
        lines.append(
            f"a machine that is cut off may still work until {until}; nothing of it counts"
        )
    lines += [f"dropped a waiting message: {input_line(one)}" for one in interrupt.dropped_inputs]
    return lines


OUTCOMES = {
    "requested": "requested: {turn} is asked to stop; its runner has not answered yet",
    "delivered": "delivered: the runner of {turn} has the stop; the work has not ended yet",
    "confirmed": "confirmed: {turn} has stopped, and its work has really ended",
    "forced": "forced: {turn} was settled without its runner, which did not confirm in time",
    "already_idle": "already idle: there was nothing to stop",
}
