"""What a runner and the record hold of each other after a hello."""

from dataclasses import dataclass

from steersman_server.core.assignment import Assignment
from steersman_server.core.interrupt import Interrupt
from steersman_server.core.turn import Turn
from steersman_server.core.values import Epoch, TurnId


@dataclass(frozen=True, slots=True)
class Held:
    """A turn that the runner says it works on."""

    turn_id: TurnId
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class Verdict:
    """Go on, resending from the frame after `acknowledged`; or drop the turn."""

    turn_id: TurnId
    epoch: Epoch
    keep: bool
    acknowledged: int


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What both sides hold after a hello.

    `starts` are assignments whose frame was lost with the old stream; `stops` are
    interrupts to send again; `lost` are turns that the runner no longer has.
    """

    verdicts: tuple[Verdict, ...]
    kept: tuple[Turn, ...]
    starts: tuple[Assignment, ...]
    stops: tuple[tuple[Turn, Interrupt], ...]
    lost: tuple[Turn, ...]
