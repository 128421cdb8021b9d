"""Waiting for the real end of something that must not be left behind. Starts nothing itself."""

import asyncio
from contextlib import suppress
from typing import Any


async def settle(work: asyncio.Future[Any]) -> bool:
    """Waits until `work` has ended, whoever cancels the waiter meanwhile.

    Answers whether somebody did: the caller owes them the CancelledError.
    """
    cancelled = False
    while not work.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({work})
            continue
        cancelled = True
    return cancelled
