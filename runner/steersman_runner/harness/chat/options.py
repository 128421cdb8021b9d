"""Which of an agent's options reach a model, and under which names. Values pass unchecked."""

from collections.abc import Iterable, Mapping
from typing import Any

import structlog
from google.protobuf.json_format import MessageToDict

from steersman.v1.agent_pb2 import Agent

_log = structlog.get_logger()

RESPONSES_OPTIONS = {
    name: name
    for name in (
        "include",
        "max_output_tokens",
        "metadata",
        "parallel_tool_calls",
        "prompt_cache_key",
        "reasoning",
        "safety_identifier",
        "service_tier",
        "store",
        "temperature",
        "text",
        "tool_choice",
        "top_p",
        "truncation",
    )
}
CHAT_COMPLETIONS_OPTIONS = {
    name: name
    for name in (
        "frequency_penalty",
        "max_completion_tokens",
        "max_tokens",
        "metadata",
        "parallel_tool_calls",
        "presence_penalty",
        "prompt_cache_key",
        "reasoning_effort",
        "response_format",
        "safety_identifier",
        "seed",
        "service_tier",
        "stop",
        "store",
        "temperature",
        "tool_choice",
        "top_p",
        "verbosity",
    )
} | {"max_output_tokens": "max_completion_tokens"}


def options_of(agent: Agent) -> dict[str, Any]:
    """The agent's options as plain values; whole numbers, which a Struct has not, are ints."""
    return {name: _whole(value) for name, value in MessageToDict(agent.options).items()}


def allowed(options: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The options that this API takes, under its names; others are logged and left out."""
    _report(name for name in options if name not in names and name != "api")
    return {names[name]: value for name, value in options.items() if name in names}


def _report(names: Iterable[str]) -> None:
    if ignored := sorted(names):
        _log.warning("options_ignored", options=ignored)


def _whole(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _whole(each) for name, each in value.items()}
        case list():
            return [_whole(each) for each in value]
    return value
