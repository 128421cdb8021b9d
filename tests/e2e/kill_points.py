"""The points of a turn at which the server is killed. What must hold after each is the test's.

A point is an async generator: up to its first `yield` it is reached, up to its
second the server is down, then the server is there again and the turn goes on.
Requests at the model's gate are released by the test, all together.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from live_proxy import proxy_to
from live_scene import Scene, calling

from steersman import Sent

Steps = AsyncIterator[None]

STORY = "Once upon a time there was a lighthouse. "
SEEN = 17


class Point(NamedTuple):
    """How it is reached, how many requests are at the gate then, and how the turn ends."""

    steps: Callable[[Scene], Steps]
    gates: int = 0
    ends: str = "completed"
    # Model requests of the turns until they ended.
    asked: int = 1
    # The runner that the session is pinned to.
    runner_id: str = "wide"

    @property
    def name(self) -> str:
        return self.steps.__name__.replace("_", "-")


async def idle(scene: Scene) -> Steps:
    await scene.begin({"text": "done"})
    await scene.watcher.until("turn_completed")
    yield
    yield


async def a_message_waits(scene: Scene) -> Steps:
    await scene.begin({"text": "one", "block": True}, {"text": "two"})
    await scene.say("and this")
    await scene.watcher.until("input_queued")
    yield
    yield


async def no_runner_has_it(scene: Scene) -> Steps:
    """Both slots of the runner that it is pinned to are taken."""
    await scene.mock.configure("filler", *[{"block": True}] * 2)
    await scene.client.agents.create("filler", harness="chat", model="filler")
    for _ in range(2):
        await scene.client.sessions.create("filler", "fill", runner_id="narrow")
    await scene.mock.wait_for_pending(scene.gates_before + 2, timeout=30)
    await scene.begin({"text": "done"})
    await scene.watcher.until("turn_queued")
    yield
    assert scene.watcher.first("turn_assigned") is None
    yield


async def in_the_model_call(scene: Scene) -> Steps:
    await scene.begin({"text": "done", "block": True})
    await scene.watcher.until("turn_running")
    yield
    yield


async def in_the_middle_of_streaming(scene: Scene) -> Steps:
    await scene.begin({"text": STORY, "deltas": 5, "block_after": SEEN})
    await scene.watcher.until_text(SEEN)
    assert scene.watcher.text() == STORY[:SEEN]
    yield
    yield
    await scene.watcher.until("turn_completed")
    assert scene.watcher.text() == STORY


async def while_a_tool_runs(scene: Scene) -> Steps:
    await scene.begin(calling(("once", scene.name), text="let me see"), {"text": "done"})
    visit = await scene.desk.visit(scene.name)
    await scene.watcher.until("call_started")
    yield
    yield
    visit.answer("seen")


async def after_the_output(scene: Scene) -> Steps:
    await scene.begin(calling(("once", scene.name)), {"text": "done", "block": True})
    (await scene.desk.visit(scene.name)).answer("seen")
    await scene.mock.wait_for_pending(scene.gates_before + 1, timeout=30)
    yield
    yield


async def while_interrupting(scene: Scene) -> Steps:
    """The runner has the stop, and its tool takes its time."""
    await scene.begin(calling(("stubborn", scene.name)))
    visit = await scene.desk.visit(scene.name)
    await scene.session.interrupt()
    await visit.stopping()
    yield
    yield
    visit.answer()


async def the_model_answers_while_down(scene: Scene) -> Steps:
    """Just before the end: the runner has the final answer, the server never heard it."""
    await scene.begin({"text": STORY, "deltas": 5, "block_after": SEEN})
    await scene.watcher.until_text(SEEN)
    yield
    await scene.mock.wait_for_closed(key=scene.name, timeout=30)
    yield


async def the_tool_ends_while_down(scene: Scene) -> Steps:
    await scene.begin(calling(("once", scene.name)), {"text": "done"})
    visit = await scene.desk.visit(scene.name)
    yield
    visit.answer("seen")
    await visit.gone()
    yield


async def the_stop_is_done_while_down(scene: Scene) -> Steps:
    await scene.begin(calling(("stubborn", scene.name)))
    visit = await scene.desk.visit(scene.name)
    await scene.session.interrupt(wait="delivered")
    await visit.stopping()
    yield
    visit.answer()
    await visit.gone()
    yield


async def a_message_is_sent_while_down(scene: Scene) -> Steps:
    await scene.script({"text": "done"})
    yield
    sending = asyncio.create_task(scene.say("begin"))
    yield
    await sending


async def the_answer_got_lost(scene: Scene) -> Steps:
    """The message is committed, its OK never arrives, and the client asks again."""
    await scene.script({"text": "done"})
    async with (
        proxy_to(scene.house.address) as (proxy, address),
        scene.house.client(address=address) as client,
    ):
        session = await client.sessions.get(scene.session.id)
        proxy.deaf = True
        sending = asyncio.create_task(session.send("begin"))
        await scene.watcher.until("turn_queued")
        yield
        assert not sending.done()
        proxy.deaf = False
        yield
        response = (await sending).response
        scene.sent.append(Sent(response, scene.session.turn(response.turn_id)))


async def the_stop_was_not_heard(scene: Scene) -> Steps:
    """Nothing reaches the runner when the stop is acknowledged."""
    await scene.begin(calling(("stubborn", scene.name)))
    visit = await scene.desk.visit(scene.name)
    scene.house.ways["narrow"].deaf = True
    await scene.session.interrupt()
    yield
    scene.house.ways["narrow"].deaf = False
    yield
    await visit.stopping()
    visit.answer()


async def assigned_and_not_accepted(scene: Scene) -> Steps:
    """To the runner that nothing reaches."""
    await scene.begin({"text": "done"})
    await scene.watcher.until("turn_assigned")
    yield
    assert scene.watcher.first("turn_running") is None
    yield


async def the_instant_after_ok(scene: Scene) -> Steps:
    await scene.begin({"text": "done"})
    yield
    yield


# Each is one life of the server: all its points are reached, in this order, then it is killed.
HELD = (
    Point(idle),
    Point(a_message_waits, gates=1, asked=2),
    Point(in_the_model_call, gates=1),
    Point(in_the_middle_of_streaming, gates=1),
    Point(while_a_tool_runs, asked=2),
    Point(while_interrupting, ends="interrupted"),
    Point(after_the_output, gates=1, asked=2),
    Point(no_runner_has_it, gates=2, runner_id="narrow"),
)
WHILE_DOWN = (
    Point(the_model_answers_while_down, gates=1),
    Point(the_tool_ends_while_down, asked=2),
    Point(the_stop_is_done_while_down, ends="interrupted"),
    Point(a_message_is_sent_while_down),
    Point(the_answer_got_lost),
)
UNHEARD = (
    Point(the_stop_was_not_heard, ends="interrupted", runner_id="narrow"),
    Point(assigned_and_not_accepted, runner_id="narrow"),
    Point(the_instant_after_ok),
)
LIVES: dict[str, Sequence[Point]] = {"held": HELD, "while down": WHILE_DOWN, "unheard": UNHEARD}
