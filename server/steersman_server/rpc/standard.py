"""The standard services beside ours: health for everybody, reflection and channelz by token."""

from __future__ import annotations  # grpc's classes are generic in their stubs alone

from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc
from grpc_channelz.v1 import channelz
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from steersman_server.core.refusals import PermissionDenied, Refusal
from steersman_server.core.values import Role
from steersman_server.rpc.auth import TokenBook
from steersman_server.rpc.methods import SERVICES
from steersman_server.wire.refusals import status_of

CHANNELZ: Final = "/grpc.channelz.v1.Channelz/"
REFLECTION: Final = f"/{reflection.SERVICE_NAME}/"
_SERVING: Final = health_pb2.HealthCheckResponse.SERVING


class StandardServices:
    """Health of each service by name; it turns SERVING last and NOT_SERVING first."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        channelz.add_channelz_servicer(server)

    async def ready(self) -> None:
        for name in ("", *SERVICES):
            await self._health.set(name, _SERVING)

    async def leaving(self) -> None:
        await self._health.enter_graceful_shutdown()


class StandardGuard(grpc.aio.ServerInterceptor):
    """Asks for a token where a standard service shows what is inside.

    Our own services pass: their chain asks by itself.
    """

    def __init__(self, tokens: TokenBook) -> None:
        self._tokens = tokens

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or not method.startswith((CHANNELZ, REFLECTION)):
            return handler
        metadata = dict(handler_call_details.invocation_metadata or ())
        try:
            authorization = metadata.get("authorization")
            caller = await self._tokens.caller(
                authorization if isinstance(authorization, str) else None
            )
            if method.startswith(CHANNELZ) and caller.role is not Role.ADMIN:
                raise PermissionDenied(caller.role, method, [Role.ADMIN])
        except Refusal as refusal:
            return _refusing(handler, refusal)
        return handler


def _refusing(handler: Any, refusal: Refusal) -> grpc.RpcMethodHandler[Any, Any]:
    async def refuse(_: Any, context: Any) -> None:
        await context.abort_with_status(rpc_status.to_status(status_of(refusal)))

    kind = grpc.stream_stream_rpc_method_handler
    if not handler.request_streaming:
        kind = grpc.unary_unary_rpc_method_handler
    return kind(refuse, handler.request_deserializer, handler.response_serializer)
