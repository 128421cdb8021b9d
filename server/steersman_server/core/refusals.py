"""Refusals: facts about why something was not done. Their sentences are made from the facts.

The gRPC code and HTTP status of a reason stand in the proto `enum Reason`, not here.
"""

from collections.abc import Iterable
from typing import ClassVar


class Refusal(Exception):
    """A request that changes nothing, and why.

    `reason` is a value of `enum Reason` in lower case; `details` holds every
    variable of the message.
    """

    reason: ClassVar[str]

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = {name: str(value) for name, value in details.items()}


class BadRequest(Refusal):
    reason = "bad_request"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}", field=field, problem=problem)


class RequestIdReused(Refusal):
    reason = "request_id_reused"

    def __init__(self, request_id: str) -> None:
        super().__init__(
            f"request_id {request_id} was used with another request", request_id=request_id
        )


class InvalidCursor(Refusal):
    reason = "invalid_cursor"

    def __init__(self, cursor: object, problem: str, **details: object) -> None:
        super().__init__(f"cursor {cursor}: {problem}", cursor=cursor, problem=problem, **details)


class MessageTooLarge(Refusal):
    reason = "message_too_large"

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(
            f"the message has {size} bytes, the limit is {limit}", size=size, limit=limit
        )


class Unauthenticated(Refusal):
    reason = "unauthenticated"

    def __init__(self, problem: str) -> None:
        super().__init__(f"unauthenticated: {problem}", problem=problem)


class PermissionDenied(Refusal):
    reason = "permission_denied"

    def __init__(self, role: str, method: str, allowed: Iterable[str]) -> None:
        roles = ", ".join(allowed)
        super().__init__(
            f"a {role} token may not call {method}; it takes: {roles}",
            role=role,
            method=method,
            allowed=roles,
        )


class NotFound(Refusal):
    reason = "not_found"

    def __init__(self, resource: str, name: object) -> None:
        super().__init__(f"no {resource} {name}", resource=resource, id=name)


class AlreadyExists(Refusal):
    reason = "already_exists"

    def __init__(self, resource: str, name: str) -> None:
        super().__init__(f"{resource} {name} exists already", resource=resource, id=name)


class WrongState(Refusal):
    """Refusals of state carry the current state and the allowed ones."""

    def __init__(
        self, subject: str, name: str, state: str, allowed: Iterable[str], message: str
    ) -> None:
        super().__init__(
            message, resource=subject, id=name, state=state, allowed=", ".join(allowed)
        )


class SessionBusy(WrongState):
    reason = "session_busy"

    def __init__(self, session_id: str, status: str) -> None:
        super().__init__(
            "session", session_id, status, ("idle", "failed"), f"session {session_id} is {status}"
        )


class SessionArchived(WrongState):
    reason = "session_archived"

    def __init__(self, session_id: str) -> None:
        super().__init__(
            "session", session_id, "archived", ("active",), f"session {session_id} is archived"
        )


class TurnNotActive(WrongState):
    reason = "turn_not_active"

    def __init__(self, turn_id: str, attempt: int, state: str, allowed: Iterable[str]) -> None:
        super().__init__(
            "turn", turn_id, state, allowed, f"attempt {attempt} of turn {turn_id} is {state}"
        )
        self.details["attempt"] = str(attempt)


class ProtocolMismatch(Refusal):
    reason = "protocol_mismatch"

    def __init__(self, runner: tuple[int, int], server: tuple[int, int]) -> None:
        super().__init__(
            f"the runner speaks protocol {runner[0]} to {runner[1]}, "
            f"the server {server[0]} to {server[1]}",
            runner_min=runner[0],
            runner_max=runner[1],
            server_min=server[0],
            server_max=server[1],
        )


class LeaseLost(Refusal):
    reason = "lease_lost"

    def __init__(self, turn_id: str, epoch: int) -> None:
        super().__init__(f"epoch {epoch} of turn {turn_id} is over", turn_id=turn_id, epoch=epoch)


class VersionConflict(Refusal):
    reason = "version_conflict"

    def __init__(self, resource: str, name: str, given: str, current: str) -> None:
        super().__init__(
            f"{resource} {name} is at etag {current}, not {given}",
            resource=resource,
            id=name,
            given=given,
            current=current,
        )


class QueueFull(Refusal):
    reason = "queue_full"

    def __init__(self, session_id: str, limit: int) -> None:
        super().__init__(
            f"{limit} inputs wait in session {session_id} already", id=session_id, limit=limit
        )


class Draining(Refusal):
    reason = "draining"

    def __init__(self) -> None:
        super().__init__("the server is stopping; reconnect")


class StoreUnavailable(Refusal):
    reason = "store_unavailable"

    def __init__(self, problem: str) -> None:
        super().__init__(f"the store cannot commit: {problem}", problem=problem)


class DeadlineExceeded(Refusal):
    reason = "deadline_exceeded"

    def __init__(self) -> None:
        super().__init__("the deadline passed")
