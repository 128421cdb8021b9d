"""A server on a real socket, and doors to it for callers of every role. No rules live here."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import grpc
from google.protobuf.message_factory import GetMessageClass

from steersman.v1 import (
    agent_pb2,
    fleet_pb2,
    interrupt_pb2,
    runner_pb2,
    session_service_pb2,
)
from steersman_server.app import Serving, serving
from steersman_server.core.values import Caller, Role, Tenant
from steersman_server.rpc.auth import new_token
from steersman_server.settings import Settings
from steersman_server.store import tokens

T = TypeVar("T")

PATIENCE = 10.0
LIMIT = 64 * 1024 * 1024
CHANNEL = (
    ("grpc.max_send_message_length", LIMIT),
    ("grpc.max_receive_message_length", LIMIT),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_http_proxy", 0),
)
METHODS = {
    method.name: method
    for file in (agent_pb2, session_service_pb2, interrupt_pb2, fleet_pb2, runner_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
_numbers = itertools.count(1)


async def within(awaitable: Awaitable[T], seconds: float = PATIENCE) -> T:
    async with asyncio.timeout(seconds):
        return await awaitable


def fresh(word: str) -> str:
    """A name that no other test uses."""
    return f"{word}-{next(_numbers)}"


class Door:
    """Raw calls with one token: `await door.SendMessage(session_id=…, message={"text": "hi"})`."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None) -> None:
        self.channel = channel
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def __getattr__(self, name: str) -> Any:
        method = METHODS[name]
        request = GetMessageClass(method.input_type)
        codec: dict[str, Any] = {
            "request_serializer": request.SerializeToString,
            "response_deserializer": GetMessageClass(method.output_type).FromString,
        }
        path = f"/{method.containing_service.full_name}/{name}"
        if method.client_streaming:
            stream: Any = self.channel.stream_stream(path, **codec)
            return lambda: stream(metadata=self.metadata)
        if method.server_streaming:
            watch: Any = self.channel.unary_stream(path, **codec)
            return lambda **fields: watch(request(**fields), metadata=self.metadata)
        unary: Any = self.channel.unary_unary(path, **codec)

        async def call(timeout: float = PATIENCE, **fields: Any) -> Any:
            return await unary(request(**fields), metadata=self.metadata, timeout=timeout)

        return call


class House:
    """A server that runs, with a door for each role."""

    def __init__(self, serving: Serving, data_dir: Path) -> None:
        self.serving = serving
        self.data_dir = data_dir
        self.address = serving.address
        self._channels: list[grpc.aio.Channel] = []
        self.tokens: dict[str, str | None] = {
            name: (data_dir / "tokens" / name).read_text().strip()
            for name in ("admin", "client", "runner")
        }
        self.admin, self.client, self.runner = map(self.door, ("admin", "client", "runner"))

    def channel(self) -> grpc.aio.Channel:
        """A connection of its own; closed with the house."""
        channel = grpc.aio.insecure_channel(self.address, options=CHANNEL)
        self._channels.append(channel)
        return channel

    def door(self, name: str | None, token: str | None = None) -> Door:
        known = self.tokens.get(name) if name else None
        return Door(self.channel(), token or known)

    async def new_token(self, name: str, role: Role, tenant: str = "default") -> str:
        caller = Caller(Tenant(tenant), name, role)
        token, text = new_token(caller, self.serving.store.now())
        await self.serving.store.write(lambda tx: tokens.add(tx, token))
        return text

    async def new_door(self, name: str, role: Role, tenant: str = "default") -> Door:
        return self.door(None, await self.new_token(name, role, tenant))

    async def agent(self, harness: str = "scripted", **fields: Any) -> str:
        """A new agent's name."""
        name = fresh("agent")
        await self.admin.CreateAgent(agent={"name": name, "harness": harness, **fields})
        return name

    async def scripted(self, *steps: dict[str, Any], **fields: Any) -> str:
        return await self.agent(options={"script": list(steps)}, **fields)

    async def session(self, agent: str, text: str = "", **fields: Any) -> Any:
        if text:
            fields["message"] = {"text": text}
        return await self.client.CreateSession(agent=agent, **fields)

    async def send(self, session_id: str, text: str, **fields: Any) -> Any:
        return await self.client.SendMessage(
            session_id=session_id, message={"text": text}, **fields
        )

    async def items(self, session_id: str, **fields: Any) -> list[Any]:
        page = await self.client.ListItems(session_id=session_id, limit=1000, **fields)
        return list(page.data)

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


@asynccontextmanager
async def running_house(data_dir: Path, **settings: Any) -> AsyncIterator[House]:
    async with serving(Settings(data_dir=data_dir, listen="127.0.0.1:0", **settings)) as served:
        house = House(served, data_dir)
        try:
            yield house
            assert not served.failed.done(), "a part of the server died"
        finally:
            await house.close()
