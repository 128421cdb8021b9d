"""The agents of a client: create, read, change. Never knows of sessions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.struct_pb2 import Struct

from steersman.pages import Pages
from steersman.transport import Transport
from steersman.v1 import agent_pb2 as pb
from steersman.v1.agent_pb2_grpc import AgentServiceStub
from steersman.words import proto_name

if TYPE_CHECKING:
    from steersman.v1.agent_pb2_grpc import AgentServiceAsyncStub


class AgentFields(TypedDict, total=False):
    """What can be said of an agent; agent.proto tells what each means."""

    harness: str
    model: str
    endpoint: str
    instructions: str
    tools: Sequence[str]
    options: Mapping[str, Any]
    retry: pb.RetryPolicy
    max_rounds: int
    approvals: str
    on_runner_loss: str
    selector: Mapping[str, str]
    context_items: int


class Agents:
    """`client.agents`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def _stub(self) -> "AgentServiceAsyncStub":
        return AgentServiceStub(self._transport.channels.calls)

    async def create(
        self, name: str, *, request_id: str = "", **fields: Unpack[AgentFields]
    ) -> pb.Agent:
        """Create version 1 of an agent. Raises AlreadyExists, BadRequest."""
        request = pb.CreateAgentRequest(agent=agent(name, fields), request_id=request_id)
        return await self._transport.call(self._stub.CreateAgent, request)

    async def get(self, name: str, version: int | None = None) -> pb.Agent:
        """The newest version, or the one named. Raises NotFound."""
        request = pb.GetAgentRequest(agent=name, version=version)
        return await self._transport.call(self._stub.GetAgent, request)

    def list(
        self, *, limit: int | None = None, after: str | None = None
    ) -> Pages[pb.Agent, pb.ListAgentsResponse]:
        """The newest version of every agent, by name; `limit` rows a page."""

        async def fetch(after: str) -> pb.ListAgentsResponse:
            request = pb.ListAgentsRequest(limit=limit, after=after)
            return await self._transport.call(self._stub.ListAgents, request)

        return Pages(fetch, after)

    async def update(
        self, name: str, *, etag: str = "", request_id: str = "", **fields: Unpack[AgentFields]
    ) -> pb.Agent:
        """Write a new version with these fields changed.

        Raises NotFound, BadRequest, and VersionConflict when `etag` is not current.
        """
        changed = agent(name, fields)
        changed.etag = etag
        request = pb.UpdateAgentRequest(
            agent=changed, update_mask=FieldMask(paths=sorted(fields)), request_id=request_id
        )
        return await self._transport.call(self._stub.UpdateAgent, request)

    async def delete(self, name: str, *, request_id: str = "") -> None:
        """Take it off the list; sessions that have it keep it. Raises NotFound."""
        request = pb.DeleteAgentRequest(agent=name, request_id=request_id)
        await self._transport.call(self._stub.DeleteAgent, request)


def agent(name: str, fields: AgentFields) -> pb.Agent:
    """The message of these fields. Raises ValueError for a word that is not allowed."""
    values: dict[str, Any] = dict(fields)
    if "approvals" in values:
        values["approvals"] = proto_name(pb.ApprovalPolicy, values["approvals"])
    if "on_runner_loss" in values:
        values["on_runner_loss"] = proto_name(pb.RunnerLossPolicy, values["on_runner_loss"])
    if "options" in values:
        options = Struct()
        options.update(values["options"])
        values["options"] = options
    return pb.Agent(name=name, **values)
