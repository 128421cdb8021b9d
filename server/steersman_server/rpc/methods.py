"""The methods of the API as their descriptors tell them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from steersman.v1 import (
    agent_pb2,
    fleet_pb2,
    interrupt_pb2,
    options_pb2,
    runner_pb2,
    session_service_pb2,
)
from steersman_server.core.values import Role
from steersman_server.wire import pairs

FILES: Final = (agent_pb2, session_service_pb2, interrupt_pb2, fleet_pb2, runner_pb2)


@dataclass(frozen=True, slots=True)
class Method:
    """One RPC. `roles` are those that may call it; none means nobody."""

    service: str
    name: str
    roles: frozenset[Role]
    request: Any
    response: Any
    client_streaming: bool
    server_streaming: bool

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"


def _method(descriptor: MethodDescriptor) -> Method:
    # The generated types name an extension's descriptor, not what it extends.
    extensions: Any = descriptor.GetOptions().Extensions
    return Method(
        service=descriptor.containing_service.full_name,
        name=descriptor.name,
        roles=frozenset(pairs.ROLE.member("roles", role) for role in extensions[options_pb2.roles]),
        request=GetMessageClass(descriptor.input_type),
        response=GetMessageClass(descriptor.output_type),
        client_streaming=descriptor.client_streaming,
        server_streaming=descriptor.server_streaming,
    )


def methods() -> Iterator[Method]:
    for module in FILES:
        for service in module.DESCRIPTOR.services_by_name.values():
            for descriptor in service.methods:
                yield _method(descriptor)


SERVICES: Final = tuple(
    service.full_name for module in FILES for service in module.DESCRIPTOR.services_by_name.values()
)
