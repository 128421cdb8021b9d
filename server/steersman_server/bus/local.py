"""The bus within one process: a topic is a name, a subscriber a function.

Subscribers run on the publisher's stack and must not block or raise; each has a
queue of its own where it needs one. A lost ring costs time, never an event.
"""

from collections.abc import Callable
from typing import Any

Handler = Callable[[Any], None]


class LocalBus:
    """Publishes to the subscribers of a topic, in the order of publication."""

    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = {}

    def subscribe(self, topic: str, handler: Handler) -> Callable[[], None]:
        """Call `handler` with everything published on `topic`; answers how to end that."""
        self._handlers.setdefault(topic, []).append(handler)

        def unsubscribe() -> None:
            handlers = self._handlers.get(topic, [])
            if handler in handlers:
                handlers.remove(handler)
            if not handlers:
                self._handlers.pop(topic, None)

        return unsubscribe

    def publish(self, topic: str, message: object) -> None:
        for handler in tuple(self._handlers.get(topic, ())):
            handler(message)
