"""The runners of a client, to look at. Never controls one."""

from typing import TYPE_CHECKING

from steersman.pages import Pages
from steersman.transport import Transport
from steersman.v1 import fleet_pb2 as pb
from steersman.v1.fleet_pb2_grpc import FleetServiceStub

if TYPE_CHECKING:
    from steersman.v1.fleet_pb2_grpc import FleetServiceAsyncStub


class Runners:
    """`client.runners`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def _stub(self) -> "FleetServiceAsyncStub":
        return FleetServiceStub(self._transport.channels.calls)

    def list(
        self, *, limit: int | None = None, after: str | None = None
    ) -> Pages[pb.Runner, pb.ListRunnersResponse]:
        """Every runner that is, or was, connected, by name; `limit` rows a page."""

        async def fetch(after: str) -> pb.ListRunnersResponse:
            request = pb.ListRunnersRequest(limit=limit, after=after)
            return await self._transport.call(self._stub.ListRunners, request)

        return Pages(fetch, after)

    async def get(self, runner_id: str) -> pb.Runner:
        """One runner. Raises NotFound."""
        request = pb.GetRunnerRequest(runner_id=runner_id)
        return await self._transport.call(self._stub.GetRunner, request)
