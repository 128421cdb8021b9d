"""A runner as a process of its own: signals, logs, the event loop. The library never does these."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from importlib.util import find_spec

import structlog

from steersman_runner.runner import Runner


def configure_logging(as_json: bool, level: str) -> None:
    """Logs to stdout: lines for people on a terminal, JSON otherwise or where asked for."""
    for_people = sys.stdout.isatty() and not as_json
    shape: list[structlog.types.Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if for_people
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *shape,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        cache_logger_on_first_use=True,
    )


def run(build: Callable[[], Runner]) -> None:
    """Runs a runner until it leaves. Raises LinkRefused.

    SIGTERM drains; a second one, or SIGINT, aborts.
    """
    with asyncio.Runner(loop_factory=_loop_factory()) as loop:
        loop.run(_run(build))


async def _run(build: Callable[[], Runner]) -> None:
    runner = build()
    stop = _Stop(runner)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.gently)
    loop.add_signal_handler(signal.SIGINT, stop.at_once)
    await runner.run()


class _Stop:
    """Two words for two stops: drain finishes, abort stops and reports."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._draining = False

    def gently(self) -> None:
        if self._draining:
            self.at_once()
        else:
            self._draining = True
            self._runner.drain()

    def at_once(self) -> None:
        self._draining = True
        self._runner.abort()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    if find_spec("uvloop") is None:
        return asyncio.new_event_loop
    import uvloop

    return uvloop.new_event_loop
