"""The tools of a runner, by name. What one tool does lives in tool.py."""

from collections.abc import Iterable, Iterator

from steersman_runner.tools.results import MAX_OUTPUT_BYTES, ToolResult, cut
from steersman_runner.tools.tool import Tool


class Toolbox:
    """Tools by name. Raises ValueError for two of one name.

    `max_output_bytes` is the limit of every output, in bytes of UTF-8.
    """

    def __init__(
        self, tools: Iterable[Tool] = (), max_output_bytes: int = MAX_OUTPUT_BYTES
    ) -> None:
        self._tools: dict[str, Tool] = {}
        self._max_output_bytes = max_output_bytes
        for each in tools:
            if each.name in self._tools:
                raise ValueError(f"two tools are named {each.name!r}")
            self._tools[each.name] = each

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def missing(self, names: Iterable[str]) -> list[str]:
        """Those of the names that no tool here has."""
        return [name for name in names if name not in self._tools]

    def select(self, names: Iterable[str]) -> "Toolbox":
        """A box with the named tools only. Raises KeyError for a name that is missing."""
        chosen = dict.fromkeys(names)
        return Toolbox((self._tools[name] for name in chosen), self._max_output_bytes)

    def repeatable(self, name: str) -> bool:
        """Whether a call may run again; true for a name without a tool, which runs nothing."""
        return name not in self._tools or self._tools[name].repeatable

    async def call(self, name: str, arguments_json: str) -> ToolResult:
        """Tool.call of the named tool; a name without one is an answer too."""
        if name not in self._tools:
            known = ", ".join(self._tools) or "none"
            return cut(f"error: there is no tool named {name!r}; there are: {known}")
        return await self._tools[name].call(arguments_json, self._max_output_bytes)
