"""Scripted answers in the shape of /v1/responses, streaming and not. Sends nothing."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from steersman_runner.mock.reply import Frame, Reply, refusal, streamed, whole
from steersman_runner.mock.request import ModelRequest
from steersman_runner.mock.script import ScriptedResponse, chunks

_ECHOED = ("instructions", "metadata", "temperature", "top_p", "store")
_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


class _Plan(NamedTuple):
    """One answer, with the number that makes its ids."""

    request: ModelRequest
    script: ScriptedResponse
    number: int

    def message(self, text: str, status: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        return {
            "id": f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "status": status,
            "content": [part] if status == "completed" else [],
        }

    def calls(self) -> list[dict[str, Any]]:
        return [
            {
                "id": f"fc_{self.number}_{index}",
                "type": "function_call",
                "status": "completed",
                "call_id": call.call_id or f"call_{self.number}_{index}",
                "name": call.name,
                "arguments": call.arguments_text(),
            }
            for index, call in enumerate(self.script.tool_calls)
        ]

    def says_something(self) -> bool:
        return bool(self.script.text) or not self.script.tool_calls

    def output(self) -> list[dict[str, Any]]:
        said = [self.message(self.script.text, "completed")] if self.says_something() else []
        return said + self.calls()

    def status(self) -> str:
        if self.script.error is not None:
            return "failed"
        return "incomplete" if self.script.finish_reason in _INCOMPLETE else "completed"

    def response(self, status: str) -> dict[str, Any]:
        body = self.request.body
        reason = _INCOMPLETE.get(self.script.finish_reason)
        return {
            "id": f"resp_{self.number}",
            "object": "response",
            "created_at": int(time.time()),
            "status": status,
            "error": _error(self.script) if status == "failed" else None,
            "incomplete_details": {"reason": reason} if status == "incomplete" else None,
            "model": self.request.key,
            "output": [] if status in ("in_progress", "failed") else self.output(),
            "parallel_tool_calls": body.get("parallel_tool_calls", True),
            "tool_choice": body.get("tool_choice", "auto"),
            "tools": body.get("tools", []),
            "usage": None if status == "in_progress" else self.usage(),
        } | {name: body.get(name) for name in _ECHOED}

    def usage(self) -> dict[str, Any]:
        given, taken = self.request.input_words(), len(self.script.text.split())
        return {
            "input_tokens": given,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": taken,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": given + taken,
        }


def render(request: ModelRequest, script: ScriptedResponse, number: int) -> Reply:
    """The answer to one request; `number` is the request's, and makes the ids in it."""
    plan = _Plan(request, script, number)
    if script.refuses or (script.error is not None and not request.stream):
        return refusal(script)
    if not request.stream:
        return whole(script.status_code, plan.response(plan.status()), script.headers)
    return streamed(script, [_frame(at, event) for at, event in enumerate(_events(plan))])


def _error(script: ScriptedResponse) -> dict[str, Any]:
    fault = script.fault()
    return {"code": fault["code"], "message": fault["message"]}


def _frame(sequence_number: int, event: dict[str, Any]) -> Frame:
    data = orjson.dumps(event | {"sequence_number": sequence_number})
    characters = len(event["delta"]) if "delta" in event else 0
    return Frame(b"event: %b\ndata: %b\n\n" % (event["type"].encode(), data), characters)


def _events(plan: _Plan) -> Iterator[dict[str, Any]]:
    yield {"type": "response.created", "response": plan.response("in_progress")}
    yield {"type": "response.in_progress", "response": plan.response("in_progress")}
    if plan.says_something():
        yield from _message_events(plan)
    before = len(plan.script.text)
    for index, call in enumerate(plan.calls(), start=int(plan.says_something())):
        yield from _call_events(plan, index, call, before)
        before += len(call["arguments"])
    status = plan.status()
    yield {"type": f"response.{status}", "response": plan.response(status)}


def _message_events(plan: _Plan) -> Iterator[dict[str, Any]]:
    script = plan.script
    item = {"output_index": 0, "item": plan.message("", "in_progress")}
    done = plan.message(script.text, "completed")
    where = {"item_id": done["id"], "output_index": 0, "content_index": 0}
    part = done["content"][0]
    yield {"type": "response.output_item.added", **item}
    yield {"type": "response.content_part.added", **where, "part": part | {"text": ""}}
    for piece in chunks(script.text, script.deltas, script.cuts()):
        yield {"type": "response.output_text.delta", **where, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **where, "text": script.text, "logprobs": []}
    yield {"type": "response.content_part.done", **where, "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": done}


def _call_events(
    plan: _Plan, index: int, call: dict[str, Any], before: int
) -> Iterator[dict[str, Any]]:
    where = {"item_id": call["id"], "output_index": index}
    arguments = call["arguments"]
    started = call | {"status": "in_progress", "arguments": ""}
    yield {"type": "response.output_item.added", "output_index": index, "item": started}
    cuts = tuple(at - before for at in plan.script.cuts())
    for piece in chunks(arguments, 1, cuts):
        yield {"type": "response.function_call_arguments.delta", **where, "delta": piece}
    done = {"name": call["name"], "arguments": arguments}
    yield {"type": "response.function_call_arguments.done", **where, **done}
    yield {"type": "response.output_item.done", "output_index": index, "item": call}
