"""Scripts of the scripted harness: what each round says and does. Playing one is elsewhere."""

import json
from collections.abc import Sequence
from typing import Any, Literal

from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from steersman.v1.turn_pb2 import (
    FAILURE_KIND_INTERNAL,
    FAILURE_KIND_PERMANENT,
    FAILURE_KIND_TRANSIENT,
    Failure,
)
from steersman_runner.harness.base import TurnFailed

_KINDS = {
    "transient": FAILURE_KIND_TRANSIENT,
    "permanent": FAILURE_KIND_PERMANENT,
    "internal": FAILURE_KIND_INTERNAL,
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ScriptedCall(_Strict):
    """A tool call; arguments as JSON text or as the object itself."""

    name: str
    arguments: str | dict[str, Any] = "{}"

    def arguments_json(self) -> str:
        """The arguments as a model would have written them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


class ScriptedError(_Strict):
    """A failure that ends the turn."""

    kind: Literal["transient", "permanent", "internal"] = "internal"
    code: str = "scripted"
    message: str = "the script says so"

    def failure(self) -> Failure:
        """The failure that the API shows."""
        return Failure(
            kind=_KINDS[self.kind],
            code=self.code,
            message=self.message,
            retryable=self.kind == "transient",
        )


class Step(_Strict):
    """One round: its text in so many pieces, `delay` seconds apart; then block, error or calls."""

    text: str = ""
    deltas: int = Field(default=1, ge=1)
    delay: float = Field(default=0.0, ge=0.0)
    tool_calls: tuple[ScriptedCall, ...] = ()
    block: bool = False
    error: ScriptedError | None = None

    def pieces(self) -> Sequence[str]:
        """The text in at most `deltas` pieces of one size, the last one shorter."""
        size = -(-len(self.text) // self.deltas) or 1
        return [self.text[start : start + size] for start in range(0, len(self.text), size)]


class Script(_Strict):
    """The options of an agent whose harness is `scripted`."""

    script: tuple[Step, ...] = ()


def script_of(options: Struct) -> Sequence[Step]:
    """The steps of an agent's options. Raises TurnFailed for a script that is none."""
    try:
        return Script.model_validate(MessageToDict(options)).script
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        failure = Failure(
            kind=FAILURE_KIND_PERMANENT, code="bad_script", message=f"{where}: {fault['msg']}"
        )
        raise TurnFailed(failure) from error
