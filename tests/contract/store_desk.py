"""A store under test: its clock, what it rang, its commits; and the small writes of the rules."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import event

from steersman_server.core.agent import Agent, AgentSpec
from steersman_server.core.events import EventKind
from steersman_server.core.items import ContentBlock, ItemRole
from steersman_server.core.notices import Notice, SessionDeleted
from steersman_server.core.runner import Runner
from steersman_server.core.session import Session
from steersman_server.core.turn import Turn
from steersman_server.core.values import Caller, Instant, Role, RunnerId, SessionId, Tenant
from steersman_server.store import agents, tokens
from steersman_server.store.engine import open_database
from steersman_server.store.ledger import Ledger
from steersman_server.store.store import Store
from steersman_server.store.tokens import Token
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.begin_turn import Message, begin_turn

T = TypeVar("T")
START: Final = Instant(1_700_000_000_000_000)
TENANT: Final = Tenant("default")
OTHER: Final = Tenant("other")
PATIENCE: Final = 30.0  # seconds before a thread that nobody frees gives up


class Desk:
    """Owns a store on `url`. The clock moves only when told to."""

    def __init__(self, url: str) -> None:
        self.now = START
        self.rung: list[Notice] = []
        self.told: list[str] = []
        self.on_ring: Callable[[Sequence[Notice]], None] = lambda _: None
        self.commits = 0
        self.url = url
        self.database = open_database(url)
        event.listen(self.database.engine, "connect", self._connected)
        self.store = Store(self.database, self._publish, lambda: self.now)

    def _connected(self, connection: Any, _: Any) -> None:
        """Count what the driver itself is told: the store speaks to it directly."""
        connection.set_trace_callback(self._statement)

    def _statement(self, text: str) -> None:
        self.commits += text == "COMMIT"

    def _publish(self, notices: Sequence[Notice]) -> None:
        self.on_ring(notices)
        self.rung.extend(notices)
        self.told.extend(n.session_id for n in notices if isinstance(n, SessionDeleted))

    async def write(self, work: Callable[[Transaction], T]) -> T:
        return await self.store.write(work)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        return await self.store.read(work)

    async def noted(self) -> list[str]:
        """The names that `note` wrote, in alphabetical order."""
        every = await self.store.read(tokens.every)
        return sorted(token.caller.name for token in every)


def note(name: str, tenant: Tenant = TENANT) -> Callable[[Transaction], str]:
    """The smallest write with a notice: a token of this name, and a ring that says so."""

    def work(tx: Transaction) -> str:
        tokens.add(tx, Token(f"id-{name}", Caller(tenant, name, Role.CLIENT), "digest", tx.now))
        tx.tell(SessionDeleted(tenant, SessionId(name)))
        return name

    return work


def hand_in(*works: Coroutine[Any, Any, T]) -> "list[asyncio.Task[T]]":
    return [asyncio.create_task(work) for work in works]


@asynccontextmanager
async def busy_writer(desk: Desk) -> AsyncIterator[None]:
    """The writer is in the middle of a unit of work for as long as this is open."""
    reached, go = threading.Event(), threading.Event()

    def hold(_: Transaction) -> None:
        reached.set()
        assert go.wait(PATIENCE)

    holding = asyncio.create_task(desk.store.write(hold))
    assert await asyncio.to_thread(reached.wait, PATIENCE)
    try:
        yield
        await asyncio.sleep(0)  # what was handed in last is in the queue
    finally:
        go.set()
        await holding


def add_agent(name: str = "helper", tenant: Tenant = TENANT) -> Callable[[Transaction], None]:
    def work(tx: Transaction) -> None:
        version = agents.last_version(tx, tenant, name) + 1
        agents.add(tx, Agent(tenant, name, version, AgentSpec(harness="chat"), tx.now))

    return work


def a_runner(name: str, tenant: Tenant = TENANT) -> Runner:
    facts: dict[str, Any] = {"labels": {}, "slots": 1, "harnesses": ("chat",), "tools": ()}
    told: dict[str, Any] = {"version": "1", "protocol": 1, "address": "here"}
    times: dict[str, Any] = {"connected_at": START, "last_seen_at": START}
    return Runner(id=RunnerId(name), tenant=tenant, generation=1, **facts, **told, **times)


def open_session(tx: Transaction, tenant: Tenant = TENANT, **more: Any) -> Session:
    """A new session with its first event."""
    facts: dict[str, Any] = {"agent": "helper", "agent_version": 1} | more
    facts |= {"created_at": tx.now, "updated_at": tx.now}
    session = Session(SessionId(tx.new_id("sess")), tenant, **facts)
    ledger = Ledger(tx, session, "client", new=True)
    ledger.event(EventKind.SESSION_CREATED, session)
    return ledger.close()


def say(text: str) -> Message:
    return Message(ItemRole.USER, (ContentBlock("input_text", text),))


def start_turn(tx: Transaction, session: Session, text: str = "hello") -> Turn:
    """A turn, active and queued, in an idle session that was just read."""
    ledger = Ledger(tx, session, "client")
    turn = begin_turn(tx, ledger, say(text))
    ledger.close()
    return turn
