"""Reads a stream's frames and hands each to whom it is for. What they cause is decided there."""

from collections.abc import Awaitable, Callable

import structlog

from steersman.v1.runner_pb2 import ServerMessage
from steersman_runner.engine.turns import Turns
from steersman_runner.heartbeat import Heartbeats

log = structlog.get_logger()

Receive = Callable[[], Awaitable[ServerMessage]]


class Inbox:
    """The one reader of a stream."""

    def __init__(self, turns: Turns, heartbeats: Heartbeats) -> None:
        self._turns = turns
        self._heartbeats = heartbeats

    async def run(self, receive: Receive) -> None:
        """Reads until `receive` raises."""
        while True:
            self._dispatch(await receive())

    def _dispatch(self, message: ServerMessage) -> None:
        match message.WhichOneof("frame"):
            case "start_turn":
                self._turns.start(message.start_turn)
            case "stop_turn":
                self._turns.stop(message.stop_turn)
            case "ack":
                self._turns.acknowledge(message.ack)
            case "ping":
                self._heartbeats.answered(message.ping)
            case "drain":
                log.info("drain_requested")
                self._turns.drain()
            case unexpected:
                # A newer server may say more than this runner knows.
                log.warning("frame_ignored", frame=unexpected)
