"""What waits for one watcher: text merged, bounds kept, overflow named, nothing lost silently."""

import asyncio
from typing import Final

import pytest
from server_values import NOW, SESSION, TENANT, TURN

from steersman_server.core.livetext import Delta
from steersman_server.core.notices import SessionAdvanced, SessionDeleted
from steersman_server.core.refusals import Draining
from steersman_server.core.session import Session
from steersman_server.core.values import TurnId
from steersman_server.rpc import watch_inbox
from steersman_server.rpc.watch_inbox import Ring, WatchInbox

ADVANCED: Final = SessionAdvanced(Session(SESSION, TENANT, "helper", 1, NOW, NOW), ())
DELETED: Final = SessionDeleted(TENANT, SESSION)
SOON: Final = 0.02


def delta(offset: int, text: str, *, round_: int = 1, number: int = 1) -> Delta:
    return Delta(TURN, 1, number, round_, offset, text)


def small(monkeypatch: pytest.MonkeyPatch, *, waiting: int = 3, text: int = 10) -> WatchInbox:
    monkeypatch.setattr(watch_inbox, "WAITING", waiting)
    monkeypatch.setattr(watch_inbox, "TEXT", text)
    return WatchInbox(deltas=True)


async def test_deltas_that_follow_each_other_are_merged() -> None:
    inbox = WatchInbox(deltas=True)
    for piece in (delta(0, "a🚢"), delta(2, "b"), delta(3, "c")):
        inbox.put(piece)
    assert inbox.take() == [delta(0, "a🚢bc")]
    assert inbox.take() == []


@pytest.mark.parametrize(
    "other",
    [
        delta(2, "x"),
        delta(0, "x"),
        delta(1, "x", round_=2),
        delta(1, "x", number=2),
        Delta(TurnId("turn_2"), 1, 1, 1, 1, "x"),
        Delta(TURN, 2, 1, 1, 1, "x"),
    ],
    ids=["gap", "overlap", "round", "try", "turn", "attempt"],
)
async def test_deltas_that_do_not_follow_each_other_stay_apart(other: Delta) -> None:
    inbox = WatchInbox(deltas=True)
    inbox.put(delta(0, "a"))
    inbox.put(other)
    assert inbox.take() == [delta(0, "a"), other]


async def test_text_is_never_merged_across_a_commit() -> None:
    inbox = WatchInbox(deltas=True)
    rings: list[Ring] = [delta(0, "a"), ADVANCED, delta(1, "b")]
    for ring in rings:
        inbox.put(ring)
    assert inbox.take() == rings


async def test_at_its_bounds_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = small(monkeypatch)
    rings: list[Ring] = [ADVANCED, delta(0, "x" * 10), ADVANCED]
    for ring in rings:
        inbox.put(ring)
    assert not inbox.overflowed
    assert inbox.take() == rings


async def test_too_many_commits_overflow(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = small(monkeypatch)
    for _ in range(4):
        inbox.put(ADVANCED)
    assert inbox.overflowed
    assert inbox.take() == []


async def test_too_much_text_overflows_however_well_it_merges(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inbox = small(monkeypatch)
    for offset in range(11):
        inbox.put(delta(offset, "x"))
    assert inbox.overflowed
    assert inbox.take() == []


async def test_what_the_store_cannot_tell_again_survives_the_overflow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inbox = small(monkeypatch)
    draining = Draining()
    rings: tuple[Ring, ...] = (DELETED, ADVANCED, draining, delta(0, "x"))
    for ring in rings:
        inbox.put(ring)
    assert inbox.overflowed
    inbox.put(ADVANCED)
    inbox.put(delta(1, "x"))
    inbox.put(DELETED)
    assert inbox.take() == [DELETED, draining, DELETED]


async def test_a_recovered_inbox_takes_live_rings_again(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = small(monkeypatch)
    for _ in range(4):
        inbox.put(ADVANCED)
    inbox.recovered()
    assert not inbox.overflowed
    inbox.put(ADVANCED)
    inbox.put(delta(0, "x" * 10))
    assert inbox.take() == [ADVANCED, delta(0, "x" * 10)]


async def test_taking_the_text_makes_room_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = small(monkeypatch)
    for at in range(5):
        inbox.put(delta(10 * at, "x" * 10))
        assert inbox.take() == [delta(10 * at, "x" * 10)]
    assert not inbox.overflowed


async def test_a_watcher_is_woken_by_a_ring_and_by_an_overflow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inbox = small(monkeypatch)
    waiting = asyncio.create_task(inbox.wait(60.0))
    await asyncio.sleep(0)
    inbox.put(ADVANCED)
    assert await waiting
    inbox.take()
    for _ in range(4):
        inbox.put(ADVANCED)
    assert await inbox.wait(60.0)


async def test_a_watcher_without_text_is_not_woken_by_text() -> None:
    """Else the progress frames would stop for as long as a model streams."""
    inbox = WatchInbox(deltas=False)
    waiting = asyncio.create_task(inbox.wait(SOON))
    await asyncio.sleep(0)
    inbox.put(delta(0, "x"))
    assert not await waiting
    assert inbox.take() == []


async def test_a_ring_that_was_taken_does_not_wake_anybody_again() -> None:
    inbox = WatchInbox(deltas=True)
    inbox.put(ADVANCED)
    assert inbox.take() == [ADVANCED]
    assert not await inbox.wait(SOON)
