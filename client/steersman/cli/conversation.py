"""One session, talked with: say, follow, stop. Reads no keys; prints through what it is given."""

import asyncio
from collections.abc import Callable

from steersman.cli.chat_state import ChatState, Stop, Tell
from steersman.cli.describe import interrupt_lines
from steersman.cli.stream import Show, end_of
from steersman.errors import SteersmanError, TurnNotActive
from steersman.session import Session
from steersman.turn import Sent
from steersman.v1.event_pb2 import Event
from steersman.v1.turn_pb2 import Turn


class Conversation:
    """Says one thing at a time and shows all that happens in the session meanwhile."""

    def __init__(self, session: Session, show: Show, tell: Callable[[str], None]) -> None:
        self.session = session
        self.state = ChatState()
        self._show = show
        self._tell = tell
        self._seen = session.resource.head_sequence
        self._sending: asyncio.Task[Sent] | None = None
        self._stopping: asyncio.Task[None] | None = None

    async def say(self, text: str) -> Turn:
        """Send a message and show its turn until it has ended, stop and all."""
        self.state.began()
        self._sending = asyncio.create_task(self.session.send(text))
        try:
            sent = await self._sending
            turn = await self._follow(sent.turn.id)
            if self._stopping is not None:
                await self._stopping
            return turn
        finally:
            self._stopping = None
            self.state.ended()

    def ctrl_c(self) -> None:
        """Stop the turn that runs, once; tell how to leave when there is none."""
        match self.state.ctrl_c():
            case Stop():
                self._tell("stopping …")
                self._stopping = asyncio.create_task(self._stop())
            case Tell(words):
                self._tell(words)

    async def _follow(self, turn_id: str) -> Turn:
        async with self.session.watch(self._seen) as frames:
            async for frame in frames:
                self._show(frame)
                if isinstance(frame, Event):
                    self._seen = frame.sequence
                if turn := end_of(frame, turn_id):
                    return turn
        raise SteersmanError("the connection was closed", reason="closed")

    async def _stop(self) -> None:
        """Interrupt the turn by id, so that a late stop cannot hit the next; tell what happened."""
        if self._sending is None:
            return
        await asyncio.wait([self._sending])
        if self._sending.cancelled() or self._sending.exception():
            return
        turn = self._sending.result().turn
        try:
            answer = await self.session.interrupt(turn.id, wait="settled", reason="Ctrl+C")
        except TurnNotActive as late:
            self._tell(f"too late to stop: {late.message}")
        except SteersmanError as error:
            self.state.not_stopped()
            self._tell(f"not stopped: {error}")
        else:
            self._tell("\n".join(interrupt_lines(answer)))
