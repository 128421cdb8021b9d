"""The frames of one turn under one epoch: numbered, kept, sent again. Pure, no stream."""

from collections import deque

from steersman.v1.runner_pb2 import (
    Accepted,
    Delta,
    HeldTurn,
    Progress,
    RunnerMessage,
    TurnEnded,
)
from steersman_runner.engine.text import RoundText
from steersman_runner.errors import OutboxFull

Durable = Accepted | Progress | TurnEnded


class TurnFrames:
    """What the server still has to hear about a turn, in order.

    Durable frames are numbered here and kept until they are acknowledged. Text
    goes between them as deltas, merged until somebody takes it.
    """

    def __init__(
        self, turn_id: str, epoch: int, try_number: int, text: RoundText, limit: int
    ) -> None:
        self.turn_id = turn_id
        self.epoch = epoch
        self.text = text
        self.acknowledged = 0
        self._try_number = try_number
        self._limit = limit
        self._last = 0
        self._last_at_hello = 0
        self._kept: deque[tuple[int, RunnerMessage]] = deque()
        self._to_send: deque[RunnerMessage] = deque()

    def add(self, frame: Durable) -> int:
        """Numbers a frame and puts it behind the text so far. Raises OutboxFull."""
        # Room for the end of the turn is always there: it is what reports the rest.
        if len(self._kept) >= self._limit and not isinstance(frame, TurnEnded):
            raise OutboxFull(f"durable frames of {self.turn_id}", self._limit)
        self._put_text_first()
        self._last += 1
        frame.turn_id, frame.epoch, frame.number = self.turn_id, self.epoch, self._last
        message = _message(frame)
        self._kept.append((self._last, message))
        self._to_send.append(message)
        return self._last

    def acknowledge(self, number: int) -> None:
        """Forgets the frames up to this number; an older acknowledgement changes nothing."""
        self.acknowledged = max(self.acknowledged, number)
        while self._kept and self._kept[0][0] <= self.acknowledged:
            self._kept.popleft()

    def resume(self, acknowledged: int) -> None:
        """Welcome: everything after what the server has goes out again, once.

        What was added since hello waits in its order already, text included.
        """
        self.acknowledge(acknowledged)
        older = [message for number, message in self._kept if number <= self._last_at_hello]
        self._to_send.extendleft(reversed(older))

    def take(self) -> RunnerMessage | None:
        """The next frame for the stream; None when there is nothing new."""
        if not self._to_send:
            self._put_text_first()
        return self._to_send.popleft() if self._to_send else None

    def held(self) -> HeldTurn:
        """The turn as hello tells it: a new stream. Text told here is not sent as deltas again."""
        self.text.take()
        self._to_send.clear()
        self._last_at_hello = self._last
        return HeldTurn(
            turn_id=self.turn_id,
            epoch=self.epoch,
            acknowledged=self.acknowledged,
            round=self.text.round,
            text=self.text.whole(),
            **{"try": self._try_number},
        )

    def _put_text_first(self) -> None:
        if (piece := self.text.take()) is None:
            return
        delta = Delta(
            turn_id=self.turn_id,
            epoch=self.epoch,
            round=self.text.round,
            offset=piece.offset,
            text=piece.text,
            **{"try": self._try_number},
        )
        self._to_send.append(RunnerMessage(delta=delta))


def _message(frame: Durable) -> RunnerMessage:
    match frame:
        case Accepted():
            return RunnerMessage(accepted=frame)
        case Progress():
            return RunnerMessage(progress=frame)
        case TurnEnded():
            return RunnerMessage(turn_ended=frame)
