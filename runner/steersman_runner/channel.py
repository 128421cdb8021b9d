"""The runner's channel, and how a call on it ended. What is said on it never lives here."""

import grpc.aio
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from steersman_runner.errors import LinkEnd
from steersman_runner.version import VERSION

_MIB = 1024 * 1024
_NEVER_MS = 2**31 - 1

_OPTIONS: list[tuple[str, str | int]] = [
    # As the server's: a frame that is too large is refused by our own limits,
    # with a reason, and not by a broken stream.
    ("grpc.max_receive_message_length", 32 * _MIB),
    ("grpc.max_send_message_length", 32 * _MIB),
    # With it, gRPC lets an unread stream buffer 5 to 6 MB; without, about 100 KB.
    ("grpc.http2.bdp_probe", 0),
    # The link beats on the stream itself. A second pulse below it would only be
    # another clock, and `too_many_pings` for servers that do not permit it.
    ("grpc.keepalive_time_ms", _NEVER_MS),
    # A stream that gRPC replayed by itself would say hello twice.
    ("grpc.enable_retries", 0),
    # Channels share connections and their back-off by default; a fresh channel
    # after a loss has to be fresh.
    ("grpc.use_local_subchannel_pool", 1),
    # Tells this runner's version to whoever reads the connection on the way.
    ("grpc.primary_user_agent", f"steersman-runner/{VERSION}"),
]


def open_channel(server: str) -> grpc.aio.Channel:
    """A channel of its own, with the loop it is opened on. `server` is HOST:PORT."""
    return grpc.aio.insecure_channel(server, options=_OPTIONS)


async def how_it_ended(call: grpc.aio.Call) -> LinkEnd:
    """The end of a call that is over; its code in lower case where it carries no reason."""
    code = await call.code()
    details = await call.details() or "the stream ended"
    for key, value in await call.trailing_metadata():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            return LinkEnd(code, _reason(value) or code.name.lower(), details)
    return LinkEnd(code, code.name.lower(), details)


def _reason(packed_status: bytes) -> str:
    info = ErrorInfo()
    for detail in Status.FromString(packed_status).details:
        if detail.Unpack(info):
            return str(info.reason)
    return ""
