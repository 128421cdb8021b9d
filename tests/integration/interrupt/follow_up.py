"""How every story ends: a message sent the moment the watch shows idle meets a valid history."""

from collections.abc import Sequence

from log_rules import Log
from raw_runner import RawRunner
from server_house import House
from server_watching import Watching, history, log_of

from steersman import short
from steersman.v1.item_pb2 import Item
from steersman.v1.runner_pb2 import StartTurn

FOLLOW_UP = "now something else"


async def send_when_idle(house: House, watch: Watching) -> str:
    """Send the follow-up as soon as an event says that the session is idle; its turn's id."""
    seen = len(watch.events)
    while not any(short(event, "session_status") == "idle" for event in watch.events[seen:]):
        seen = len(watch.events)
        await watch.frame()
    sent = await house.send(watch.snapshot.session.id, FOLLOW_UP)
    assert short(sent, "outcome") == "started"
    return str(sent.turn_id)


async def followed_up(
    house: House, watch: Watching, runner: RawRunner, *, marked: bool = True
) -> StartTurn:
    """The runner's next turn is the follow-up; it is answered, and the whole log is valid."""
    turn_id = await send_when_idle(house, watch)
    held = await runner.taken()
    assert held.turn_id == turn_id
    check_given(held.history, marked=marked)
    await runner.complete(held, "here you are")
    await valid_log(house, watch.snapshot.session.id)
    return held


def check_given(items: Sequence[Item], *, marked: bool = True) -> None:
    """A model can be asked with this: every call has its output, and the marker comes first."""
    told = history(list(items))
    assert told[-1] == ("user", FOLLOW_UP)
    assert (told[-2][0] == "marker") is marked
    calls = [item.id for item in items if short(item, "type") == "function_call"]
    outputs = [item.call_item_id for item in items if item.call_item_id]
    assert sorted(calls) == sorted(outputs), "every call exactly one output"
    assert [item.marker for item in items].count("interrupted") == int(marked)


async def valid_log(house: House, session_id: str) -> Log:
    return Log().read(await log_of(house.client, session_id)).check()
