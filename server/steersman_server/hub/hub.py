"""All links: who is connected, what they hold, and what their deltas add."""

import asyncio
from collections.abc import Iterator

import structlog

from steersman.v1.runner_pb2 import Delta as DeltaFrame
from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.lease import Connected, Disconnected, LeaseState, SaidGoodbye
from steersman_server.core.livetext import Delta, LiveText
from steersman_server.core.notices import TurnReleased
from steersman_server.core.placement import Candidate
from steersman_server.core.turn import Turn
from steersman_server.core.values import Instant, RunnerId, Tenant, TurnId
from steersman_server.hub.leases import LeaseBook, RunnerKey
from steersman_server.hub.link import Link, SilentRunner, Superseded
from steersman_server.usecases.finish_turn import Alone

log = structlog.get_logger()
REST = 1.0  # seconds for which a runner that declined is not asked again


class Hub:
    """The runners of this server. `capacity` is set when a slot may have become free."""

    def __init__(self, bus: LocalBus, leases: LeaseBook) -> None:
        self.leases = leases
        self.live = LiveText()
        self.capacity = asyncio.Event()
        self._bus = bus
        self._links: dict[RunnerKey, Link] = {}
        bus.subscribe(topics.RELEASED, self._released)

    def attach(self, link: Link) -> None:
        """Make `link` its runner's stream; raises Superseded for an older process."""
        standing = self._links.get(link.key)
        if standing is not None:
            if standing.runner.generation > link.runner.generation:
                raise Superseded(link.runner.id, standing.runner.generation)
            self.detach(standing)
            standing.close(Superseded(link.runner.id, link.runner.generation))
        self._links[link.key] = link
        self.leases.note(link.key, Connected(self.leases.clock()))

    def detach(self, link: Link) -> None:
        """The stream is gone; the lease goes on until its grace is over, or ends now."""
        if self._links.get(link.key) is not link:
            return
        del self._links[link.key]
        now = self.leases.clock()
        event = SaidGoodbye(now) if link.said_goodbye else Disconnected(now)
        self.leases.note(link.key, event)

    def link_of(self, tenant: Tenant, runner_id: RunnerId) -> Link | None:
        return self._links.get(RunnerKey(tenant, runner_id))

    def links(self) -> Iterator[Link]:
        yield from self._links.values()

    def expire(self, key: RunnerKey) -> None:
        """Its lease has ended: a stream that still stands ends too, and the runner comes anew."""
        link = self._links.get(key)
        if link is not None:
            link.close(SilentRunner(link.runner.id))

    def has_capacity(self) -> bool:
        """Whether any runner has a free slot."""
        return any(self._takes(link) and link.used < link.runner.slots for link in self.links())

    def _takes(self, link: Link) -> bool:
        alive = self.leases.state(link.key) is LeaseState.CONNECTED
        return link.welcomed and link.closed is None and alive and not link.resting

    def rest(self, link: Link) -> None:
        """The runner declined a turn: ask it again in a moment, not in a circle."""
        link.resting = True
        asyncio.get_running_loop().call_later(REST, self._rested, link)

    def _rested(self, link: Link) -> None:
        link.resting = False
        self.capacity.set()

    def candidates(self, tenant: Tenant) -> list[Candidate]:
        """The connected runners of a tenant, as placement sees them."""
        return [
            Candidate(
                runner_id=link.runner.id,
                slots=link.runner.slots,
                used=link.used,
                harnesses=frozenset(link.runner.harnesses),
                tools=frozenset(link.runner.tools),
                labels=link.runner.labels,
            )
            for link in self._links.values()
            if link.runner.tenant == tenant and self._takes(link)
        ]

    def _released(self, notice: TurnReleased) -> None:
        """The turn is with no runner any more: its text in flight is history, or nothing."""
        self.live.forget(notice.turn_id)
        self.capacity.set()

    def relay(self, link: Link, frame: DeltaFrame) -> None:
        """Pass on a delta to watchers; one of an epoch that is over is dropped."""
        turn_id = TurnId(frame.turn_id)
        held = link.holds(turn_id, frame.epoch)
        if held is None:
            return
        number: int = getattr(frame, "try")
        delta = Delta(turn_id, held.attempt, number, frame.round, frame.offset, frame.text)
        fresh = self.live.take(delta, held.epoch)
        if fresh is not None:
            self._bus.publish(topics.session(held.session_id), fresh)

    def hold_text(self, turn: Turn, round_: int, text: str) -> None:
        """A runner came back: tell watchers the whole text in flight; they drop what they have."""
        self.live.hold(turn, round_, text)
        delta = Delta(turn.id, turn.attempt, turn.try_number, round_, 0, text)
        self._bus.publish(topics.session(turn.session_id), delta)

    def alone(self, key: RunnerKey, turn_id: TurnId, now: Instant) -> Alone:
        """What the server knows when it must settle a turn without its runner."""
        at = self.live.of(turn_id)
        text = "" if at is None else at.text
        return Alone(text=text, may_run_until=self.leases.may_run_until(key, now))
