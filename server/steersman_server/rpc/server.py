"""The gRPC server's options, in one place, each with its reason."""

from typing import Any, Final

OPTIONS: Final[tuple[tuple[str, Any], ...]] = (
    # Our own message_too_large is to answer, also for 8 MiB, and not a broken stream.
    ("grpc.max_receive_message_length", 32 * 1024 * 1024),
    ("grpc.max_send_message_length", 32 * 1024 * 1024),
    # A second server on this port is a mistake; without this it would go unnoticed.
    ("grpc.so_reuseport", 0),
    # Clients and runners ping to find a dead peer. The key is this one: the widely
    # copied min_recv_ping_interval does nothing, and they die of too_many_pings.
    ("grpc.http2.min_ping_interval_without_data_ms", 1000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Dead watchers and runners are found in seconds and not in minutes.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    # An unread stream would buffer megabytes; with many runners that matters.
    ("grpc.http2.bdp_probe", 0),
)
