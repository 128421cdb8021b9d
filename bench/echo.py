"""The bare limit: a grpc.aio server that answers what it got. Run as a process of its own."""

from __future__ import annotations  # grpc's classes are generic in their stubs alone

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvloop

UNARY = "/bench.Echo/Unary"
BIDI = "/bench.Echo/Bidi"


async def _unary(request: bytes, _: Any) -> bytes:
    return request


async def _bidi(requests: AsyncIterator[bytes], _: Any) -> AsyncIterator[bytes]:
    async for request in requests:
        yield request


async def serve() -> None:
    """Echo until SIGTERM; the first line of output tells the address."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Unary": grpc.unary_unary_rpc_method_handler(_unary),
        "Bidi": grpc.stream_stream_rpc_method_handler(_bidi),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(json.dumps({"event": "echo_ready", "address": f"127.0.0.1:{port}"}), flush=True)
    await stop.wait()
    await server.stop(None)


if __name__ == "__main__":
    uvloop.run(serve())
