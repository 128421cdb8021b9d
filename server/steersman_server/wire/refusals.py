"""Refusals ⇄ statuses. The table stands in the proto `enum Reason`; this reads it."""

from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from steersman.v1 import options_pb2
from steersman.v1.reason_pb2 import Reason
from steersman_server.core.refusals import Refusal

DOMAIN: Final = "steersman"
TEXT_LIMIT: Final = 500
"""Bytes of a sentence or of one fact: together they travel in the trailers, and a client
takes 8 KiB of those."""
_PREFIX: Final = "REASON_"


@dataclass(frozen=True, slots=True)
class StatusOf:
    """What carries a reason: a google.rpc.Code and an HTTP status."""

    grpc_code: int
    http_status: int


def _table() -> dict[str, StatusOf]:
    table = {}
    for value in Reason.DESCRIPTOR.values:
        # The generated types name an extension's descriptor, not what it extends.
        extensions: Any = value.GetOptions().Extensions
        if value.number != 0:
            table[value.name.removeprefix(_PREFIX).lower()] = StatusOf(
                extensions[options_pb2.grpc_code],
                extensions[options_pb2.http_status],
            )
    return table


STATUS: Final = _table()


def status_of(refusal: Refusal) -> Status:
    """The rich status: code, sentence, and ErrorInfo with every fact of it."""
    status = Status(code=STATUS[refusal.reason].grpc_code, message=_cut(refusal.message))
    facts = {name: _cut(value) for name, value in refusal.details.items()}
    detail = AnyMessage()
    detail.Pack(ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=facts))
    status.details.append(detail)
    return status


def _cut(text: str) -> str:
    encoded = text.encode()
    if len(encoded) <= TEXT_LIMIT:
        return text
    return encoded[:TEXT_LIMIT].decode(errors="ignore") + "…"


class Internal(Refusal):
    """A fault of ours. Only the correlation id leaves the house."""

    reason = "internal"

    def __init__(self, correlation_id: str) -> None:
        super().__init__(f"internal error {correlation_id}", correlation_id=correlation_id)
