"""The text of rounds in flight: relayed, not durable, and told apart by where it belongs.

Offsets and lengths are in characters (Unicode code points).
"""

from dataclasses import dataclass, field

from steersman_server.core.turn import Turn
from steersman_server.core.values import Epoch, TurnId


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of text. Whoever has `offset` characters of this round appends it."""

    turn_id: TurnId
    attempt: int
    try_number: int
    round: int
    offset: int
    text: str


@dataclass(slots=True)
class Round:
    """What was relayed of one round of one try."""

    turn_id: TurnId
    epoch: Epoch
    attempt: int
    try_number: int
    round: int
    length: int = 0
    _pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def append(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)


class LiveText:
    """The round in flight of every turn that streams through this server."""

    def __init__(self) -> None:
        self._rounds: dict[TurnId, Round] = {}

    def hold(self, turn: Turn, round_: int, text: str) -> None:
        """What a runner that came back says it has of the round in flight."""
        held = Round(turn.id, turn.epoch, turn.attempt, turn.try_number, round_)
        held.append(text)
        self._rounds[turn.id] = held

    def take(self, delta: Delta, epoch: Epoch) -> Delta | None:
        """Add a delta; answers what is new of it, None when nothing is.

        A delta of another round or try begins that round. One that leaves a gap is
        dropped: the text before it was lost with a stream, and the round's items
        will tell the whole.
        """
        at = self._rounds.get(delta.turn_id)
        place = (epoch, delta.try_number, delta.round)
        if at is None or (at.epoch, at.try_number, at.round) != place:
            if delta.offset:
                return None
            at = Round(delta.turn_id, epoch, delta.attempt, delta.try_number, delta.round)
            self._rounds[delta.turn_id] = at
        fresh = delta.text[at.length - delta.offset :] if delta.offset <= at.length else ""
        if not fresh:
            return None
        offset = at.length
        at.append(fresh)
        return Delta(at.turn_id, at.attempt, at.try_number, at.round, offset, fresh)

    def of(self, turn_id: TurnId) -> Round | None:
        return self._rounds.get(turn_id)

    def of_turn(self, turn: Turn) -> Round | None:
        """The round in flight, unless it is committed already or of another epoch."""
        at = self._rounds.get(turn.id)
        if at is None or at.epoch != turn.epoch or at.round <= turn.round:
            return None
        return at

    def forget(self, turn_id: TurnId) -> None:
        self._rounds.pop(turn_id, None)
