"""The runner as a library. Nothing heavy loads before one of its names is used."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steersman_runner.errors import LinkRefused, RunnerError
    from steersman_runner.runner import Runner
    from steersman_runner.settings import RunnerSettings

__all__ = ["LinkRefused", "Runner", "RunnerError", "RunnerSettings"]

_HOMES = {
    "LinkRefused": "steersman_runner.errors",
    "Runner": "steersman_runner.runner",
    "RunnerError": "steersman_runner.errors",
    "RunnerSettings": "steersman_runner.settings",
}


def __getattr__(name: str) -> Any:
    # The command line finds its commands in this package also where the runner's
    # own dependencies are not installed.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
