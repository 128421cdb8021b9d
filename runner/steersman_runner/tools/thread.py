"""Runs a plain function in a thread of its own. Nothing here knows about tools."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress

from steersman_runner.tools.results import ToolTimedOut
from steersman_runner.tools.settle import settle

Outcome = tuple[object, BaseException | None]


async def run_in_thread(function: Callable[[], object], timeout: float | None) -> object:
    """The function's value. Raises what it raises, and ToolTimedOut.

    A thread cannot be stopped: a cancelled caller waits for its end, and is then
    given its value, since what the function did is done.
    """
    outcome = _start(function)
    try:
        await asyncio.wait({outcome}, timeout=timeout)
    except asyncio.CancelledError:
        await settle(outcome)
    if not outcome.done():
        raise ToolTimedOut(timeout or 0.0, still_running=True)
    value, fault = outcome.result()
    if fault is not None:
        raise fault
    return value


def _start(function: Callable[[], object]) -> asyncio.Future[Outcome]:
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Outcome] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            ended: Outcome = (context.run(function), None)
        except BaseException as fault:  # noqa: BLE001 - raised again where it is awaited
            ended = (None, fault)
        with suppress(RuntimeError):  # the loop is gone, and with it who waited
            loop.call_soon_threadsafe(outcome.set_result, ended)

    # A daemon, and no pool: a function that hangs must neither keep the process
    # from leaving nor take a worker from the next one.
    threading.Thread(target=run, name="steersman-tool", daemon=True).start()
    return outcome
