"""A runner cut off by the network while its tool runs: isolated, forced, not heard after."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from follow_up import check_given, send_when_idle, valid_log
from network import Network, network_to
from raw_runner import a_call, output
from real_runner import Puppet, answer
from server_house import House, fresh, running_house, within
from server_watching import history, watching

from steersman import short
from steersman_runner import Runner
from steersman_runner.harness.base import Answer, Desk, Work

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 2.0
SLACK = 1.0  # a loop that is busy with a whole server is late by so much at most


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def patient(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """Interrupts are forced long before the isolation limit, and the lease outlives both."""
    times = {"interrupt_grace": 0.2, "isolation_limit": LIMIT, "heartbeat_interval": 0.1}
    folder = tmp_path_factory.mktemp("patient")
    async with running_house(folder, lease=30, disconnect_grace=30, **times) as opened:
        yield opened


class ToolRecord:
    """A turn whose one tool runs until it is stopped, and when that was; the next one answers."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.ended = asyncio.Event()
        self.ended_at = 0.0
        self.given: list[Work] = []

    async def __call__(self, work: Work, desk: Desk) -> Answer:
        self.given.append(work)
        if len(self.given) > 1:
            return answer("here")
        call = a_call()
        await desk.round([call], answer("").usage)
        self.began.set()
        try:
            return await asyncio.get_running_loop().create_future()
        finally:
            self.ended_at = time.time()
            self.ended.set()
            # What it has by then it reports; nobody can hear it in time.
            reporting = asyncio.ensure_future(desk.output(output(call, "too late")))
            await asyncio.sleep(0)
            reporting.cancel()


@asynccontextmanager
async def runner_behind(network: Network, house: House, record: ToolRecord) -> AsyncIterator[str]:
    harness = Puppet(fresh("puppet"), record)
    token = house.tokens["runner"]
    assert token is not None
    runner = Runner(network.address, token, runner_id=fresh("far"), harnesses=[harness], slots=1)
    task = asyncio.create_task(runner.run(), name="runner")
    try:
        yield harness.name
    finally:
        task.cancel()
        await asyncio.wait({task})


@pytest.mark.parametrize("heals", ["the stream goes on", "a new stream comes"])
async def test_cut_off_while_a_tool_runs_it_is_forced_and_the_tool_ends_by_its_limit(
    patient: House, heals: str
) -> None:
    record = ToolRecord()
    async with (
        network_to(patient.address) as network,
        runner_behind(network, patient, record) as harness,
    ):
        session = await patient.session(await patient.agent(harness), "go")
        await within(record.began.wait())
        async with watching(patient.client, session.id) as watch:
            await watch.until("turn_running")
            network.freeze()
            asked = await patient.client.Interrupt(
                session_id=session.id, wait="INTERRUPT_WAIT_SETTLED"
            )
            assert short(asked, "state") == "forced"
            # The turn is settled, and the tool still runs: that is what may_run_until is for.
            assert not record.ended.is_set()
            turn_id = await send_when_idle(patient, watch)
            await within(record.ended.wait())
            until = asked.may_run_until.ToMicroseconds() / 1e6
            assert record.ended_at <= until + SLACK
            assert until <= asked.settled_at.ToMicroseconds() / 1e6 + LIMIT
            if heals == "a new stream comes":
                network.cut()
            network.heal()
            await watch.until("turn_completed", turn_id)
    check_given(record.given[1].history)
    log = await valid_log(patient, session.id)
    told = history([item for item in log.standing() if item.turn_id == asked.turn_id])
    assert [who for who, _ in told] == ["user", "call", "output", "marker"]
    assert "too late" not in [words for _, words in told]
    after = await patient.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert after == asked


async def test_cut_off_for_less_than_the_grace_the_stop_is_heard_and_confirmed(
    house: House,
) -> None:
    record = ToolRecord()
    async with (
        network_to(house.address) as network,
        runner_behind(network, house, record) as harness,
    ):
        session = await house.session(await house.agent(harness), "go")
        await within(record.began.wait())
        async with watching(house.client, session.id) as watch:
            await watch.until("turn_running")
            network.freeze()
            asked = await house.client.Interrupt(session_id=session.id)
            network.cut()
            network.heal()
            turn_id = await send_when_idle(house, watch)
            await watch.until("turn_completed", turn_id)
    check_given(record.given[1].history)
    done = await house.client.GetInterrupt(session_id=session.id, interrupt_id=asked.id)
    assert short(done, "state") == "confirmed"
    await valid_log(house, session.id)
