"""Scripted answers in the shape of /v1/chat/completions, streaming and not. Sends nothing."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from steersman_runner.mock.reply import Frame, Reply, refusal, streamed, whole
from steersman_runner.mock.request import ModelRequest
from steersman_runner.mock.script import ScriptedResponse, chunks


class _Plan(NamedTuple):
    """One answer, with the number that makes its ids."""

    request: ModelRequest
    script: ScriptedResponse
    number: int

    def finish_reason(self) -> str:
        stopped = self.script.finish_reason == "stop"
        return "tool_calls" if stopped and self.script.tool_calls else self.script.finish_reason

    def calls(self) -> list[dict[str, Any]]:
        return [
            {
                "id": call.call_id or f"call_{self.number}_{index}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments_text()},
            }
            for index, call in enumerate(self.script.tool_calls)
        ]

    def body(self, object_name: str, **more: Any) -> dict[str, Any]:
        return {
            "id": f"chatcmpl_{self.number}",
            "object": object_name,
            "created": int(time.time()),
            "model": self.request.key,
        } | more

    def usage(self) -> dict[str, Any]:
        given, taken = self.request.input_words(), len(self.script.text.split())
        return {
            "prompt_tokens": given,
            "completion_tokens": taken,
            "total_tokens": given + taken,
        }


def render(request: ModelRequest, script: ScriptedResponse, number: int) -> Reply:
    """The answer to one request; `number` is the request's, and makes the ids in it."""
    plan = _Plan(request, script, number)
    if script.refuses or (script.error is not None and not request.stream):
        return refusal(script)
    if not request.stream:
        return whole(script.status_code, _completion(plan), script.headers)
    return streamed(script, list(_frames(plan)))


def _completion(plan: _Plan) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": plan.script.text or None}
    message["refusal"] = None
    if plan.script.tool_calls:
        message["tool_calls"] = plan.calls()
    choice = {"index": 0, "message": message, "finish_reason": plan.finish_reason()}
    choices = [choice | {"logprobs": None}]
    return plan.body("chat.completion", choices=choices, usage=plan.usage())


def _frames(plan: _Plan) -> Iterator[Frame]:
    script = plan.script
    yield _chunk(plan, {"role": "assistant", "content": "", "refusal": None})
    for piece in chunks(script.text, script.deltas, script.cuts()):
        yield _chunk(plan, {"content": piece}, characters=len(piece))
    before = len(script.text)
    for index, call in enumerate(plan.calls()):
        yield from _call_frames(plan, index, call, before)
        before += len(call["function"]["arguments"])
    if script.error is not None:
        yield _frame({"error": script.fault()})
        return
    yield _chunk(plan, {}, plan.finish_reason())
    if (plan.request.body.get("stream_options") or {}).get("include_usage"):
        yield _frame(plan.body("chat.completion.chunk", choices=[], usage=plan.usage()))
    yield Frame(b"data: [DONE]\n\n")


def _call_frames(plan: _Plan, index: int, call: dict[str, Any], before: int) -> Iterator[Frame]:
    function = call["function"]
    opening = call | {"index": index, "function": function | {"arguments": ""}}
    yield _chunk(plan, {"tool_calls": [opening]})
    cuts = tuple(at - before for at in plan.script.cuts())
    for piece in chunks(function["arguments"], 1, cuts):
        more = {"index": index, "function": {"arguments": piece}}
        yield _chunk(plan, {"tool_calls": [more]}, characters=len(piece))


def _chunk(
    plan: _Plan, delta: dict[str, Any], finish_reason: str | None = None, characters: int = 0
) -> Frame:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    return _frame(plan.body("chat.completion.chunk", choices=[choice]), characters)


def _frame(body: dict[str, Any], characters: int = 0) -> Frame:
    return Frame(b"data: %b\n\n" % orjson.dumps(body), characters)
