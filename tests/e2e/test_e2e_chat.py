"""`steersman chat` in a real terminal, with a real runner and a model that waits at its gate."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pexpect
import pytest
from live_desk import Desk, open_desk
from live_house import House
from live_process import MODULE, PATIENCE, environment

from steersman import text
from steersman_runner.mock import MockModel

STORY = "Once upon a time there was a lighthouse. "
SEEN = 17
PROMPT = "\x1b[?2004h"


class Terminal:
    """A chat in a pseudo-terminal; waiting for its output leaves the event loop free."""

    def __init__(self, house: House, agent: str) -> None:
        _, *words = MODULE
        at = ("--server", house.address, "--data-dir", str(house.data_dir))
        self.process = pexpect.spawn(
            sys.executable,
            [*words, "chat", "--agent", agent, *at],
            env=environment(),
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(40, 200),
        )

    async def sees(self, words: str) -> str:
        """Returns once these words are on the screen; what came before them."""
        await asyncio.to_thread(self.process.expect_exact, words)
        return str(self.process.before)

    async def ends(self) -> int | None:
        await asyncio.to_thread(self.process.expect, pexpect.EOF)
        self.process.close()
        return self.process.exitstatus


@pytest.fixture
async def desk(house: House) -> AsyncIterator[Desk]:
    async with open_desk(house.desk_path) as opened:
        yield opened


async def test_a_chat_streams_is_interrupted_and_goes_on_until_quit(
    house: House, mock: MockModel, desk: Desk
) -> None:
    call = {"name": "stubborn", "arguments": {"name": "chat"}}
    await mock.configure(
        "talker",
        {"text": "Hello yourself.", "deltas": 3},
        {"text": STORY, "block_after": SEEN},
        {"text": "Let me look.", "tool_calls": [call]},
        {"text": "Back again."},
    )
    async with house.client() as client:
        await client.agents.create("talker", harness="chat", model="talker", tools=["stubborn"])
        chat = Terminal(house, "talker")
        try:
            await chat.sees(PROMPT)
            chat.process.sendintr()  # at an empty prompt
            await chat.sees("/quit or Ctrl+D leaves")
            await chat.sees(PROMPT)

            chat.process.send("hello\r")
            await chat.sees("Hello yourself.")
            await chat.sees(PROMPT)

            chat.process.send("a story\r")
            await chat.sees(STORY[:SEEN].strip())
            chat.process.sendintr()  # in mid-stream
            await chat.sees("stopping")
            await chat.sees("[interrupted]")
            await chat.sees("confirmed: turn_")
            await chat.sees(PROMPT)

            chat.process.send("look\r")
            visit = await desk.visit("chat")
            chat.process.sendintr()
            await visit.stopping()
            # While it settles. The echo proves nothing: a terminal may flush it.
            chat.process.sendintr()
            chat.process.sendintr()
            visit.answer()
            await chat.sees("confirmed: turn_")
            await chat.sees(PROMPT)

            chat.process.send("still there?\r")
            await chat.sees("Back again.")
            await chat.sees(PROMPT)
            chat.process.send("/quit\r")
            assert await chat.ends() == 0
        finally:
            chat.process.close(force=True)
        (session,) = [one async for one in client.sessions.list(agent="talker")]
        items = [one async for one in client.sessions.handle(session.id).items()]
    assert [item.marker for item in items].count("interrupted") == 2
    assert text(items[-1]) == "Back again."


async def test_once_exits_1_with_the_reason_when_the_model_fails(
    house: House, mock: MockModel
) -> None:
    await mock.configure("broken", {"status_code": 401, "error": "that key is not known"})
    async with house.client() as client:
        await client.agents.create("broken", harness="chat", model="broken")
    ran = await asyncio.to_thread(house.cli, "chat", "--agent", "broken", "--once", "hello")
    assert ran.code == 1
    assert "the turn did not complete; it is failed" in ran.err
    assert "401" in ran.err
    assert "that key is not known" in ran.err
