"""What is refused at the border of the core: names, labels, agents, messages, hellos."""

from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steersman.v1.session_service_pb2 import SessionFilter
from steersman_server.core.agent import AgentSpec, RetryPolicy, check_name, check_spec
from steersman_server.core.items import MESSAGE_LIMIT, ContentBlock, check_message
from steersman_server.core.labels import check_labels, check_title
from steersman_server.core.refusals import BadRequest, MessageTooLarge, ProtocolMismatch
from steersman_server.core.runner import check_hello, negotiate
from steersman_server.wire import commands

SPEC: Final = AgentSpec(harness="chat")


def blocks(*texts: str) -> list[ContentBlock]:
    return [ContentBlock("input_text", text) for text in texts]


@pytest.mark.parametrize("name", ["a", "0", "helper", "a.b_c-d", "9lives", "a" * 63])
def test_a_name_of_the_alphabet_is_taken(name: str) -> None:
    check_name("agent.name", name)


@pytest.mark.parametrize(
    "name",
    ["", "a" * 64, "A", "-a", ".a", "_a", "a b", "a/b", "a\n", "ä", "a\x00"],
    ids=ascii,
)
def test_any_other_name_is_refused_with_its_field(name: str) -> None:
    with pytest.raises(BadRequest) as refused:
        check_name("agent.name", name)
    assert refused.value.details["field"] == "agent.name"


@pytest.mark.parametrize("title", ["", "x" * 500, "🚢" * 500], ids=["none", "ascii", "wide"])
def test_a_title_has_at_most_500_characters(title: str) -> None:
    check_title(title)
    if title:
        with pytest.raises(BadRequest, match="501"):
            check_title(title + "x")


def test_labels_at_their_limits_are_taken() -> None:
    check_labels("labels", {})
    check_labels("labels", {f"n{i}": "" for i in range(64)})
    check_labels("labels", {"n" * 256: "v" * 256, "a.b/c d": "ö"})


@pytest.mark.parametrize(
    "labels",
    [
        {f"n{i}": "" for i in range(65)},
        {"": "value"},
        {"n" * 257: ""},
        {"n": "v" * 257},
        {'a"b': ""},
        {"a\\b": ""},
    ],
    ids=["many", "empty", "long name", "long value", "quote", "backslash"],
)
def test_labels_over_their_limits_are_refused_with_their_field(labels: dict[str, str]) -> None:
    with pytest.raises(BadRequest) as refused:
        check_labels("selector", labels)
    assert refused.value.details["field"] == "selector"


@pytest.mark.parametrize(
    "change",
    [
        {"max_rounds": 1},
        {"max_rounds": 1000},
        {"context_items": 1},
        {"context_items": 100_000},
        {"tools": ("a", "b")},
        {"retry": RetryPolicy(delays=())},
        {"retry": RetryPolicy(delays=(0.0, 5.0))},
    ],
    ids=str,
)
def test_an_agent_within_its_ranges_is_taken(change: dict[str, Any]) -> None:
    check_spec(SPEC)
    check_spec(replace(SPEC, **change))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"harness": ""}, "agent.harness"),
        ({"max_rounds": 0}, "agent.max_rounds"),
        ({"max_rounds": 1001}, "agent.max_rounds"),
        ({"context_items": 0}, "agent.context_items"),
        ({"context_items": 100_001}, "agent.context_items"),
        ({"tools": ("a", "b", "a")}, "agent.tools"),
        ({"retry": RetryPolicy(delays=(5.0, -1.0))}, "agent.retry.delays"),
        ({"retry": RetryPolicy(max_attempts=0)}, "agent.retry.max_attempts"),
        ({"retry": RetryPolicy(deadline=0.0)}, "agent.retry.deadline"),
    ],
    ids=str,
)
def test_an_agent_out_of_range_is_refused_with_its_field(
    change: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        check_spec(replace(SPEC, **change))
    assert refused.value.details["field"] == field


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"title": "x" * 501}, "filter.title"),
        ({"labels": {f"n{i}": "" for i in range(65)}}, "filter.labels"),
        ({"status": [0]}, "filter.status"),
    ],
    ids=["title", "labels", "status"],
)
def test_a_filter_that_no_session_can_pass_is_refused_before_the_store_sees_it(
    chosen: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        commands.session_filter(SessionFilter(**chosen))
    assert refused.value.details["field"] == field


@pytest.mark.parametrize("texts", [(), ("",), (" \n\t",), ("", "\u2003", "\r\n")], ids=ascii)
def test_a_blank_message_is_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(BadRequest) as refused:
        check_message(blocks(*texts))
    assert refused.value.details["field"] == "message"


def test_a_message_is_measured_in_bytes_of_utf8_over_all_of_its_blocks() -> None:
    check_message(blocks("x" * MESSAGE_LIMIT))
    check_message(blocks("é" * (MESSAGE_LIMIT // 2)))
    over = ("x" * (MESSAGE_LIMIT + 1), "é" * (MESSAGE_LIMIT // 2) + "x", " " * MESSAGE_LIMIT + " ")
    for text in over:
        with pytest.raises(MessageTooLarge) as refused:
            check_message(blocks(text))
        assert refused.value.details == {"size": "1048577", "limit": "1048576"}
    with pytest.raises(MessageTooLarge):
        check_message(blocks("x" * (MESSAGE_LIMIT // 2), "x" * (MESSAGE_LIMIT // 2 + 1)))


@pytest.mark.parametrize("slots", [1, 10_000])
def test_a_hello_with_slots_in_range_is_taken(slots: int) -> None:
    check_hello("runner-1", slots)


@pytest.mark.parametrize(
    ("runner_id", "slots", "field"),
    [
        ("", 1, "hello.runner_id"),
        ("Runner", 1, "hello.runner_id"),
        ("runner-1", 0, "hello.slots"),
        ("runner-1", -1, "hello.slots"),
        ("runner-1", 10_001, "hello.slots"),
    ],
)
def test_a_hello_out_of_range_is_refused_with_its_field(
    runner_id: str, slots: int, field: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        check_hello(runner_id, slots)
    assert refused.value.details["field"] == field


@given(*[st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted).map(tuple)] * 2)
def test_the_highest_common_protocol_is_spoken_or_both_ranges_are_told(
    runner: tuple[int, int], server: tuple[int, int]
) -> None:
    common = set(range(runner[0], runner[1] + 1)) & set(range(server[0], server[1] + 1))
    if common:
        assert negotiate(runner, server) == max(common)
        return
    with pytest.raises(ProtocolMismatch) as refused:
        negotiate(runner, server)
    assert refused.value.details == {
        "runner_min": str(runner[0]),
        "runner_max": str(runner[1]),
        "server_min": str(server[0]),
        "server_max": str(server[1]),
    }
