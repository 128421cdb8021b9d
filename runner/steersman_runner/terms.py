"""What the server's welcome lays down, defaults filled in. The runner's own settings never are."""

from typing import NamedTuple

from google.protobuf.duration_pb2 import Duration

from steersman.v1.runner_pb2 import Welcome

_ENVELOPE_BYTES = 64  # what wraps a frame's own size on the stream


class Terms(NamedTuple):
    """Times in seconds, sizes in bytes."""

    heartbeat_interval: float = 2.0
    lease: float = 10.0
    isolation_limit: float = 10.0
    max_frame_bytes: int = 32 * 1024 * 1024 - _ENVELOPE_BYTES
    max_output_bytes: int = 256 * 1024


def terms_of(welcome: Welcome) -> Terms:
    """The terms of one welcome; what it leaves unset keeps its default."""
    default = Terms()
    size = welcome.max_message_bytes
    return Terms(
        heartbeat_interval=_seconds(welcome.heartbeat_interval, default.heartbeat_interval),
        lease=_seconds(welcome.lease, default.lease),
        isolation_limit=_seconds(welcome.isolation_limit, default.isolation_limit),
        max_frame_bytes=size - _ENVELOPE_BYTES if size else default.max_frame_bytes,
        max_output_bytes=welcome.max_output_bytes or default.max_output_bytes,
    )


def _seconds(duration: Duration, default: float) -> float:
    return duration.ToNanoseconds() / 1e9 or default
