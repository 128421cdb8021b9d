"""The lease machine under random events, and the book that keeps the leases of all runners."""

from typing import Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from server_values import NOW, RUNNER, TENANT

from steersman_server.core.lease import (
    Checked,
    Connected,
    Disconnected,
    Heard,
    Lease,
    LeaseEvent,
    LeaseState,
    SaidGoodbye,
    Terms,
    deadline,
    decide,
    unseen,
)
from steersman_server.core.values import RunnerId
from steersman_server.hub.leases import LeaseBook, RunnerKey

TERMS: Final = Terms(silence=10.0, disconnect_grace=3.0)
KEY: Final = RunnerKey(TENANT, RUNNER)


class LeaseRules(RuleBasedStateMachine):
    """A model beside the machine: when it was heard last, when its stream was lost."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.lease = Lease(LeaseState.ENDED, 0.0)
        self.heard: float | None = None
        self.cut: float | None = None

    def take(self, event: LeaseEvent) -> Lease:
        before = self.lease
        self.lease = decide(before, event, TERMS)
        if before.state is LeaseState.ENDED and not isinstance(event, Connected):
            assert self.lease is before, "an ended lease was revived"
        return before

    @rule(seconds=st.floats(0.0, 12.0))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def connects(self) -> None:
        self.take(Connected(self.now))
        self.heard, self.cut = self.now, None
        assert self.lease == Lease(LeaseState.CONNECTED, self.now)

    @rule()
    def is_heard(self) -> None:
        before = self.take(Heard(self.now))
        if before.state is LeaseState.CONNECTED:
            self.heard = self.now
        assert self.lease.state is before.state, "a heartbeat is no hello"

    @rule()
    def loses_its_stream(self) -> None:
        before = self.take(Disconnected(self.now))
        if before.state is LeaseState.CONNECTED:
            self.cut = self.now

    @rule()
    def says_goodbye(self) -> None:
        self.take(SaidGoodbye(self.now))
        assert self.lease.state is LeaseState.ENDED

    @rule()
    def is_looked_at(self) -> None:
        before = self.take(Checked(self.now))
        due = deadline(before, TERMS)
        overdue = due is None or self.now >= due
        assert (self.lease.state is LeaseState.ENDED) == overdue

    @invariant()
    def a_connected_lease_counts_from_the_last_heartbeat(self) -> None:
        if self.lease.state is LeaseState.CONNECTED:
            assert self.lease.since == self.heard
            assert self.heard is not None
            assert deadline(self.lease, TERMS) == self.heard + TERMS.silence

    @invariant()
    def a_disconnected_lease_keeps_its_first_instant(self) -> None:
        if self.lease.state is LeaseState.DISCONNECTED:
            assert self.lease.since == self.cut

    @invariant()
    def an_ended_lease_has_no_deadline(self) -> None:
        assert (deadline(self.lease, TERMS) is None) == (self.lease.state is LeaseState.ENDED)


TestLeaseRules = LeaseRules.TestCase
TestLeaseRules.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


def test_a_runner_that_is_expected_after_a_start_has_a_full_lease() -> None:
    lease = unseen(100.0, TERMS)
    assert deadline(lease, TERMS) == 110.0
    assert decide(lease, Checked(109.9), TERMS) is lease
    assert decide(lease, Checked(110.0), TERMS).state is LeaseState.ENDED


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def book(clock: Clock) -> LeaseBook:
    return LeaseBook(TERMS, isolation_limit=10.0, clock=clock)


def test_a_look_at_the_clock_is_no_sign_of_life() -> None:
    clock = Clock()
    leases = book(clock)
    leases.note(KEY, Connected(0.0))
    clock.now = 9.0
    assert not leases.take_ended()
    # The isolation limit counts from the last heartbeat, and so does "last seen".
    assert leases.may_run_until(KEY, NOW) == NOW + 1_000_000
    assert leases.last_heard(KEY, NOW) == NOW - 9_000_000


def test_an_ended_lease_is_told_once_until_it_ends_again() -> None:
    clock = Clock()
    leases = book(clock)
    leases.note(KEY, Connected(0.0))
    other = RunnerKey(TENANT, RunnerId("other"))
    leases.note(other, Connected(5.0))
    clock.now = 10.0
    assert leases.take_ended() == [KEY]
    assert leases.take_ended() == []
    leases.note(KEY, Connected(10.0))
    leases.note(KEY, SaidGoodbye(10.0))
    assert leases.take_ended() == [KEY]
    assert leases.next_deadline() == 15.0


def test_expecting_a_runner_that_is_back_already_changes_nothing() -> None:
    clock = Clock()
    leases = book(clock)
    leases.note(KEY, Connected(0.0))
    leases.expect(KEY)
    assert leases.state(KEY) is LeaseState.CONNECTED
    leases.expect(RunnerKey(TENANT, RunnerId("away")))
    assert leases.next_deadline() == 10.0
    assert leases.state(RunnerKey(TENANT, RunnerId("never"))) is LeaseState.ENDED


def test_a_change_of_state_is_rung_and_a_heartbeat_is_not() -> None:
    leases = book(Clock())
    for event, rings in ((Connected(0.0), True), (Heard(1.0), False), (Disconnected(2.0), True)):
        leases.changed.clear()
        leases.note(KEY, event)
        assert leases.changed.is_set() == rings


def test_a_machine_past_its_isolation_limit_may_run_no_longer() -> None:
    clock = Clock()
    leases = book(clock)
    leases.note(KEY, Connected(0.0))
    clock.now = 60.0
    assert leases.may_run_until(KEY, NOW) == NOW
