"""What a watch yields beside the log's own events. Values only."""

from collections.abc import Sequence
from dataclasses import dataclass

from steersman.v1.event_pb2 import Event
from steersman.v1.session_pb2 import Session


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The session when this connection began; `resumed` after a lost one."""

    session: Session
    head_sequence: int
    resumed: bool


@dataclass(frozen=True, slots=True)
class Delta:
    """Text that is new to this watcher, `offset` code points into its round.

    An offset past what was seen so far means that live text was lost on the
    way; the item that the round commits has all of it.
    """

    turn_id: str
    attempt: int
    try_number: int
    round: int
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class Lagging:
    """This watcher was too slow for live text; its events follow from the store."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The events before this sequence are no longer there."""

    first_available: int


@dataclass(frozen=True, slots=True)
class SessionPage:
    """The list as it is now; first on every connection of a watch of sessions."""

    sessions: Sequence[Session]


@dataclass(frozen=True, slots=True)
class SessionRemoved:
    """A session was deleted, or left the filter."""

    session_id: str


SessionFrame = Snapshot | Event | Delta | Lagging | Gap
ListFrame = SessionPage | Session | SessionRemoved
