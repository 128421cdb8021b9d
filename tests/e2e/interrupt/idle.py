"""How every story ends: the message sent the moment the watch shows idle reaches the model."""

from collections.abc import Mapping
from typing import Any

from live_history import given_messages, valid
from live_process import PATIENCE
from live_scene import Scene
from log_rules import Log

from steersman import short
from steersman.v1.item_pb2 import Item

FOLLOW_UP = "now something else"


async def interrupted_turn(scene: Scene, turn_id: str) -> list[Item]:
    """The items of the turn, as soon as an event of its settle was seen."""
    await scene.watcher.until("turn_interrupted", turn_id)
    return [item for item in await scene.items() if item.turn_id == turn_id]


async def follow_up_at_idle(scene: Scene) -> Mapping[str, Any]:
    """Send it when an event says idle; the body of the request that its turn made."""
    watcher = scene.watcher
    await watcher._wait(lambda: short(watcher.events[-1], "session_status") == "idle")
    sent = await scene.say(FOLLOW_UP)
    assert sent.outcome == "started"
    turn = await sent.turn.wait()
    assert short(turn, "state") == "completed", turn
    body: Mapping[str, Any] = (await scene.mock.requests(scene.name))[-1]["body"]
    check_given(body)
    Log().read(await scene.log()).check()
    return body


def check_given(body: Mapping[str, Any]) -> None:
    """Every call has its output; the last two that speak are the marker and the message."""
    assert valid(body)
    marker, message = given_messages(body)[-2:]
    assert message == ("user", FOLLOW_UP)
    assert marker[0] == "user"
    assert "interrupted" in marker[1]


async def closed_requests(scene: Scene) -> list[str]:
    """How each request ended that the model has on record, once the first one has."""
    records = await scene.mock.wait_for_closed(key=scene.name, timeout=PATIENCE)
    return [str(record["closed"]) for record in records]
