"""SIGTERM: a server and a runner that leave in order, and what their peers see of it."""

import asyncio
import signal
from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio
from live_house import House
from live_scene import Stage, playing, set_up

from steersman import kind, short
from steersman.errors import from_rpc
from steersman.v1.session_service_pb2 import WatchSessionRequest
from steersman.v1.session_service_pb2_grpc import SessionServiceStub

pytestmark = pytest.mark.asyncio(loop_scope="module")

BLOCKED = {"text": "done", "block": True}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    with House(tmp_path_factory.mktemp("leaving"), lease=60, isolation_limit=60) as house:
        for name, slots in {"roomy": 4, "spare": 1}.items():
            house.runner(name, "--slots", str(slots))
        for runner in house.runners.values():
            runner.said("runner_connected")
        async with set_up(house) as opened:
            yield opened


async def last_word(stage: Stage, session_id: str, stands: asyncio.Event) -> str:
    """The reason with which a watch of plain gRPC ends."""
    token = stage.house.data_dir.joinpath("tokens", "client").read_text().strip()
    options = (("grpc.enable_http_proxy", 0),)
    async with grpc.aio.insecure_channel(stage.house.address, options=options) as channel:
        watch = SessionServiceStub(channel).WatchSession(
            WatchSessionRequest(session_id=session_id),
            metadata=(("authorization", f"Bearer {token}"),),
        )
        try:
            while await watch.read() is not grpc.aio.EOF:
                stands.set()
        except grpc.aio.AioRpcError as error:
            return from_rpc(error, stage.house.address).reason
    return "ended without a word"


async def test_a_server_that_leaves_says_draining_and_the_next_one_goes_on(stage: Stage) -> None:
    async with playing(stage, "goes-on") as scene:
        await scene.begin({"text": "one two", "block_after": 3})
        await scene.watcher.until_text(3)
        stands = asyncio.Event()
        word = asyncio.create_task(last_word(stage, scene.session.id, stands))
        await stands.wait()
        scene.acknowledged = list(scene.watcher.events)
        stage.house.server.signal(signal.SIGTERM)
        assert await word == "draining"
        assert await asyncio.to_thread(stage.house.server.ended) == 0
        await asyncio.to_thread(stage.house.serve)
        await scene.watcher.until_resumed()
        await stage.mock.release()
        turn = await scene.sent[0].turn.wait()
        assert (short(turn, "state"), getattr(turn, "try")) == ("completed", 1)
        await scene.follow_up()


async def test_a_runner_that_drains_finishes_its_turn_and_takes_no_more(stage: Stage) -> None:
    async with playing(stage, "finishes") as first, playing(stage, "elsewhere") as second:
        await first.begin(BLOCKED)
        await first.watcher.until("turn_running")
        roomy = stage.house.runners["roomy"]
        roomy.signal(signal.SIGTERM)
        await asyncio.to_thread(roomy.said, "runner_draining")
        # It has the most free slots, so it is asked first.
        await second.begin({"text": "done"})
        turn = await second.sent[0].turn.wait()
        assert (short(turn, "state"), turn.runner_id) == ("completed", "spare")
        offered = [event for event in await second.log() if kind(event) == "turn_assigned"]
        assert len(offered) < 5
        assert roomy.alive()
        await stage.mock.release()
        turn = await first.sent[0].turn.wait()
        assert (short(turn, "state"), turn.runner_id) == ("completed", "roomy")
        assert await asyncio.to_thread(roomy.ended) == 0
        roomy.said("runner_left")


async def test_a_second_sigterm_aborts_and_the_turn_moves_at_once(stage: Stage) -> None:
    await asyncio.to_thread(stage.house.runner("other").said, "runner_connected")
    async with playing(stage, "moves-on") as scene:
        await scene.begin(BLOCKED, {"text": "done"})
        assigned = await scene.watcher.until("turn_running")
        await stage.mock.wait_for_pending(timeout=30)
        leaver = stage.house.runners[assigned.turn.runner_id]
        leaver.signal(signal.SIGTERM)
        await asyncio.to_thread(leaver.said, "runner_draining")
        leaver.signal(signal.SIGTERM)
        assert await asyncio.to_thread(leaver.ended) == 0
        turn = await scene.sent[0].turn.wait()
        assert (short(turn, "state"), getattr(turn, "try")) == ("completed", 2)
        assert turn.runner_id != assigned.turn.runner_id
        assert len(await stage.mock.requests("moves-on")) == 2
        await scene.follow_up()
