"""Handles of a turn, and of a message that became one. Never sends a message."""

from typing import NamedTuple

from google.protobuf.duration_pb2 import Duration

from steersman.transport import Transport
from steersman.v1 import session_service_pb2 as pb
from steersman.v1 import turn_pb2
from steersman.v1.session_service_pb2_grpc import SessionServiceStub
from steersman.words import ended, short

# How long one call waits before it asks again, in seconds: proxies cut longer silences.
WAIT = 30


class Turn:
    """A turn of a session, by id."""

    def __init__(self, transport: Transport, session_id: str, turn_id: str) -> None:
        self._transport = transport
        self.session_id = session_id
        self.id = turn_id

    async def get(self) -> turn_pb2.Turn:
        """The turn as it is now. Raises NotFound."""
        return await self._get(wait=0)

    async def wait(self) -> turn_pb2.Turn:
        """The turn once it has ended, however long that takes. Raises NotFound."""
        while not ended(turn := await self._get(wait=WAIT)):
            pass
        return turn

    async def _get(self, wait: int) -> turn_pb2.Turn:
        stub = SessionServiceStub(self._transport.channels.calls)
        request = pb.GetTurnRequest(
            session_id=self.session_id,
            turn_id=self.id,
            wait=wait > 0,
            wait_timeout=Duration(seconds=wait) if wait else None,
        )
        return await self._transport.call(stub.GetTurn, request, waiting=wait)


class Sent(NamedTuple):
    """A message that was taken: what became of it, and its turn."""

    response: pb.SendMessageResponse
    turn: Turn

    @property
    def outcome(self) -> str:
        """`started`, `queued` or `interrupting`."""
        return short(self.response, "outcome")
