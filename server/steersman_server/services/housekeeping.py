"""Housekeeping: answers to request_ids are forgotten after 24 hours."""

import asyncio

import structlog

from steersman_server.core.refusals import StoreUnavailable
from steersman_server.store import requests
from steersman_server.store.store import Store

log = structlog.get_logger()
EVERY = 3600.0


class Housekeeping:
    """Runs until cancelled, once an hour."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def run(self) -> None:
        while True:
            try:
                forgotten = await self._store.write(requests.expire)
                log.debug("requests_forgotten", count=forgotten)
            except StoreUnavailable as problem:
                log.warning("housekeeping_skipped", problem=str(problem))
            await asyncio.sleep(EVERY)
