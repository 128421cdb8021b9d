"""A turn that arrives in chunks becomes one again. Pure; what starts it is elsewhere."""

from steersman.v1.runner_pb2 import StartTurn
from steersman_runner.harness.base import Work


class StartChunks:
    """Starts that are not whole yet, by turn."""

    def __init__(self) -> None:
        self._partial: dict[str, StartTurn] = {}

    def add(self, chunk: StartTurn) -> StartTurn | None:
        """The whole start once its last chunk is there, else None."""
        partial = self._partial.pop(chunk.turn_id, None)
        if partial is None or partial.epoch != chunk.epoch:
            partial = StartTurn()
        partial.MergeFrom(chunk)
        if not chunk.more:
            return partial
        self._partial[chunk.turn_id] = partial
        return None

    def clear(self) -> None:
        """The stream is gone, and with it the chunks that would have followed."""
        self._partial.clear()


def work_of(start: StartTurn) -> Work:
    """What a harness is given."""
    return Work(
        turn_id=start.turn_id,
        session_id=start.session_id,
        attempt=start.attempt,
        try_number=getattr(start, "try"),
        round=start.round,
        agent=start.agent,
        history=list(start.history),
        started_call_ids=frozenset(start.started_call_ids),
    )
