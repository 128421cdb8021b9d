"""Channel options, each with its reason, and the two channels of a client. Never makes a call."""

from typing import NamedTuple

import grpc

Option = tuple[str, int]

MESSAGE_LIMIT = 32 * 1024 * 1024
LOOPBACK = ("127.", "localhost:", "[::1]:")

COMMON: tuple[Option, ...] = (
    # Above our own limits, so that `message_too_large` answers and not the transport.
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    # A peer that vanished without a word is found within half a minute.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    # The transport's own reconnects stay quick, or our retries would meet its backoff.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # One owner of retries: the loop that holds the request id and the deadline.
    ("grpc.enable_retries", 0),
    # Channels with equal options would share one connection, and its stream limit.
    ("grpc.use_local_subchannel_pool", 1),
)
# A watcher that does not read holds 95 KB of a stream's frames, not 6 MB.
STREAMS: tuple[Option, ...] = (("grpc.http2.bdp_probe", 0),)


class Channels(NamedTuple):
    """Watches have a connection of their own: at a connection's stream limit, calls would queue."""

    calls: grpc.aio.Channel
    streams: grpc.aio.Channel

    async def close(self) -> None:
        """Cancel what is under way and close both connections."""
        await self.calls.close()
        await self.streams.close()


def open_channels(server: str) -> Channels:
    """The channels to a server; connections are made when first used."""
    # A proxy of the environment can reach no loopback address of this machine.
    local = (("grpc.enable_http_proxy", 0),) if server.startswith(LOOPBACK) else ()
    options = (*COMMON, *local)
    return Channels(
        calls=grpc.aio.insecure_channel(server, options=options),
        streams=grpc.aio.insecure_channel(server, options=(*options, *STREAMS)),
    )
