"""The rules of a session's log, checked on its events alone. Holds no tests and asks no server."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from steersman import kind, short
from steersman.v1.event_pb2 import Event
from steersman.v1.interrupt_pb2 import Interrupt
from steersman.v1.item_pb2 import Item
from steersman.v1.turn_pb2 import Turn

WAITING_LIMIT = 64
TERMINAL = {"completed", "failed", "interrupted"}
SETTLED = {"confirmed", "forced"}
STATUS = {
    "queued": "running",
    "assigned": "running",
    "running": "running",
    "backing_off": "running",
    "waiting": "waiting",
    "interrupting": "running",
    "completed": "idle",
    "failed": "failed",
    "interrupted": "idle",
}
"""A session's status by the state of its active turn, or of the last one that was active."""


@dataclass
class Log:
    """Reads a log event by event; every event must fit what came before.

    `check` says whether what was read may be all that is committed: call it where
    a transaction has ended.
    """

    sequence: int = 0
    status: str = ""
    events: list[Event] = field(default_factory=list)
    turns: dict[str, Turn] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    outputs: dict[str, Item] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    interrupts: dict[str, Interrupt] = field(default_factory=dict)
    current: str = ""
    """The active turn, or the last one that was active."""
    marked: set[str] = field(default_factory=set)
    asked: dict[str, str] = field(default_factory=dict)
    """The user message of each turn that has entered history."""

    def read(self, events: Iterable[Event]) -> "Log":
        for event in events:
            self._read(event)
        return self

    def _read(self, event: Event) -> None:
        assert event.sequence == self.sequence + 1, "sequences are dense"
        self.sequence = event.sequence
        self.status = short(event, "session_status")
        self.events.append(event)
        match event.WhichOneof("data"):
            case "turn":
                self._turn(event.turn)
            case "item":
                self._item(event.item, event.sequence)
            case "input":
                self._input(kind(event), event.input.item_id)
            case "interrupt":
                self._interrupt(kind(event), event.interrupt)
            case "items_withdrawn":
                self._withdraw(list(event.items_withdrawn.item_ids))

    def _turn(self, turn: Turn) -> None:
        before = self.turns.get(turn.id)
        if before is not None and before.attempt == turn.attempt:
            assert short(before, "state") not in TERMINAL, "a terminal attempt never changes"
            assert turn.epoch >= before.epoch, "epochs only rise"
        self.turns[turn.id] = turn
        if turn.active:
            assert self.current == turn.id or not self.busy, "at most one turn is active"
            self.current = turn.id
        elif short(turn, "state") not in TERMINAL:
            raise AssertionError("a turn that waits has no turn events")

    def _item(self, item: Item, sequence: int) -> None:
        assert item.id not in self.items, "an item enters history once"
        assert item.sequence == sequence, "an item stands where its event stands"
        assert item.id not in self.dropped, "a dropped input never becomes an item"
        assert item.turn_id not in self.marked, "no item of a turn after its marker"
        self.items[item.id] = item
        match short(item, "type"), short(item, "role"):
            case ("message", "user"):
                self._marker(item) if item.marker else self._user(item)
            case ("function_call_output", _):
                assert item.call_item_id in self.items, "an output follows its call"
                assert item.call_item_id not in self.outputs, "a call has one output"
                self.outputs[item.call_item_id] = item

    def _user(self, item: Item) -> None:
        assert item.turn_id not in self.asked, "one user message a turn"
        assert not self.busy, "an input enters history when the turn before it has ended"
        if item.id in self.waiting:
            assert self.waiting[0] == item.id, "inputs that wait are first in, first out"
            self.waiting.remove(item.id)
        self.asked[item.turn_id] = item.id

    def _marker(self, item: Item) -> None:
        assert item.marker == "interrupted"
        assert "interrupted" in "".join(block.text for block in item.content)
        assert not self.open_calls(item.turn_id), "outputs stand before the marker"
        self.marked.add(item.turn_id)

    def _input(self, what: str, item_id: str) -> None:
        if what == "input_queued":
            assert self.busy, "an input waits only behind an active turn"
            self.waiting.append(item_id)
            assert len(self.waiting) <= WAITING_LIMIT
        else:
            self.waiting.remove(item_id)
            self.dropped.add(item_id)

    def _interrupt(self, what: str, interrupt: Interrupt) -> None:
        before = self.interrupts.get(interrupt.id)
        state = short(interrupt, "state")
        if what == "interrupt_requested":
            assert before is None, "an interrupt is requested once"
            bound = {(i.turn_id, i.attempt) for i in self.interrupts.values()}
            assert (interrupt.turn_id, interrupt.attempt) not in bound, "one interrupt an attempt"
        else:
            assert before is not None
            assert (before.turn_id, before.attempt) == (interrupt.turn_id, interrupt.attempt)
            assert short(before, "state") not in SETTLED, "a settled interrupt never changes"
        assert interrupt.HasField("may_run_until") == (state == "forced")
        self.interrupts[interrupt.id] = interrupt

    def _withdraw(self, item_ids: list[str]) -> None:
        for item_id in item_ids:
            assert item_id in self.items
            assert item_id not in self.withdrawn, "an item is withdrawn once"
            assert item_id not in self.outputs, "a call with an output is not withdrawn"
            self.withdrawn.add(item_id)

    @property
    def busy(self) -> bool:
        return bool(self.current) and short(self.turns[self.current], "state") not in TERMINAL

    def open_calls(self, turn_id: str) -> list[str]:
        return [
            item.id
            for item in self.items.values()
            if item.turn_id == turn_id
            and short(item, "type") == "function_call"
            and item.id not in self.outputs
            and item.id not in self.withdrawn
        ]

    def standing(self) -> list[Item]:
        """The history, as it is now."""
        return [item for item in self.items.values() if item.id not in self.withdrawn]

    def check(self) -> "Log":
        """The rules that hold whenever a transaction has ended."""
        expected = STATUS[short(self.turns[self.current], "state")] if self.current else "idle"
        assert self.status == expected, "the status is that of the active turn"
        assert not self.waiting or self.busy, "nothing waits in a session that is ready"
        assert not set(self.waiting) & self.items.keys(), "an input that waits is not history"
        for turn in self.turns.values():
            if short(turn, "state") in TERMINAL:
                assert not self.open_calls(turn.id), "a terminal attempt has no open call"
        markers = Counter(item.turn_id for item in self.items.values() if item.marker)
        owed = [i.turn_id for i in self.interrupts.values() if self._owes_marker(i)]
        assert markers == Counter(owed), "one marker for each settled interrupt that keeps"
        self._check_interrupts()
        return self

    def _owes_marker(self, interrupt: Interrupt) -> bool:
        return (
            short(interrupt, "state") in SETTLED
            and short(interrupt, "mode") == "keep"
            and interrupt.turn_id in self.asked
        )

    def _check_interrupts(self) -> None:
        bound = {interrupt.turn_id: interrupt for interrupt in self.interrupts.values()}
        for interrupt in bound.values():
            turn = self.turns[interrupt.turn_id]
            settled = short(interrupt, "state") in SETTLED
            wanted = "interrupted" if settled else "interrupting"
            assert short(turn, "state") == wanted, "never completed and interrupted, never neither"
            assert settled == interrupt.HasField("settled_at")
        for turn in self.turns.values():
            if short(turn, "state") in ("interrupting", "interrupted"):
                assert turn.id in bound or turn.stop_reason == "dropped"
