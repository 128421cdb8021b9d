"""A chat in a real terminal, and without one."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable

import pexpect
import pytest
from cli_process import MODULE, environment, run
from fake_steersman import FakeServer

from steersman.v1 import interrupt_pb2, session_pb2
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.event_pb2 import Event
from steersman.v1.turn_pb2 import Turn

# A pseudo terminal is made by a fork; the child is another program at once.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

CONFIRMED = interrupt_pb2.Interrupt(turn_id="turn_1", state="INTERRUPT_STATE_CONFIRMED")
Frames = AsyncIterator[pb.WatchSessionResponse]


class Turns:
    """Turns that stream a word and end as the test lets them: by an interrupt, or at once."""

    def __init__(self, server: FakeServer, *, until_interrupted: bool) -> None:
        self._server = server
        self._until_interrupted = until_interrupted
        server.answer("CreateSession", session_pb2.Session(id="sess_1", agent="assistant"))
        server.answer("SendMessage", pb.SendMessageResponse(turn_id="turn_1"))
        server.answer("Interrupt", CONFIRMED)
        server.streams["WatchSession"] = self.frames

    async def frames(self, request: pb.WatchSessionRequest) -> Frames:
        at = request.after_sequence
        yield pb.WatchSessionResponse(snapshot=pb.SessionSnapshot(head_sequence=at))
        delta = pb.TextDelta(turn_id="turn_1", attempt=1, round=at, text="streaming…", **{"try": 1})
        yield pb.WatchSessionResponse(delta=delta)
        state = "COMPLETED"
        if self._until_interrupted:
            await self._server.saw("Interrupt")
            state = "INTERRUPTED"
        turn = Turn(id="turn_1", state=f"TURN_STATE_{state}")
        event = Event(sequence=at + 1, turn_id="turn_1", turn=turn)
        yield pb.WatchSessionResponse(events=pb.EventBatch(events=[event]))


class Terminal:
    """A chat in a pseudo terminal; waiting for its output leaves the event loop free."""

    def __init__(self, server: FakeServer) -> None:
        program, *arguments = (*MODULE, "chat", "--server", server.address)
        self.process = pexpect.spawn(
            program, arguments, env=environment(), encoding="utf-8", timeout=15
        )

    async def sees(self, words: str) -> None:
        await asyncio.to_thread(self.process.expect_exact, words)

    async def prompted(self) -> None:
        await self.sees("\x1b[?2004h")

    async def ends(self) -> int | None:
        await asyncio.to_thread(self.process.expect, pexpect.EOF)
        self.process.close()
        return self.process.exitstatus


@pytest.fixture
async def terminal(server: FakeServer) -> AsyncIterator[Callable[[], Terminal]]:
    opened: list[Terminal] = []

    def open_terminal() -> Terminal:
        opened.append(Terminal(server))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.process.close(force=True)


async def test_ctrl_c_interrupts_the_turn_once_and_the_next_message_works(
    server: FakeServer, terminal: Callable[[], Terminal]
) -> None:
    Turns(server, until_interrupted=True)
    chat = terminal()
    await chat.prompted()
    chat.process.send("go\r")
    await chat.sees("streaming…")
    chat.process.sendintr()
    await chat.sees("stopping")
    await chat.sees("confirmed: turn_1 has stopped")
    await chat.prompted()
    assert len(server.requests("Interrupt")) == 1
    assert server.requests("Interrupt")[0].turn_id == "turn_1"
    assert server.requests("Interrupt")[0].wait == interrupt_pb2.INTERRUPT_WAIT_SETTLED
    chat.process.send("again\r")
    await chat.sees("streaming…")
    assert len(server.requests("SendMessage")) == 2


async def test_a_second_ctrl_c_while_it_settles_is_harmless(
    server: FakeServer, terminal: Callable[[], Terminal]
) -> None:
    Turns(server, until_interrupted=True)
    held = asyncio.Event()
    server.hold("Interrupt", held.wait)
    chat = terminal()
    await chat.prompted()
    chat.process.send("go\r")
    await chat.sees("streaming…")
    chat.process.sendintr()
    await server.saw("Interrupt")
    await chat.sees("stopping")
    for _ in range(2):
        chat.process.sendintr()
        await chat.sees("^C")
    held.set()
    await chat.sees("confirmed")
    await chat.prompted()
    chat.process.send("/quit\r")
    assert await chat.ends() == 0
    assert len(server.requests("Interrupt")) == 1


async def test_ctrl_c_at_an_empty_prompt_does_not_end_the_chat(
    server: FakeServer, terminal: Callable[[], Terminal]
) -> None:
    Turns(server, until_interrupted=False)
    chat = terminal()
    await chat.prompted()
    chat.process.sendintr()
    await chat.sees("leaves")
    await chat.prompted()
    chat.process.send("hello\r")
    await chat.sees("streaming…")
    await chat.prompted()
    chat.process.sendeof()
    assert await chat.ends() == 0


async def test_without_a_terminal_each_line_is_a_message(server: FakeServer) -> None:
    Turns(server, until_interrupted=False)
    ran = await run(server, "chat", stdin="one\n\n/nope\ntwo\n/quit\nthree\n")
    assert ran.code == 0
    assert [one.message.text for one in server.requests("SendMessage")] == ["one", "two"]
    assert "no such command: /nope" in ran.out


async def test_each_turn_is_watched_from_where_the_last_one_ended(server: FakeServer) -> None:
    Turns(server, until_interrupted=False)
    await run(server, "chat", stdin="one\ntwo\n")
    assert [one.after_sequence for one in server.requests("WatchSession")] == [0, 1]


async def test_once_exits_with_the_reason_when_the_turn_does_not_complete(
    server: FakeServer,
) -> None:
    Turns(server, until_interrupted=True)
    process = await run_and_interrupt(server)
    assert process.returncode == 1
    assert process.stderr is not None
    assert b"interrupted" in await process.stderr.read()


async def run_and_interrupt(server: FakeServer) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        *(*MODULE, "chat", "--once", "go", "--server", server.address),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    await server.saw("WatchSession")
    process.send_signal(signal.SIGINT)
    await asyncio.wait_for(process.wait(), 15)
    return process
