"""AgentService."""

from google.protobuf.empty_pb2 import Empty

from steersman.v1 import agent_pb2
from steersman_server.core.call import Call
from steersman_server.rpc.mutation import mutate
from steersman_server.store import agents as store_agents
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.manage_agents import create_agent, delete_agent, update_agent
from steersman_server.wire import agents, commands


class AgentService:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def CreateAgent(
        self, request: agent_pb2.CreateAgentRequest, call: Call
    ) -> agent_pb2.Agent:
        command = commands.create_agent(call.caller, request)
        return await mutate(
            self._store,
            call,
            request,
            agent_pb2.Agent,
            lambda tx: agents.agent(create_agent(tx, command)),
        )

    async def GetAgent(self, request: agent_pb2.GetAgentRequest, call: Call) -> agent_pb2.Agent:
        def read(tx: Transaction) -> agent_pb2.Agent:
            if request.HasField("version"):
                found = store_agents.version(tx, call.caller.tenant, request.agent, request.version)
            else:
                found = store_agents.newest(tx, call.caller.tenant, request.agent)
            return agents.agent(found)

        return await self._store.read(read)

    async def ListAgents(
        self, request: agent_pb2.ListAgentsRequest, call: Call
    ) -> agent_pb2.ListAgentsResponse:
        limit = commands.page_size(request.limit if request.HasField("limit") else None)
        page, more = await self._store.read(
            lambda tx: store_agents.page(tx, call.caller.tenant, request.after, limit)
        )
        return agent_pb2.ListAgentsResponse(
            data=map(agents.agent, page),
            first_id=page[0].name if page else "",
            last_id=page[-1].name if page else "",
            has_more=more,
        )

    async def UpdateAgent(
        self, request: agent_pb2.UpdateAgentRequest, call: Call
    ) -> agent_pb2.Agent:
        command = commands.update_agent(call.caller, request)
        return await mutate(
            self._store,
            call,
            request,
            agent_pb2.Agent,
            lambda tx: agents.agent(update_agent(tx, command)),
        )

    async def DeleteAgent(self, request: agent_pb2.DeleteAgentRequest, call: Call) -> Empty:
        def work(tx: Transaction) -> Empty:
            delete_agent(tx, call.caller, request.agent)
            return Empty()

        return await mutate(self._store, call, request, Empty, work)
