"""An answer ready to be sent: frames of bytes with the characters they carry. Sends nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from steersman_runner.mock.script import ScriptedResponse


class Frame(NamedTuple):
    """Bytes that leave together. `characters` counts text and arguments in them."""

    data: bytes
    characters: int = 0


class Reply(NamedTuple):
    """The whole answer to one request."""

    status_code: int
    headers: Mapping[str, str]
    frames: Sequence[Frame]


def streamed(script: ScriptedResponse, frames: Sequence[Frame]) -> Reply:
    """A stream of server-sent events."""
    headers = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
    return Reply(script.status_code, headers | script.headers, frames)


def whole(status_code: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> Reply:
    """A JSON body, in one piece, its length announced."""
    data = orjson.dumps(body)
    announced = {"content-type": "application/json", "content-length": str(len(data))}
    return Reply(status_code, announced | dict(headers), [Frame(data)])


def refusal(script: ScriptedResponse) -> Reply:
    """An HTTP error in the provider's shape; 500 where the script names no status."""
    status_code = script.status_code if script.refuses else 500
    return whole(status_code, {"error": script.fault()}, script.headers)
