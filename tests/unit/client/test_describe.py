"""Items, events and interrupts in words."""

from google.protobuf.timestamp_pb2 import Timestamp

from steersman.cli.describe import event_line, interrupt_lines, item_line
from steersman.cli.output import visible
from steersman.v1.event_pb2 import Event
from steersman.v1.interrupt_pb2 import Interrupt
from steersman.v1.item_pb2 import ContentBlock, Item
from steersman.v1.turn_pb2 import Failure, PendingInput, Turn


def interrupt(state: str, **fields: object) -> list[str]:
    return interrupt_lines(
        Interrupt(state=f"INTERRUPT_STATE_{state}", turn_id="turn_1", **fields)  # type: ignore[arg-type]
    )


def test_an_interrupt_is_never_told_to_be_further_than_it_is() -> None:
    assert "has not answered yet" in interrupt("REQUESTED")[0]
    assert "has not ended yet" in interrupt("DELIVERED")[0]
    assert "really ended" in interrupt("CONFIRMED")[0]
    assert "without its runner" in interrupt("FORCED")[0]
    assert "nothing to stop" in interrupt("ALREADY_IDLE")[0]


def test_a_forced_interrupt_tells_until_when_the_machine_may_work() -> None:
    lines = interrupt("FORCED", may_run_until=Timestamp(seconds=0))
    assert "1970-01-01T00:00:00Z" in lines[1]


def test_dropped_messages_are_listed() -> None:
    dropped = [
        PendingInput(content=[ContentBlock(text="and then?")]),
        PendingInput(content=[ContentBlock(text="hello?")]),
    ]
    lines = interrupt("CONFIRMED", dropped_inputs=dropped)
    assert [line for line in lines if "dropped" in line] == [
        "dropped a waiting message: and then?",
        "dropped a waiting message: hello?",
    ]


def test_a_call_its_output_and_a_marker_are_told_apart() -> None:
    call = Item(type="ITEM_TYPE_FUNCTION_CALL", name="count", arguments='{"a": 1}')
    output = Item(type="ITEM_TYPE_FUNCTION_CALL_OUTPUT", output="9", synthetic=True)
    marker = Item(
        type="ITEM_TYPE_MESSAGE",
        role="ITEM_ROLE_USER",
        marker="interrupted",
        content=[ContentBlock(text="stopped")],
    )
    assert item_line(call) == 'call: count({"a": 1})'
    assert item_line(output) == "output [synthetic]: 9"
    assert item_line(marker) == "marker interrupted: stopped"


def test_a_failed_turn_tells_why() -> None:
    failure = Failure(
        kind="FAILURE_KIND_PERMANENT", code="bad_key", message="no", provider_status=401
    )
    event = Event(sequence=3, kind="EVENT_KIND_TURN_FAILED", turn=Turn(id="turn_1", error=failure))
    assert "turn_failed" in event_line(event)
    assert "permanent bad_key 401: no" in event_line(event)


def test_what_a_model_writes_cannot_control_the_terminal() -> None:
    assert visible("a\x1b[2Jb\x07\x9bc\td\n") == "a␛[2Jb␇\N{REPLACEMENT CHARACTER}c\td\n"
    item = Item(type="ITEM_TYPE_MESSAGE", content=[ContentBlock(text="a\x1b[31mb")])
    assert "\x1b" not in item_line(item)
