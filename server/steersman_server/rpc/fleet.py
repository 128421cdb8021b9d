"""FleetService: the record of runners, and what the hub knows of those that are here."""

from steersman.v1 import fleet_pb2
from steersman_server.core.call import Call
from steersman_server.core.runner import Runner
from steersman_server.core.turn import Turn
from steersman_server.hub.hub import Hub
from steersman_server.hub.leases import RunnerKey
from steersman_server.store import runners, turns
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.wire import commands, pairs, resources


class FleetService:
    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub

    async def ListRunners(
        self, request: fleet_pb2.ListRunnersRequest, call: Call
    ) -> fleet_pb2.ListRunnersResponse:
        limit = commands.page_size(request.limit if request.HasField("limit") else None)

        def read(tx: Transaction) -> tuple[list[fleet_pb2.Runner], bool]:
            page, more = runners.page(tx, call.caller.tenant, request.after, limit)
            return [self._runner(tx, runner) for runner in page], more

        page, more = await self._store.read(read)
        return fleet_pb2.ListRunnersResponse(
            data=page,
            first_id=page[0].id if page else "",
            last_id=page[-1].id if page else "",
            has_more=more,
        )

    async def GetRunner(self, request: fleet_pb2.GetRunnerRequest, call: Call) -> fleet_pb2.Runner:
        def read(tx: Transaction) -> fleet_pb2.Runner:
            return self._runner(tx, runners.get(tx, call.caller.tenant, request.runner_id))

        return await self._store.read(read)

    def _runner(self, tx: Transaction, runner: Runner) -> fleet_pb2.Runner:
        held = turns.held_by(tx, runner.tenant, runner.id)
        key = RunnerKey(runner.tenant, runner.id)
        link = self._hub.link_of(*key)
        seen = self._hub.leases.last_heard(key, tx.now) or runner.last_seen_at
        return fleet_pb2.Runner(
            id=runner.id,
            state=pairs.RUNNER_STATE.number(self._hub.leases.state(key)),
            generation=runner.generation,
            labels=runner.labels,
            slots=runner.slots,
            slots_used=len(held),
            harnesses=runner.harnesses,
            tools=runner.tools,
            version=runner.version,
            protocol=runner.protocol,
            address=runner.address,
            connected_at=None if link is None else resources.timestamp(runner.connected_at),
            last_seen_at=resources.timestamp(seen),
            leases=map(_lease, held),
        )


def _lease(turn: Turn) -> fleet_pb2.Lease:
    return fleet_pb2.Lease(session_id=turn.session_id, turn_id=turn.id, epoch=turn.epoch)
