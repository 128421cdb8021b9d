"""What a welcome makes of the turns in hand. Pure: it decides, others do."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from steersman.v1.runner_pb2 import Verdict


class Reconciliation(NamedTuple):
    """Turns to go on with, each with the last frame the server has, and turns to drop."""

    keep: Mapping[str, int]
    drop: frozenset[str]


def reconcile(held: Mapping[str, int], verdicts: Iterable[Verdict]) -> Reconciliation:
    """Judges turns (id to epoch) by the verdicts; one that is not named is dropped."""
    keep = {
        verdict.turn_id: verdict.acknowledged
        for verdict in verdicts
        if verdict.keep and held.get(verdict.turn_id) == verdict.epoch
    }
    return Reconciliation(keep, frozenset(held.keys() - keep.keys()))
