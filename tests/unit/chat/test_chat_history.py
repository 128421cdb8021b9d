"""History as a model gets it: valid in every shape that a session can leave."""

import json
from typing import Any

import pytest

from steersman.v1.item_pb2 import (
    ITEM_ROLE_ASSISTANT,
    ITEM_ROLE_USER,
    ITEM_STATUS_INCOMPLETE,
    ITEM_TYPE_FUNCTION_CALL,
    ITEM_TYPE_FUNCTION_CALL_OUTPUT,
    ITEM_TYPE_MESSAGE,
    ITEM_TYPE_REASONING,
    ContentBlock,
    Item,
    ItemRole,
)
from steersman_runner.harness.chat import completions, responses
from steersman_runner.harness.chat.history import (
    UNKNOWN_OUTPUT,
    Called,
    Exchange,
    Said,
    Thought,
    entries,
    open_calls,
)
from steersman_runner.harness.chat.model import Question
from steersman_runner.mock.request import parse_request


def said(text: str, role: "ItemRole" = ITEM_ROLE_USER, **more: Any) -> Item:
    content = [ContentBlock(type="input_text", text=text)]
    return Item(type=ITEM_TYPE_MESSAGE, role=role, content=content, **more)


def call(number: int, call_id: str = "call_1", arguments: str = "{}") -> Item:
    return Item(
        id=f"item_{number}",
        type=ITEM_TYPE_FUNCTION_CALL,
        call_id=call_id,
        name="f",
        arguments=arguments,
    )


def output(number: int, text: str = "out", **more: Any) -> Item:
    return Item(
        type=ITEM_TYPE_FUNCTION_CALL_OUTPUT, call_item_id=f"item_{number}", output=text, **more
    )


def thought(*blocks: tuple[str, str]) -> Item:
    content = [ContentBlock(type=kind, text=text) for kind, text in blocks]
    return Item(type=ITEM_TYPE_REASONING, content=content)


def exchange(number: int, text: str = "out") -> Exchange:
    return Exchange(f"item_{number}", "f", "{}", text)


def test_calls_of_one_answer_stay_together_and_calls_of_the_next_apart() -> None:
    items = [call(1), call(2), output(2, "b"), output(1, "a"), call(3), output(3, "c")]
    assert entries(items) == [
        Called([exchange(1, "a"), exchange(2, "b")]),
        Called([exchange(3, "c")]),
    ]


def test_a_call_is_known_by_its_item_even_where_providers_repeat_their_ids() -> None:
    items = [call(1), output(1, "a"), call(2), output(2, "b")]
    assert [entry.exchanges[0].call_id for entry in entries(items)] == ["item_1", "item_2"]


def test_an_output_without_a_call_is_left_out_and_a_call_without_one_gets_it() -> None:
    assert entries([said("hi"), output(9), call(1)]) == [
        Said("user", "hi"),
        Called([exchange(1, UNKNOWN_OUTPUT)]),
    ]


def test_of_two_outputs_the_first_counts() -> None:
    assert entries([call(1), output(1, "a"), output(1, "b")]) == [Called([exchange(1, "a")])]


def test_an_output_that_names_no_item_answers_the_newest_call_of_its_id() -> None:
    late = Item(type=ITEM_TYPE_FUNCTION_CALL_OUTPUT, call_id="call_1", output="x")
    assert entries([call(1), output(1), call(2), late])[1] == Called([exchange(2, "x")])


def test_open_calls_are_those_without_output() -> None:
    assert [item.id for item in open_calls([call(1), call(2), output(1), call(3)])] == [
        "item_2",
        "item_3",
    ]


def test_partial_text_and_the_marker_are_messages_like_others() -> None:
    items = [
        said("half", ITEM_ROLE_ASSISTANT, status=ITEM_STATUS_INCOMPLETE),
        said("the earlier request was interrupted", marker="interrupted"),
        said("", ITEM_ROLE_ASSISTANT),
    ]
    assert entries(items) == [
        Said("assistant", "half"),
        Said("user", "the earlier request was interrupted"),
    ]


def test_a_truncated_output_says_so() -> None:
    [called] = entries([call(1), output(1, "long", truncated=True)])
    assert called == Called([exchange(1, "long\n[truncated]")])


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [("", {}), ("{bad", {"invalid": "{bad"}), ("[1]", {"invalid": "[1]"}), ('{"a": 1}', {"a": 1})],
)
def test_arguments_go_back_as_an_object_whatever_the_model_wrote(
    arguments: str, sent: dict[str, object]
) -> None:
    [called] = entries([call(1, arguments=arguments), output(1)])
    assert isinstance(called, Called)
    assert json.loads(called.exchanges[0].arguments) == sent


def test_reasoning_goes_back_only_where_its_provider_can_read_it_again() -> None:
    readable = thought(("summary_text", "s"), ("encrypted_content", "e"))
    items = [readable, call(1), output(1), thought(("reasoning_text", "r")), readable, said("x")]
    assert entries(items) == [Thought(["s"], "e"), Called([exchange(1)]), Said("user", "x")]


HISTORIES = [
    [said("hi")],
    [said("hi"), said("wait", ITEM_ROLE_ASSISTANT), call(1), call(2), output(2), output(1)],
    [said("hi"), call(1), output(1), call(2), output(2), said("done", ITEM_ROLE_ASSISTANT)],
    [said("hi"), call(1), said("steered"), output(1), said("half", ITEM_ROLE_ASSISTANT)],
    [said("hi"), call(1), output(9)],
]


@pytest.mark.parametrize("items", HISTORIES)
def test_both_apis_get_a_history_that_providers_accept(items: list[Item]) -> None:
    question = Question("m", "Be kind.", entries(items), [], {})
    parse_request("responses", json.dumps(responses.request(question)).encode())
    parse_request("chat_completions", json.dumps(completions.request(question)).encode())


def test_text_before_calls_is_one_chat_message_with_them() -> None:
    items = [said("wait", ITEM_ROLE_ASSISTANT), call(1), output(1)]
    messages = completions.request(Question("m", "", entries(items), [], {}))["messages"]
    assert [message["role"] for message in messages] == ["assistant", "tool"]
    assert messages[0]["content"] == "wait"
    assert messages[0]["tool_calls"][0]["id"] == messages[1]["tool_call_id"] == "item_1"
