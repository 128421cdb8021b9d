"""Who may call what: tokens, roles, tenants, and the standard services."""

from typing import Any

import grpc
import pytest
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from raw_runner import RawRunner, raw_runner
from server_house import METHODS, Door, House, fresh
from server_refusals import refusal, refused

from steersman import short
from steersman.v1 import options_pb2
from steersman_server.core.values import Role, Tenant
from steersman_server.rpc import auth
from steersman_server.store import tokens

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNARY = sorted(name for name in METHODS if name != "Connect")
MUTATIONS = [n for n in UNARY if "request_id" in METHODS[n].input_type.fields_by_name]
READS = [name for name in UNARY if name not in MUTATIONS]
FOR_ADMINS = {"CreateAgent", "UpdateAgent", "DeleteAgent"}


def call(door: Door, name: str, **fields: Any) -> Any:
    """The first answer of a method."""
    started = getattr(door, name)(**fields)
    return started.read() if METHODS[name].server_streaming else started


async def connecting(door: Door, reason: str) -> None:
    runner = RawRunner(door)
    error = await runner.ended()
    await runner.close()
    assert error is not None
    assert refusal(error).reason == reason


async def test_the_lists_of_this_file_are_the_protos_own() -> None:
    for name, method in METHODS.items():
        roles = {
            options_pb2.Role.Name(r) for r in method.GetOptions().Extensions[options_pb2.roles]
        }
        expected = {"ROLE_RUNNER"} if name == "Connect" else {"ROLE_ADMIN", "ROLE_CLIENT"}
        if name in FOR_ADMINS:
            expected = {"ROLE_ADMIN"}
        if name in READS:
            expected = {"ROLE_ADMIN", "ROLE_CLIENT", "ROLE_VIEWER"}
        assert roles == expected, name


WRONG = [
    None,
    "Bearer",
    "Bearer nonsense",
    "Bearer stm_0123456789abcdef_secret",
    "Basic {client}",
    "{client}",
    "Bearer {client}x",
    "Bearer {client_id}",
]


@pytest.mark.parametrize("header", WRONG)
async def test_no_token_and_a_wrong_one_are_unauthenticated_at_every_method(
    house: House, header: str | None
) -> None:
    client = house.tokens["client"] or ""
    door = house.door(None)
    if header is not None:
        given = header.format(client=client, client_id=client.rpartition("_")[0] + "_")
        door.metadata = (("authorization", given),)
    for name in UNARY:
        met = await refused(call(door, name), "unauthenticated")
        assert client.rpartition("_")[2] not in f"{met.message} {met.details}"
    await connecting(door, "unauthenticated")


async def test_a_revoked_token_is_unauthenticated(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "REMEMBERED", 0.0)
    name = fresh("leaver")
    door = await house.new_door(name, Role.VIEWER)
    await door.ListSessions()
    await house.serving.store.write(lambda tx: tokens.revoke(tx, Tenant("default"), name))
    await refused(door.ListSessions(), "unauthenticated")


@pytest.mark.parametrize("name", ["client", "admin"])
async def test_only_a_runners_token_opens_connect(house: House, name: str) -> None:
    await connecting(house.door(name), "permission_denied")
    viewer = await house.new_door(fresh("viewer"), Role.VIEWER)
    await connecting(viewer, "permission_denied")


@pytest.mark.parametrize("name", UNARY)
async def test_a_runners_token_opens_nothing_but_connect(house: House, name: str) -> None:
    met = await refused(call(house.runner, name), "permission_denied")
    assert (met.details["role"], met.details["method"]) == ("runner", name)
    assert "admin" in met.details["allowed"]


async def test_a_viewer_reads_and_changes_nothing(house: House) -> None:
    viewer = await house.new_door(fresh("viewer"), Role.VIEWER)
    session = await house.session(await house.agent("nobody"), "go")
    for name in MUTATIONS:
        await refused(call(viewer, name, request_id="x"), "permission_denied")
    shown = await viewer.GetSession(session_id=session.id)
    assert (short(shown, "status"), shown.head_sequence) == ("running", 3)
    assert len((await viewer.ListItems(session_id=session.id)).data) == 1
    watch = viewer.WatchSession(session_id=session.id, after_sequence=0)
    assert (await watch.read()).HasField("snapshot")
    watch.cancel()


@pytest.mark.parametrize("name", sorted(FOR_ADMINS))
async def test_agents_are_changed_by_admins_alone(house: House, name: str) -> None:
    assert (await refused(call(house.client, name), "permission_denied")).details[
        "allowed"
    ] == "admin"


BY_SESSION = [n for n in UNARY if "session_id" in METHODS[n].input_type.fields_by_name]


@pytest.mark.parametrize("name", [*BY_SESSION, "UpdateSession"])
async def test_another_tenants_session_is_not_found(house: House, name: str) -> None:
    stranger = await house.new_door(fresh("stranger"), Role.ADMIN, tenant=fresh("tenant"))
    session = await house.session(await house.agent("nobody"), "go")
    fields: dict[str, Any] = {"session_id": session.id}
    match name:
        case "UpdateSession":
            fields = {"session": {"id": session.id, "title": "mine"}}
        case "SendMessage":
            fields |= {"message": {"text": "mine"}}
        case "SubmitEvent":
            fields |= {"type": "interrupt"}
        case "GetTurn":
            fields |= {"turn_id": session.active_turn.id}
    met = await refused(call(stranger, name, **fields), "not_found")
    assert met.details == {"resource": "session", "id": session.id}
    assert (await house.client.GetSession(session_id=session.id)).head_sequence == 3


async def test_tenants_share_neither_lists_nor_agents_nor_runners_nor_request_ids(
    house: House,
) -> None:
    tenant = fresh("tenant")
    stranger = await house.new_door("client", Role.ADMIN, tenant=tenant)
    agent = await house.agent("shared")
    await house.session(agent)
    for listed in (
        await stranger.ListSessions(),
        await stranger.ListAgents(),
        await stranger.ListRunners(),
    ):
        assert not listed.data
    await refused(stranger.GetAgent(agent=agent), "not_found")
    await stranger.CreateAgent(agent={"name": agent, "harness": "shared"})
    request = {"agent": agent, "message": {"text": "go"}, "request_id": fresh("id")}
    ours = await house.client.CreateSession(**request)
    theirs = await stranger.CreateSession(**request)
    assert ours.id != theirs.id
    their_runner = await house.new_door(fresh("runner"), Role.RUNNER, tenant=tenant)
    async with raw_runner(house, "same-name", "shared") as runner:
        second = RawRunner(their_runner, "same-name", "shared")
        await second.greeted()
        assert (await runner.start()).session_id == ours.id
        assert (await second.start()).session_id == theirs.id
        await second.close()


def reflecting(house: House, door: Door) -> Any:
    stub = reflection_pb2_grpc.ServerReflectionStub(house.channel())
    asked = stub.ServerReflectionInfo(metadata=door.metadata)

    async def answer() -> Any:
        await asked.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        answered = await asked.read()
        asked.cancel()
        return answered

    return answer()


async def test_reflection_asks_for_a_token_of_any_role(house: House) -> None:
    await refused(reflecting(house, house.door(None)), "unauthenticated")
    viewer = await house.new_door(fresh("viewer"), Role.VIEWER)
    for door in (viewer, house.client, house.admin):
        listed = (await reflecting(house, door)).list_services_response.service
        assert "steersman.v1.SessionService" in {service.name for service in listed}


async def test_channelz_asks_for_an_admins_token(house: House) -> None:
    stub = channelz_pb2_grpc.ChannelzStub(house.channel())
    request = channelz_pb2.GetServersRequest()
    await refused(stub.GetServers(request), "unauthenticated")
    await refused(stub.GetServers(request, metadata=house.client.metadata), "permission_denied")
    assert (await stub.GetServers(request, metadata=house.admin.metadata)).server


async def test_health_is_told_to_everybody_for_each_service(house: House) -> None:
    stub = health_pb2_grpc.HealthStub(house.channel())
    names = {method.containing_service.full_name for method in METHODS.values()}
    for name in ("", *sorted(names)):
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Check(health_pb2.HealthCheckRequest(service="none"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
