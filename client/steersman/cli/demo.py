"""A session to look at: streaming, a tool, an interrupt and its marker, a follow-up."""

import asyncio
import json
import urllib.request
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from steersman.cli.describe import interrupt_lines
from steersman.cli.stream import end_of
from steersman.cli.transcript import Transcript
from steersman.client import Client
from steersman.frames import Delta, SessionFrame
from steersman.session import Session
from steersman.v1.agent_pb2 import Agent
from steersman.v1.interrupt_pb2 import Interrupt
from steersman.v1.session_service_pb2 import WatchSessionResponse
from steersman.v1.turn_pb2 import Turn
from steersman.watch import Watch
from steersman.words import short

SENTENCE = "the quick brown fox jumps over the lazy dog"
COUNT = f"How many words are in: {SENTENCE}? Use word_count."
STORY = "Tell me a long story about a lighthouse keeper, of at least 500 words."
FOLLOW_UP = "Never mind the story. In one sentence: what were you doing when I stopped you?"

# The interrupt comes once so much of the story was seen, in characters.
ENOUGH = 160
# No step of the demo takes so long, in seconds, unless something is broken.
PATIENCE = 180.0

SCRIPT: list[dict[str, Any]] = [
    {"tool_calls": [{"name": "word_count", "arguments": {"text": SENTENCE}}]},
    {
        "text": "That sentence has 9 words, and it uses every letter of the alphabet once or more.",
        "deltas": 16,
        "delay": 0.06,
    },
    {
        "text": "The keeper had counted every storm since the spring the ferry stopped. " * 12,
        "deltas": 160,
        "delay": 0.06,
    },
    {
        "text": "I was telling you about a lighthouse keeper, and had not got far.",
        "deltas": 14,
        "delay": 0.06,
    },
]


RULE = 80


class DemoFailed(Exception):
    """The demo could not show what it promises."""


class Stage:
    """The demo's session, its one watch, and where it is shown."""

    def __init__(
        self,
        session: Session,
        frames: Watch[WatchSessionResponse, SessionFrame],
        console: Console,
    ) -> None:
        self._session = session
        self._frames = frames
        self._console = console
        self._transcript = Transcript(console, echo=True)

    def narrate(self, words: str) -> None:
        """A line of the narrator's."""
        self._transcript.end_text()
        self._console.print()
        self._console.print(Text(words, "bold green"))

    async def say(self, text: str, expected: str) -> Turn:
        """Say something and show its turn. Raises DemoFailed when it ends otherwise."""
        turn_id = (await self._session.send(text)).turn.id
        return require(await self._until_end(turn_id), expected)

    async def say_and_stop(self, text: str) -> Interrupt:
        """Say something and interrupt its turn once enough of the answer was seen."""
        turn_id = (await self._session.send(text)).turn.id
        await self._until_seen(turn_id, ENOUGH)
        self.narrate("… and is interrupted here: steersman interrupt --wait settled")
        asking = asyncio.create_task(self._session.interrupt(turn_id, wait="settled"))
        require(await self._until_end(turn_id), "interrupted")
        return await asking

    async def _until_seen(self, turn_id: str, enough: int) -> None:
        seen = 0
        async for frame in self._frames:
            self._transcript.show(frame)
            require_open(end_of(frame, turn_id))
            if isinstance(frame, Delta) and frame.turn_id == turn_id:
                seen = frame.offset + len(frame.text)
            if seen >= enough:
                return

    async def _until_end(self, turn_id: str) -> Turn:
        async for frame in self._frames:
            self._transcript.show(frame)
            if turn := end_of(frame, turn_id):
                return turn
        raise DemoFailed("the watch was closed")


def require(turn: Turn, state: str) -> Turn:
    """The turn, if it ended in this state."""
    if short(turn, "state") != state:
        because = f": {turn.error.message}" if turn.HasField("error") else ""
        raise DemoFailed(f"turn {turn.id} is {short(turn, 'state')}, not {state}{because}")
    return turn


def require_open(turn: Turn | None) -> None:
    """Raises DemoFailed for a turn that ended before it could be interrupted."""
    if turn is not None:
        require(turn, "still running")


async def play(client: Client, agent: Agent, console: Console, mock: str | None) -> None:
    """Play the demo. Raises DemoFailed, and SteersmanError when the server refuses."""
    if mock:
        await asyncio.to_thread(configure, mock, agent.model)
    session = await client.sessions.create(agent.name, title="demo")
    console.print(Rule("a session, live"), width=RULE)
    try:
        async with asyncio.timeout(PATIENCE), session.watch() as frames:
            await scenes(Stage(session, frames, console), session)
    except TimeoutError:
        raise DemoFailed(f"it did not end within {PATIENCE:.0f} s") from None
    console.print(Rule(f"steersman items {session.id}"), width=RULE)


async def scenes(stage: Stage, session: Session) -> None:
    """What is shown, in order."""
    stage.narrate(f"1. A message starts a turn in {session.id}; the model calls a tool.")
    await stage.say(COUNT, "completed")
    stage.narrate("2. Another message; the answer streams …")
    interrupt = await stage.say_and_stop(STORY)
    for line in interrupt_lines(interrupt):
        stage.narrate(f"   {line}")
    stage.narrate("   The partial text and the marker above are history now.")
    status = short(await session.refresh(), "status")
    stage.narrate(f"3. The session is {status}, and takes the follow-up.")
    await stage.say(FOLLOW_UP, "completed")
    stage.narrate("The session stays; its history can be read at any time.")


def configure(mock: str, model: str) -> None:
    """Tell the scripted model what to answer. Raises DemoFailed when it does not take it."""
    request = urllib.request.Request(
        f"http://{mock}/mock/configure",
        data=json.dumps({"key": model, "responses": SCRIPT}).encode(),
        headers={"content-type": "application/json"},
        method="POST",
    )
    # A proxy of the environment cannot reach this machine's loopback.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=10):
            return
    except OSError as error:
        raise DemoFailed(f"the scripted model refused its script: {error}") from None
