"""What is measured of one session: its turn is interrupted, and the next message sent."""

from google.protobuf.timestamp_pb2 import Timestamp

from bench.figures import Figures
from bench.live import LiveSession, Watcher
from bench.moments import Moments, now
from steersman.v1.interrupt_pb2 import INTERRUPT_STATE_CONFIRMED, Interrupt


class NotConfirmed(Exception):
    """An interrupt did not end as every one here must."""


async def measure(live: LiveSession, stops: Moments, figures: Figures) -> None:
    """One sample of each figure. `stops` has when the harness of a turn stopped."""
    async with live.watched() as watchers:
        await _interrupt(live, watchers, stops, figures)
        await _send(live, figures)


async def _interrupt(
    live: LiveSession, watchers: list[Watcher], stops: Moments, figures: Figures
) -> None:
    called = now()
    interrupt = await live.session.interrupt(live.turn_id)
    answered = now()
    stopped = await stops.when(live.turn_id)
    told = [await watcher.interrupted(live.turn_id) for watcher in watchers]
    figures.add("interrupt → answered", answered - called)
    figures.add("interrupt → harness stopped", stopped - called)
    figures.add("interrupt → first watcher told", min(told) - called)
    figures.add("interrupt → every watcher told", max(told) - called)
    stops.forget(live.turn_id)
    _add_own_times(await live.session.get_interrupt(interrupt.id), figures)


def _add_own_times(interrupt: Interrupt, figures: Figures) -> None:
    """What the resource says of itself: the server's wall clock, at its transactions."""
    if interrupt.state != INTERRUPT_STATE_CONFIRMED:
        raise NotConfirmed(str(interrupt))
    stamps = (interrupt.requested_at, interrupt.delivered_at, interrupt.settled_at)
    requested, delivered, settled = (_seconds(stamp) for stamp in stamps)
    figures.add("Interrupt: requested → delivered", delivered - requested)
    figures.add("Interrupt: requested → settled", settled - requested)


def _seconds(stamp: Timestamp) -> float:
    return stamp.ToMicroseconds() / 1e6


async def _send(live: LiveSession, figures: Figures) -> None:
    called = now()
    sent = await live.session.send("go on")
    answered = now()
    first = await live.watcher.first_delta(sent.turn.id)
    figures.add("send → answered", answered - called)
    figures.add("send → first delta", first - called)
    live.turn_id = sent.turn.id
