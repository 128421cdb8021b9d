"""The chat harness's settings: endpoints with their keys, limits, times. Agents only name them."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from steersman_runner.tools.results import MAX_OUTPUT_BYTES

_NAMED = re.compile(r"STEERSMAN_ENDPOINTS_(\w+)_(BASE_URL|API_KEY)")
DEFAULT = ""


class Endpoint(NamedTuple):
    """Where a model is served. Unset `base_url` means OpenAI; unset `api_key` sends none."""

    base_url: str | None = None
    api_key: str | None = None


class ChatSettings(NamedTuple):
    """Times in seconds, sizes in bytes. The default endpoint's name is empty."""

    endpoints: Mapping[str, Endpoint] = {}
    connect_timeout: float = 10.0
    # Between two pieces of an answer; a model that thinks says nothing for long.
    read_timeout: float = 600.0
    max_parallel_tools: int = 8
    max_rounds: int = 32
    max_output_bytes: int = MAX_OUTPUT_BYTES

    def endpoint(self, name: str) -> Endpoint | None:
        """The endpoint that an agent names; None when the runner has no such one."""
        return self.endpoints.get(_spelled(name))


def settings_from(environment: Mapping[str, str]) -> ChatSettings:
    """Reads OPENAI_BASE_URL and OPENAI_API_KEY, and the same of named endpoints.

    `STEERSMAN_ENDPOINTS_LOCAL_GPU_BASE_URL` is the address of `local-gpu`.
    """
    parts: dict[str, dict[str, str]] = {}
    for variable, value in environment.items():
        if value and (named := _NAMED.fullmatch(variable)):
            parts.setdefault(named[1], {})[named[2]] = value
    endpoints = {
        name: Endpoint(given.get("BASE_URL"), given.get("API_KEY")) for name, given in parts.items()
    }
    default = Endpoint(
        environment.get("OPENAI_BASE_URL") or None, environment.get("OPENAI_API_KEY") or None
    )
    if default != Endpoint():
        endpoints[DEFAULT] = default
    return ChatSettings(endpoints)


def _spelled(name: str) -> str:
    """The name as an environment variable can hold it."""
    return re.sub(r"\W", "_", name).upper()
