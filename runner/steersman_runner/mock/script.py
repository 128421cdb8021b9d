"""What a scripted response is, and the check of what a test configures. Sends nothing."""

from itertools import pairwise
from typing import Annotated, Any, Literal, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

DEFAULT_TEXT = "mock-model has nothing more to say."


class BadConfiguration(ValueError):
    """The body does not fit; the message starts with the path of the first fault."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ScriptedCall(_Strict):
    """A tool call of a response. Text as `arguments` is sent as it is, valid JSON or not."""

    name: Annotated[str, Field(min_length=1)]
    arguments: dict[str, Any] | str = {}
    call_id: Annotated[str, Field(min_length=1)] | None = None

    def arguments_text(self) -> str:
        if isinstance(self.arguments, str):
            return self.arguments
        return orjson.dumps(self.arguments).decode()


class ScriptedResponse(_Strict):
    """One answer of the model: what it says, how it arrives, and where it breaks off.

    `delay` is in seconds; `block_after` and `drop_after` count characters of
    text and arguments, as streamed.
    """

    text: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()
    finish_reason: Literal["stop", "length", "content_filter"] = "stop"
    block: bool = False
    block_after: Annotated[int, Field(ge=0)] | None = None
    error: str | dict[str, Any] | None = None
    status_code: Annotated[int, Field(ge=200, le=599)] = 200
    headers: dict[str, str] = {}
    deltas: Annotated[int, Field(ge=1)] = 1
    delay: Annotated[float, Field(ge=0)] = 0.0
    drop_after: Annotated[int, Field(ge=0)] | None = None

    @property
    def refuses(self) -> bool:
        """Whether the answer is an HTTP error and no model answer at all."""
        return self.status_code >= 400

    @property
    def parks_first(self) -> bool:
        """Whether it waits at the gate before the first byte."""
        return self.block and self.block_after is None

    def cuts(self) -> tuple[int, ...]:
        """The characters between which no chunk may run across."""
        return tuple(at for at in (self.block_after, self.drop_after) if at is not None)

    def fault(self) -> dict[str, Any]:
        """The provider's error object."""
        kind = "invalid_request_error" if 400 <= self.status_code < 500 else "server_error"
        base: dict[str, Any] = {"message": "scripted error", "type": kind, "param": None}
        base["code"] = None if self.refuses else "server_error"
        if isinstance(self.error, dict):
            inner = self.error.get("error")
            return base | (inner if isinstance(inner, dict) else self.error)
        return base | ({"message": self.error} if self.error else {})


class Configuration(_Strict):
    """The queue of a key: the model's name, for requests whose last user text has `match`."""

    key: Annotated[str, Field(min_length=1)]
    match: Annotated[str, Field(min_length=1)] | None = None
    responses: tuple[ScriptedResponse, ...]

    @model_validator(mode="after")
    def _breaks_off_once(self) -> Self:
        for number, each in enumerate(self.responses):
            if each.refuses and (each.block_after is not None or each.drop_after is not None):
                raise ValueError(f"responses.{number}: a refusal has no characters to count")
        return self


def parse_configuration(body: bytes) -> Configuration:
    """Reads the body of POST /mock/configure. Raises BadConfiguration."""
    try:
        return Configuration.model_validate_json(body)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False)[0]
        path = ".".join(map(str, fault["loc"])) or "body"
        raise BadConfiguration(f"{path}: {fault['msg']}") from None


def chunks(text: str, count: int, cuts: tuple[int, ...] = ()) -> list[str]:
    """The text in about `count` even pieces, cut at each of `cuts` besides; never empty ones."""
    bounds = {len(text) * number // count for number in range(count + 1)}
    bounds |= {at for at in cuts if 0 < at < len(text)}
    return [text[start:end] for start, end in pairwise(sorted(bounds))]
