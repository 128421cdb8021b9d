"""A function's arguments as a JSON schema and a check. Calling the function lives in tool.py."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, NotRequired, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python
from typing_extensions import TypedDict

# Type checkers know the call only with literal fields.
_TYPED_DICT: Any = TypedDict
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class InvalidArguments(ValueError):
    """The arguments do not fit the function; the message names each fault with its path."""


class Arguments:
    """The arguments of one function.

    Raises TypeError for a function whose parameters cannot be named in JSON or
    have no annotation.
    """

    def __init__(self, function: Callable[..., object], texts: dict[str, str]) -> None:
        hints = get_type_hints(function, include_extras=True)
        fields = {
            parameter.name: _field(parameter, hints, texts.get(parameter.name))
            for parameter in inspect.signature(function).parameters.values()
        }
        # A TypedDict and not a model: its keys cannot clash with methods, and
        # defaults stay with the function.
        shape = _TYPED_DICT("arguments", fields)
        shape.__pydantic_config__ = ConfigDict(extra="forbid")
        self._adapter: TypeAdapter[dict[str, Any]] = TypeAdapter(shape)
        self.schema = _without_titles(self._adapter.json_schema())

    def parse(self, text: str) -> dict[str, Any]:
        """The arguments in the function's types. Raises InvalidArguments."""
        try:
            # Models answer with nothing at all when there is nothing to say.
            return self._adapter.validate_json(text.strip() or "{}")
        except ValidationError as fault:
            raise InvalidArguments(_faults(fault)) from None


def _field(parameter: inspect.Parameter, hints: dict[str, Any], text: str | None) -> Any:
    if parameter.kind not in _NAMED:
        raise TypeError(f"a tool's parameters have names; {parameter} has none")
    if parameter.name not in hints:
        raise TypeError(f"a tool's parameters have types; {parameter.name!r} has none")
    hint = hints[parameter.name]
    if text:
        hint = Annotated[hint, Field(description=text)]
    if parameter.default is inspect.Parameter.empty:
        return hint
    return NotRequired[Annotated[hint, Field(json_schema_extra=_default(parameter.default))]]


def _default(value: object) -> dict[str, Any]:
    try:
        return {"default": to_jsonable_python(value)}
    except PydanticSerializationError:
        return {}


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    schema.pop("title", None)
    for field in schema.setdefault("properties", {}).values():
        field.pop("title", None)
    return schema


def _faults(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" if fault["loc"] else fault["msg"]
        for fault in faults
    )
