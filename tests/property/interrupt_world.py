"""One session in a real store, driven use case by use case, over any number of restarts."""

import asyncio
import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

from log_rules import Log

from steersman_server.core.agent import AgentSpec, RunnerLossPolicy
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.items import Item, PendingInput
from steersman_server.core.session import Session
from steersman_server.core.turn import HELD, Turn
from steersman_server.core.values import Caller, Instant, InterruptId, Role, Tenant
from steersman_server.store import events, interrupts, items, sessions, turns
from steersman_server.store.engine import open_database
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.create_session import CreateSession, create_session
from steersman_server.usecases.manage_agents import CreateAgent, create_agent
from steersman_server.wire.events import event as as_message

T = TypeVar("T")
CALLER = Caller(Tenant("default"), "somebody", Role.CLIENT)
EVERYTHING = 100_000
# Nothing here is about power cuts, and a disk's flush takes longer than a rule.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class World:
    """The store and the log read so far. Time stands still unless `tick` is called."""

    def __init__(self, policy: RunnerLossPolicy) -> None:
        self._loop = asyncio.Runner()
        self._folder = Path(tempfile.mkdtemp(prefix="steersman-property-", dir=MEMORY))
        self._now = 1_700_000_000_000_000
        self.log = Log()
        self._read: dict[str, object] = {}
        self._copy_empty_database()
        self._open()
        spec = AgentSpec(harness="modelled", on_runner_loss=policy)
        self.write(lambda tx: create_agent(tx, CreateAgent(CALLER, "agent", spec)))
        self.session_id = self.write(
            lambda tx: create_session(tx, CreateSession(CALLER, "agent"))
        ).id

    def _copy_empty_database(self) -> None:
        # The migrations take longer than a whole example.
        if not EMPTY.exists():
            open_database(f"sqlite:///{EMPTY}").close()
        shutil.copy(EMPTY, self._folder / "steersman.db")

    def _open(self) -> None:
        async def opened() -> Store:
            database = open_database(f"sqlite:///{self._folder / 'steersman.db'}")
            return Store(database, lambda notices: None, lambda: Instant(self._now))

        self._store = self._loop.run(opened())

    def restart(self) -> None:
        self._read.clear()
        self._loop.run(self._store.close())
        self._open()

    def close(self) -> None:
        self._loop.run(self._store.close())
        self._loop.close()
        shutil.rmtree(self._folder)

    def tick(self, microseconds: int) -> None:
        self._now += microseconds

    @property
    def now(self) -> Instant:
        return Instant(self._now)

    def write(self, work: Callable[[Transaction], T]) -> T:
        self._read.clear()
        return self._loop.run(self._store.write(work))

    def together(self, *works: Callable[[Transaction], object]) -> list[object]:
        """Handed in at once, so that they may share a commit; what each raised or answered."""

        async def all_of_them() -> list[object]:
            return await asyncio.gather(*map(self._store.write, works), return_exceptions=True)

        self._read.clear()
        return self._loop.run(all_of_them())

    def read(self, work: Callable[[Transaction], T]) -> T:
        # In this thread: the way through the readers' pool takes longer than the read.
        return self._store._read(work)

    def _once(self, what: str, work: Callable[[Transaction], T]) -> T:
        """Read once between two writes: every rule's precondition asks the same."""
        if what not in self._read:
            self._read[what] = self.read(work)
        return cast(T, self._read[what])

    def session(self) -> Session:
        return self._once("session", lambda tx: sessions.get_any(tx, self.session_id))

    def turn(self, turn_id: str) -> Turn:
        return self._once(turn_id, lambda tx: turns.get(tx, self.session_id, turn_id))

    def active(self) -> Turn | None:
        active = self.session().active_turn_id
        return None if active is None else self.turn(active)

    def held(self) -> Turn | None:
        turn = self.active()
        return turn if turn is not None and turn.state in HELD else None

    def waiting(self) -> list[PendingInput]:
        return self._once("waiting", lambda tx: turns.pending(tx, self.session_id))

    def interrupt(self, interrupt_id: InterruptId) -> Interrupt:
        return self._once(
            interrupt_id, lambda tx: interrupts.get(tx, self.session_id, interrupt_id)
        )

    def history(self, *, withdrawn: bool = False) -> list[Item]:
        page, more = self.read(
            lambda tx: items.page(
                tx,
                self.session_id,
                descending=False,
                after="",
                before="",
                limit=EVERYTHING,
                include_withdrawn=withdrawn,
            )
        )
        assert not more
        return page

    def read_log(self) -> Log:
        """Everything committed since the last look, held against the rules."""
        fresh = self.read(
            lambda tx: events.after(tx, self.session_id, self.log.sequence, EVERYTHING)
        )
        return self.log.read(map(as_message, fresh)).check()


EMPTY = Path(tempfile.mkdtemp(prefix="steersman-property-", dir=MEMORY)) / "empty.db"
atexit.register(shutil.rmtree, EMPTY.parent)
