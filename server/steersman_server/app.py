"""Wiring: every part is made here, started in order and stopped in reverse."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import grpc
import structlog

from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.refusals import Draining
from steersman_server.hub.connect import RunnerService
from steersman_server.hub.hub import Hub
from steersman_server.hub.leases import LeaseBook
from steersman_server.lock import DirectoryLock
from steersman_server.rpc import door
from steersman_server.rpc.agents import AgentService
from steersman_server.rpc.auth import TokenBook
from steersman_server.rpc.chain import Chain
from steersman_server.rpc.fleet import FleetService
from steersman_server.rpc.interrupts import InterruptService
from steersman_server.rpc.server import OPTIONS
from steersman_server.rpc.session_service import WholeSessionService
from steersman_server.rpc.standard import StandardGuard, StandardServices
from steersman_server.services.dispatcher import Dispatcher
from steersman_server.services.grace import InterruptGrace
from steersman_server.services.housekeeping import Housekeeping
from steersman_server.services.reaper import LeaseReaper
from steersman_server.settings import Settings
from steersman_server.store.engine import open_database
from steersman_server.store.store import Store
from steersman_server.tokens import ensure_local_tokens

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that runs. `address` is HOST:PORT, with the port that was bound."""

    address: str
    store: Store
    hub: Hub
    failed: "asyncio.Future[None]"


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Serving]:
    """Run a server while the context is open.

    On leaving, streams end with `draining`, what is in hand is committed, and the
    data directory is free again. `failed` gets the exception of a part that died.
    Raises DirectoryInUse, OSError when the address cannot be bound, and
    sqlalchemy.exc.DBAPIError when the database cannot be opened.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(DirectoryLock(settings.data_dir))
        bus = LocalBus()
        database = await asyncio.to_thread(open_database, settings.database_url)
        store = Store(database, lambda notices: topics.publish(bus, notices))
        stack.push_async_callback(store.close)
        await ensure_local_tokens(store, settings.data_dir / "tokens")
        hub = Hub(bus, LeaseBook(settings.terms, settings.isolation_limit))
        failed = _run_services(stack, settings, store, bus, hub)
        tokens = TokenBook(store)
        chain = Chain(tokens)
        server = grpc.aio.server(options=OPTIONS, interceptors=[StandardGuard(tokens)])
        _register(server, chain, settings, store, bus, hub)
        standard = StandardServices(server)
        address = _bind(server, settings.listen)
        await server.start()
        stack.push_async_callback(_drain, server, standard, chain, bus, settings.drain_grace)
        await standard.ready()
        log.info("serving", address=address, data_dir=str(settings.data_dir))
        yield Serving(address, store, hub, failed)


def _run_services(
    stack: AsyncExitStack, settings: Settings, store: Store, bus: LocalBus, hub: Hub
) -> "asyncio.Future[None]":
    """Start what runs by itself; the future gets the exception of one that dies."""
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def died(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and not failed.done():
            failed.set_exception(task.exception() or RuntimeError(f"{task.get_name()} ended"))

    tasks = [
        asyncio.create_task(service.run(), name=type(service).__name__)
        for service in (
            Dispatcher(store, bus, hub),
            LeaseReaper(store, hub),
            InterruptGrace(store, bus, hub, settings.interrupt_grace),
            Housekeeping(store),
        )
    ]

    async def stop() -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if failed.done() and not failed.cancelled():
            failed.exception()

    for task in tasks:
        task.add_done_callback(died)
    stack.push_async_callback(stop)
    return failed


def _register(
    server: grpc.aio.Server,
    chain: Chain,
    settings: Settings,
    store: Store,
    bus: LocalBus,
    hub: Hub,
) -> None:
    sessions = WholeSessionService(store, bus, hub.live, settings.watch_progress)
    services = {
        "steersman.v1.AgentService": AgentService(store),
        "steersman.v1.SessionService": sessions,
        "steersman.v1.InterruptService": InterruptService(store, bus),
        "steersman.v1.FleetService": FleetService(store, hub),
        "steersman.v1.RunnerService": RunnerService(hub, store, bus, settings),
    }
    door.register(server, chain, services)


def _bind(server: grpc.aio.Server, listen: str) -> str:
    host, _, port = listen.rpartition(":")
    try:
        bound = server.add_insecure_port(listen)
    except RuntimeError as fault:
        # What follows the semicolon is advice for gRPC's own developers.
        reason = str(fault).partition(";")[0]
        hint = f"is another server on port {port}?"
        raise OSError(f"cannot listen on {listen} ({reason}); {hint}") from None
    if bound == 0:
        raise OSError(f"cannot listen on {listen}; is another server on port {port}?")
    return f"{host}:{bound}"


async def _drain(
    server: grpc.aio.Server,
    standard: StandardServices,
    chain: Chain,
    bus: LocalBus,
    grace: float,
) -> None:
    """Refuse what is new, end the streams, let calls in hand finish."""
    chain.draining = True
    await standard.leaving()
    bus.publish(topics.DRAINING, Draining())
    await server.stop(grace)
