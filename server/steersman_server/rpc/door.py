"""The gRPC door: handlers built from the descriptors, statuses from refusals."""

from __future__ import annotations  # grpc's classes are generic in their stubs alone

from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import grpc
from grpc_status import rpc_status

from steersman_server.core.refusals import Refusal
from steersman_server.rpc.chain import CallFacts, Chain
from steersman_server.rpc.methods import Method, methods
from steersman_server.wire.refusals import status_of

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]


def register(server: grpc.aio.Server, chain: Chain, services: Mapping[str, Any]) -> None:
    """Serve `services`, an object for each full service name, through the chain."""
    handlers: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
    for method in methods():
        door = _Door(chain, method, services[method.service])
        handlers.setdefault(method.service, {})[method.name] = door.handler()
    server.add_generic_rpc_handlers(
        tuple(
            grpc.method_handlers_generic_handler(service, of_service)
            for service, of_service in handlers.items()
        )
    )


class _Door:
    """One method of one service."""

    def __init__(self, chain: Chain, method: Method, service: Any) -> None:
        self._chain = chain
        self._method = method
        self._service = service

    def handler(self) -> grpc.RpcMethodHandler[Any, Any]:
        codec = {
            "request_deserializer": self._method.request.FromString,
            "response_serializer": self._method.response.SerializeToString,
        }
        if self._method.client_streaming:
            return grpc.stream_stream_rpc_method_handler(self._stream, **codec)
        if self._method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(self._stream, **codec)
        return grpc.unary_unary_rpc_method_handler(self._unary, **codec)

    async def _unary(self, request: Any, context: Context) -> Any:
        facts = _facts(context)
        try:
            return await self._chain.unary(self._method, self._service, request, facts)
        except Refusal as refusal:
            return await _abort(context, refusal)

    async def _stream(self, request: Any, context: Context) -> None:
        # Written here and not yielded: the generator is then closed by the task that
        # owns the stream, also when the client vanishes in mid-frame.
        facts = _facts(context)
        responses = self._chain.stream(self._method, self._service, request, facts)
        try:
            async with aclosing(responses):
                async for response in responses:
                    await context.write(response)
        except Refusal as refusal:
            await _abort(context, refusal)


def _facts(context: Context) -> CallFacts:
    metadata = {
        key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)
    }
    return CallFacts(metadata, context.peer(), context.time_remaining())


async def _abort(context: Context, refusal: Refusal) -> None:
    await context.abort_with_status(rpc_status.to_status(status_of(refusal)))
