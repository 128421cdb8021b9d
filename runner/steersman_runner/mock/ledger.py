"""The queues of scripted responses and the record of requests. Nothing here awaits."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from steersman_runner.mock.request import ModelRequest
from steersman_runner.mock.script import DEFAULT_TEXT, Configuration, ScriptedResponse

Closing = Literal["completed", "disconnected", "dropped"]


@dataclass(slots=True)
class Record:
    """What became of one request. `closed` is None while it is open."""

    request: ModelRequest
    received_at: datetime
    status_code: int
    closed: Closing | None = None
    closed_at: datetime | None = None

    def close(self, how: Closing) -> None:
        self.closed = how
        self.closed_at = datetime.now(UTC)

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.request.key,
            "api": self.request.api,
            "stream": self.request.stream,
            "body": self.request.body,
            "received_at": self.received_at,
            "status_code": self.status_code,
            "closed": self.closed,
            "closed_at": self.closed_at,
        }


class Ledger:
    """What is to be answered, and what was asked."""

    def __init__(self) -> None:
        self._queues: dict[tuple[str, str | None], deque[ScriptedResponse]] = {}
        self._records: list[Record] = []

    def configure(self, configuration: Configuration) -> None:
        """Replaces the queue of this key and match."""
        where = (configuration.key, configuration.match)
        self._queues[where] = deque(configuration.responses)

    def reset(self) -> None:
        """Forgets queues and records."""
        self._queues.clear()
        self._records.clear()

    def models(self) -> list[str]:
        """The models that were configured."""
        return list(dict.fromkeys(key for key, _ in self._queues))

    def records(self, key: str | None = None) -> Sequence[Record]:
        """All records, or those of one key, in the order of arrival."""
        return [each for each in self._records if key is None or each.request.key == key]

    def closed(self, key: str | None = None) -> int:
        """How many requests have ended."""
        return sum(record.closed is not None for record in self.records(key))

    def take(self, request: ModelRequest) -> tuple[ScriptedResponse, Record]:
        """The response that this request consumes, and the request's record."""
        script = self._next(request)
        record = Record(request, datetime.now(UTC), script.status_code)
        self._records.append(record)
        return script, record

    def _next(self, request: ModelRequest) -> ScriptedResponse:
        said = request.last_user_text()
        fitting = [
            (match or "", queue)
            for (key, match), queue in self._queues.items()
            if key == request.key and queue and (match or "") in said
        ]
        if not fitting:
            return ScriptedResponse(text=DEFAULT_TEXT)
        # The longest match is the most particular one.
        return max(fitting, key=lambda entry: len(entry[0]))[1].popleft()
