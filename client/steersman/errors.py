"""Errors that callers meet, one class for each reason of the protos. Never sends anything."""

import re
from collections.abc import Mapping
from typing import ClassVar

import grpc
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status

DOMAIN = "steersman"


class SteersmanError(Exception):
    """A request was refused, or could not be made.

    `reason` is the stable word of behaviour and protos, `details` every variable
    of the message, `code` the gRPC status. A reason that this client does not
    know arrives as this class itself.
    """

    by_reason: ClassVar[dict[str, type["SteersmanError"]]] = {}

    def __init__(
        self,
        message: str,
        *,
        reason: str | None = None,
        details: Mapping[str, str] | None = None,
        code: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
    ) -> None:
        super().__init__(message)
        self.reason = reason or reason_of(type(self))
        self.message = message
        self.details: Mapping[str, str] = dict(details or {})
        self.code = code

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        SteersmanError.by_reason[reason_of(cls)] = cls

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


def reason_of(error: type[SteersmanError]) -> str:
    """The reason that a class stands for: its name in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", error.__name__).lower()


class Unavailable(SteersmanError):
    """The server cannot be reached, or cannot serve now; the same call may work later."""


class BrokenWatch(SteersmanError):
    """A watch skipped a sequence, which the server promises never to do."""


# The reasons of steersman/v1/reason.proto, in its order; a test compares them.
class BadRequest(SteersmanError): ...


class RequestIdReused(SteersmanError): ...


class InvalidCursor(SteersmanError): ...


class MessageTooLarge(SteersmanError): ...


class Unauthenticated(SteersmanError): ...


class PermissionDenied(SteersmanError): ...


class UntrustedOrigin(SteersmanError): ...


class NotFound(SteersmanError): ...


class MethodNotAllowed(SteersmanError): ...


class AlreadyExists(SteersmanError): ...


class SessionBusy(SteersmanError): ...


class TurnNotActive(SteersmanError): ...


class NothingToRetry(SteersmanError): ...


class DelegationRecordStale(SteersmanError): ...


class DelegationInFlight(SteersmanError): ...


class SessionArchived(SteersmanError): ...


class ProtocolMismatch(SteersmanError): ...


class LeaseLost(SteersmanError): ...


class VersionConflict(SteersmanError): ...


class QueueFull(SteersmanError): ...


class DelegationBudgetExhausted(SteersmanError): ...


class RateLimited(SteersmanError): ...


class NoEligibleRunner(SteersmanError): ...


class Draining(Unavailable): ...


class StoreUnavailable(Unavailable): ...


class DeadlineExceeded(SteersmanError): ...


class Internal(SteersmanError): ...


def from_rpc(error: grpc.aio.AioRpcError, server: str) -> SteersmanError:
    """The typed error of a failed call to `server`."""
    info = error_info(error)
    if info is None:
        return without_info(error, server)
    known = SteersmanError.by_reason.get(info.reason, SteersmanError)
    return known(
        error.details() or info.reason,
        reason=info.reason,
        details=info.metadata,
        code=error.code(),
    )


def error_info(error: grpc.aio.AioRpcError) -> ErrorInfo | None:
    """What our server says about a refusal; None when it was not our server's word."""
    status = rpc_status.from_call(error)
    for detail in () if status is None else status.details:
        info = ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return info
    return None


def without_info(error: grpc.aio.AioRpcError, server: str) -> SteersmanError:
    """An error of the transport, or of something between here and the server."""
    code, said = error.code(), error.details() or "no details"
    if code is grpc.StatusCode.UNAVAILABLE:
        return Unavailable(f"cannot reach {server}: {said}", code=code)
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded(f"no answer from {server} within the deadline", code=code)
    reason = code.name.lower()
    known = SteersmanError.by_reason.get(reason, SteersmanError)
    return known(f"{server} answered {code.name}: {said}", reason=reason, code=code)
