"""What a model request says, read for both APIs, and whether its history is valid."""

from collections import Counter
from typing import Any, Literal, NamedTuple

import orjson

Api = Literal["responses", "chat_completions"]


class BadRequest(ValueError):
    """A request that a real provider would refuse with 400."""


class ModelRequest(NamedTuple):
    """One request as it came in."""

    api: Api
    body: dict[str, Any]
    key: str
    stream: bool

    def last_user_text(self) -> str:
        """The text of the newest user message; empty without one."""
        for message in reversed(self._messages()):
            if message.get("role") == "user":
                return _text(message.get("content"))
        return ""

    def input_words(self) -> int:
        """What the usage reports as input tokens: the words of all messages."""
        return sum(len(_text(message.get("content")).split()) for message in self._messages())

    def _messages(self) -> list[dict[str, Any]]:
        return _items(self.body, self.api)


def parse_request(api: Api, raw: bytes) -> ModelRequest:
    """Reads a request's body. Raises BadRequest, in the words of the real API."""
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"We could not parse the JSON body of your request: {error}") from None
    if not isinstance(body, dict) or not isinstance(body.get("model"), str):
        raise BadRequest("you must provide a model parameter")
    items = _items(body, api)
    if api == "responses" and "previous_response_id" not in body:
        _check_calls(_responses_calls(items))
    if api == "chat_completions":
        _check_messages(items)
    return ModelRequest(api, body, body["model"], bool(body.get("stream")))


def _items(body: dict[str, Any], api: Api) -> list[dict[str, Any]]:
    name = "input" if api == "responses" else "messages"
    given = body.get(name)
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise BadRequest(f"Missing required parameter: '{name}'.")
    return given


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part.get("text", "") for part in parts if isinstance(part, dict))


def _responses_calls(items: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    calls = [item.get("call_id") for item in items if item.get("type") == "function_call"]
    outputs = [item.get("call_id") for item in items if item.get("type") == "function_call_output"]
    return calls, outputs


def _check_calls(ids: tuple[list[Any], list[Any]]) -> None:
    calls, outputs = Counter(ids[0]), Counter(ids[1])
    for call_id in outputs - calls:
        raise BadRequest(f"No tool call found for function call output with call_id {call_id}.")
    for call_id in calls - outputs:
        raise BadRequest(f"No tool output found for function call {call_id}.")
    for call_id, count in calls.items():
        if count > 1:
            raise BadRequest(f"Duplicate function call with call_id {call_id}.")


def _check_messages(messages: list[dict[str, Any]]) -> None:
    waiting: set[Any] = set()
    for message in messages:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in waiting:
                raise BadRequest(
                    "messages with role 'tool' must be a response to a preceding message"
                    " with 'tool_calls'."
                )
            waiting.discard(message.get("tool_call_id"))
            continue
        _check_answered(waiting)
        waiting = {call.get("id") for call in message.get("tool_calls") or []}
    _check_answered(waiting)


def _check_answered(waiting: set[Any]) -> None:
    if waiting:
        ids = ", ".join(sorted(map(str, waiting)))
        raise BadRequest(
            "An assistant message with 'tool_calls' must be followed by tool messages responding"
            f" to each 'tool_call_id'. The following did not have response messages: {ids}"
        )
