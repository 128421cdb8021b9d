"""A session with its own agent and scripted model, watched from its first event on."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

from live_desk import Desk, open_desk
from live_history import dense, each_once, given_messages, items_of, messages, valid
from live_house import House
from live_watch import Watcher, log_of, watcher_of

from steersman import Client, Event, Sent, Session, short
from steersman.v1.item_pb2 import Item
from steersman_runner.mock import MockModel

Response = dict[str, object]

TOOLS = ("again", "once", "stubborn")


def calling(*calls: tuple[str, str], text: str = "") -> Response:
    """An answer that calls tools of the desk: (tool, name) each."""
    called = [{"name": tool, "arguments": {"name": name}} for tool, name in calls]
    return {"text": text, "tool_calls": called}


class Stage(NamedTuple):
    """What the scenes of a test share."""

    house: House
    client: Client
    mock: MockModel
    desk: Desk


class Scene:
    """One session. `name` is also its agent's, its model's, and that of its runs at the desk."""

    def __init__(self, stage: Stage, name: str, session: Session, watcher: Watcher) -> None:
        self.house, self.client, self.mock, self.desk = stage
        self.name = name
        self.session = session
        self.watcher = watcher
        self.sent: list[Sent] = []
        # Requests at the model's gate that are not this scene's.
        self.gates_before = 0
        # What the watcher had when the server was killed.
        self.acknowledged: list[Event] = []

    async def script(self, *responses: Response) -> None:
        """What the model answers from now on."""
        await self.mock.configure(self.name, *responses)

    async def say(self, words: str) -> Sent:
        """Send a message."""
        self.sent.append(await self.session.send(words))
        return self.sent[-1]

    async def begin(self, *responses: Response) -> None:
        """Script the model, and say the first thing."""
        await self.script(*responses)
        await self.say("begin")

    async def items(self) -> list[Item]:
        return [item async for item in self.session.items()]

    async def log(self) -> list[Event]:
        """The log as a new watcher is told; the one of this scene must have seen the same."""
        log = await log_of(self.client, self.session.id)
        assert dense(log)
        assert await self.watcher.up_to(len(log)) == log
        assert log[: len(self.acknowledged)] == self.acknowledged
        return log

    async def follow_up(self) -> None:
        """One more message works, and the model gets the whole history, valid."""
        await self.script({"text": "all is well"})
        turn = await (await self.say("and now?")).turn.wait()
        assert short(turn, "state") == "completed", turn
        history = await self.items()
        assert each_once(history)
        assert items_of(await self.log()) == history
        body = (await self.mock.requests(self.name))[-1]["body"]
        assert valid(body)
        assert given_messages(body) == messages(history)[:-1]
        assert messages(history)[-2:] == [("user", "and now?"), ("assistant", "all is well")]


@asynccontextmanager
async def set_up(house: House) -> AsyncIterator[Stage]:
    """The stage of a house, on this event loop."""
    async with (
        house.client() as client,
        MockModel(house.mock_url) as mock,
        open_desk(house.desk_path) as desk,
    ):
        yield Stage(house, client, mock, desk)


@asynccontextmanager
async def playing(
    stage: Stage, name: str, runner_id: str | None = None, **fields: object
) -> AsyncIterator[Scene]:
    """A new agent and session; `fields` are more of the agent."""
    async with AsyncExitStack() as stack:
        given = {"harness": "chat", "model": name, "tools": TOOLS, **fields}
        await stage.client.agents.create(name, **given)  # type: ignore[arg-type]
        session = await stage.client.sessions.create(name, runner_id=runner_id)
        watcher = await stack.enter_async_context(watcher_of(session))
        yield Scene(stage, name, session, watcher)
