"""What the specification says of refusals, and how a test meets one. No server code lives here."""

from collections.abc import Awaitable
from typing import Any, NamedTuple

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status
from server_house import within

Code = grpc.StatusCode

CODES = {
    "bad_request": Code.INVALID_ARGUMENT,
    "request_id_reused": Code.INVALID_ARGUMENT,
    "invalid_cursor": Code.INVALID_ARGUMENT,
    "message_too_large": Code.INVALID_ARGUMENT,
    "unauthenticated": Code.UNAUTHENTICATED,
    "permission_denied": Code.PERMISSION_DENIED,
    "not_found": Code.NOT_FOUND,
    "already_exists": Code.ALREADY_EXISTS,
    "session_busy": Code.FAILED_PRECONDITION,
    "turn_not_active": Code.FAILED_PRECONDITION,
    "session_archived": Code.FAILED_PRECONDITION,
    "protocol_mismatch": Code.FAILED_PRECONDITION,
    "lease_lost": Code.ABORTED,
    "version_conflict": Code.ABORTED,
    "queue_full": Code.RESOURCE_EXHAUSTED,
    "rate_limited": Code.RESOURCE_EXHAUSTED,
    "draining": Code.UNAVAILABLE,
    "store_unavailable": Code.UNAVAILABLE,
    "internal": Code.INTERNAL,
}


class Refused(NamedTuple):
    """A refusal as the caller sees it."""

    reason: str
    details: dict[str, str]
    message: str


def refusal(error: grpc.aio.AioRpcError) -> Refused:
    """The refusal in an error; its code is the one that the table gives its reason."""
    status = rpc_status.from_call(error)
    assert status is not None, f"{error.code()} without details: {error.details()}"
    [detail] = status.details
    info = ErrorInfo()
    assert detail.Unpack(info)
    assert info.domain == "steersman"
    assert CODES[info.reason] is error.code()
    return Refused(info.reason, dict(info.metadata), status.message)


async def refused(call: Awaitable[Any], reason: str) -> Refused:
    """Wait for `call` to be refused with `reason`."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await within(call)
    met = refusal(caught.value)
    assert met.reason == reason, met
    return met
