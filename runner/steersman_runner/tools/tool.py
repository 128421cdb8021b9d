"""A typed Python function as a tool. Which tools a turn may use lives in toolbox.py."""

import asyncio
import functools
import inspect
from collections.abc import Callable
from typing import Any, overload

from steersman_runner.tools import docstring
from steersman_runner.tools.arguments import Arguments, InvalidArguments
from steersman_runner.tools.results import (
    MAX_OUTPUT_BYTES,
    ToolResult,
    ToolStopped,
    ToolTimedOut,
    as_text,
    cut,
)
from steersman_runner.tools.thread import run_in_thread

Function = Callable[..., object]


class Tool:
    """A function that a model may call by name.

    `schema` is the JSON schema of its arguments. `repeatable` says that a call
    whose runner was lost may simply run again; `timeout` is in seconds, None for
    no limit. Raises TypeError for a function with untyped or unnamed parameters.
    """

    def __init__(
        self,
        function: Function,
        name: str | None = None,
        repeatable: bool = True,
        timeout: float | None = None,
    ) -> None:
        documented = docstring.parse(inspect.getdoc(function) or "")
        self.function = function
        self.name = name or function.__name__
        self.description = documented.description
        self.repeatable = repeatable
        self.timeout = timeout
        self._arguments = Arguments(function, documented.arguments)

    @property
    def schema(self) -> dict[str, Any]:
        return self._arguments.schema

    async def call(
        self, arguments_json: str, max_output_bytes: int = MAX_OUTPUT_BYTES
    ) -> ToolResult:
        """Runs the function and answers its value as text; every fault is an answer too.

        Cancelled, it ends the function and waits for that end. If there is an
        output by then it is answered all the same (what was done is done; an
        output that was cut short is marked so), else CancelledError goes on.
        """
        try:
            arguments = self._arguments.parse(arguments_json)
        except InvalidArguments as fault:
            return cut(f"error: invalid arguments: {fault}", max_output_bytes)
        try:
            return cut(await self._answer(arguments), max_output_bytes)
        except ToolStopped as stop:
            return cut(stop.output, max_output_bytes, complete=False)

    async def _answer(self, arguments: dict[str, Any]) -> str:
        try:
            return as_text(await self._run(arguments))
        except ToolTimedOut as late:
            return late.as_text()
        except Exception as fault:  # noqa: BLE001 - a tool's failure is for the model to read
            return f"error: {type(fault).__name__}: {fault}"

    async def _run(self, arguments: dict[str, Any]) -> object:
        call = functools.partial(self.function, **arguments)
        if not inspect.iscoroutinefunction(self.function):
            return await run_in_thread(call, self.timeout)
        try:
            async with asyncio.timeout(self.timeout) as limit:
                return await self.function(**arguments)
        except (TimeoutError, ToolStopped) as fault:
            if not limit.expired():
                raise
            # Whether asyncio.timeout translates a subclass depends on the Python.
            stop = fault if isinstance(fault, ToolStopped) else fault.__cause__
        output = stop.output if isinstance(stop, ToolStopped) else ""
        raise ToolTimedOut(self.timeout or 0.0, output)


@overload
def tool(function: Function, /) -> Tool: ...
@overload
def tool(
    *, name: str | None = None, repeatable: bool = True, timeout: float | None = None
) -> Callable[[Function], Tool]: ...
def tool(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    repeatable: bool = True,
    timeout: float | None = None,
) -> Tool | Callable[[Function], Tool]:
    """Makes a Tool of a typed function, sync or async, bare or with settings.

    The docstring is its description; texts under `Args:` describe its arguments.
    """

    def make(target: Function) -> Tool:
        return Tool(target, name=name, repeatable=repeatable, timeout=timeout)

    return make if function is None else make(function)
