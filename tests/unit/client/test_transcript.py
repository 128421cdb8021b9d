"""A session's frames as a transcript."""

from io import StringIO

from rich.console import Console

from steersman.cli.transcript import Transcript
from steersman.frames import Delta
from steersman.v1.event_pb2 import Event
from steersman.v1.item_pb2 import ContentBlock, Item


def shown(*frames: Delta | Event, echo: bool = False) -> str:
    console = Console(file=StringIO(), width=200, highlight=False)
    transcript = Transcript(console, echo=echo)
    for frame in frames:
        transcript.show(frame)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def delta(offset: int, text: str, round_number: int = 1) -> Delta:
    return Delta("turn_1", 1, 1, round_number, offset, text)


def added(**fields: object) -> Event:
    return Event(kind="EVENT_KIND_ITEM_ADDED", item=Item(**fields))  # type: ignore[arg-type]


def answer(text: str, **fields: object) -> Event:
    return added(
        type="ITEM_TYPE_MESSAGE",
        role="ITEM_ROLE_ASSISTANT",
        content=[ContentBlock(text=text)],
        **fields,
    )


def test_text_that_streamed_is_not_printed_again_when_it_is_committed() -> None:
    assert shown(delta(0, "one "), delta(4, "two"), answer("one two")) == "one two\n"


def test_the_rest_of_an_answer_that_streamed_in_part_is_printed() -> None:
    assert shown(delta(0, "one "), answer("one two")) == "one two\n"


def test_an_answer_that_did_not_stream_is_printed_whole() -> None:
    assert shown(answer("one"), answer("two")) == "one\ntwo\n"


def test_an_answer_that_differs_from_what_streamed_is_printed_whole() -> None:
    assert shown(delta(0, "lost try"), answer("kept")) == "lost try\nkept\n"


def test_each_round_has_its_own_lines() -> None:
    call = added(type="ITEM_TYPE_FUNCTION_CALL", name="count", arguments="{}")
    output = added(type="ITEM_TYPE_FUNCTION_CALL_OUTPUT", output="9")
    told = shown(delta(0, "let me see"), call, output, delta(0, "9 words", round_number=2))
    assert told == "let me see\n  → count({})\n  ← 9\n9 words"


def test_a_cut_off_answer_says_so_and_its_marker_follows() -> None:
    marker = added(
        type="ITEM_TYPE_MESSAGE",
        role="ITEM_ROLE_USER",
        marker="interrupted",
        content=[ContentBlock(text="interrupted by the user")],
    )
    told = shown(delta(0, "once"), answer("once", status="ITEM_STATUS_INCOMPLETE"), marker)
    assert told == "once\n(incomplete)\n■ interrupted by the user\n"
