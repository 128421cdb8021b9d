"""An interrupt in the instant of completion, and of a tool's result: never both, never neither."""

import asyncio
from collections import Counter
from typing import Any

import grpc
import pytest
from follow_up import check_given, send_when_idle, valid_log
from raw_runner import RawRunner, a_call, output, raw_runner, said
from real_runner import answer, real_runner
from scheduler import LONG, Scheduler
from server_house import House, within
from server_refusals import refusal
from server_watching import history, watching

from steersman import kind, short
from steersman.v1.event_pb2 import Event
from steersman.v1.item_pb2 import Item
from steersman.v1.runner_pb2 import StartTurn
from steersman_runner.harness.base import Answer, Desk, Work

pytestmark = pytest.mark.asyncio(loop_scope="module")

RUNS = 1500 if LONG else 80


async def outcome(house: House, session_id: str, turn_id: str, answered: Any) -> str:
    """What became of the turn; the interrupt's answer, the turn and history must agree on it."""
    turn = await house.client.GetTurn(session_id=session_id, turn_id=turn_id, wait=True)
    state = short(turn, "state")
    told = [who for who, _ in history(await house.items(session_id)) if who == "marker"]
    if isinstance(answered, grpc.aio.AioRpcError):
        met = refusal(answered)
        assert (met.reason, met.details["state"], state) == (
            "turn_not_active",
            "completed",
            "completed",
        )
        assert not told
    else:
        assert (answered.turn_id, state) == (turn_id, "interrupted")
        done = await house.client.GetInterrupt(session_id=session_id, interrupt_id=answered.id)
        assert short(done, "state") == "confirmed"
        assert told == ["marker"]
    return state


async def test_in_the_instant_of_completion_it_is_completed_or_interrupted_whichever_was_first(
    house: House,
) -> None:
    schedule = Scheduler("completion")
    seen: Counter[str] = Counter()
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness)
        for _ in range(RUNS):
            session = await house.session(agent, "go")
            held = await runner.taken()
            ending = {"outcome": "TURN_OUTCOME_COMPLETED", "items": [said("whole")], "round": 1}
            _, answered = await schedule.let_go(
                lambda held=held, ending=ending: runner.frame(held, "turn_ended", **ending),
                lambda held=held, id=session.id: house.client.Interrupt(
                    session_id=id, turn_id=held.turn_id
                ),
            )
            await drained(runner, held)
            state = await outcome(house, session.id, held.turn_id, answered)
            schedule.went(to_the_first=state == "completed")
            seen[state] += 1
            log = await valid_log(house, session.id)
            assert ("assistant", "whole") in history(log.standing())
    assert set(seen) == {"completed", "interrupted"}, f"the schedule reached only {seen}"


async def drained(runner: RawRunner, held: StartTurn) -> bool:
    """The end of the turn is acknowledged; whether a stop came, before or after."""
    newest = runner._numbers[held.turn_id, held.epoch]
    stopped, ended = False, False
    while not ended:
        message = await runner.next()
        ended = message.HasField("ack") and message.ack.number == newest
        stopped = stopped or message.HasField("stop_turn")
        assert not message.ack.refused
    return stopped


async def test_in_the_instant_of_a_tools_result_the_call_has_one_output(house: House) -> None:
    schedule = Scheduler("result")
    seen: Counter[tuple[bool, str]] = Counter()
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness)
        for _ in range(RUNS):
            session = await house.session(agent, "go")
            held = await runner.taken()
            call = a_call()
            await runner.round(held, call)
            reports = schedule.maybe() or schedule.maybe()
            ends = "COMPLETED" if schedule.maybe() else "STOPPED"
            _, answered = await schedule.let_go(
                lambda held=held, call=call, r=reports, e=ends: obey(runner, held, call, r, e),
                lambda id=session.id: house.client.Interrupt(session_id=id),
            )
            await drained(runner, held)
            assert await outcome(house, session.id, held.turn_id, answered) == "interrupted"
            log = await valid_log(house, session.id)
            assert log.outputs[call.id].synthetic is not reports
            order = [kind(e) for e in log.events if kind(e) == "interrupt_requested" or is_real(e)]
            if reports:
                schedule.went(to_the_first=order[0] == "item_added")
            seen[reports, order[0]] += 1
    assert len(seen) == 3, f"the schedule reached only {seen}"


def is_real(event: Event) -> bool:
    return bool(event.item.call_item_id) and not event.item.synthetic


async def obey(runner: RawRunner, held: StartTurn, call: Item, reports: bool, ends: str) -> None:
    """The tool's result lands, or does not; then the runner hears the stop and ends the turn."""
    if reports:
        await runner.frame(held, "progress", output=output(call, "real"))
    while not (message := await runner.next()).HasField("stop_turn"):
        assert message.HasField("ack")
    await runner.frame(held, "turn_ended", outcome=f"TURN_OUTCOME_{ends}", round=2)


class Moment:
    """A harness whose turns all wait for one instant each, before the answer or the result."""

    def __init__(self, *, with_tool: bool) -> None:
        self.with_tool = with_tool
        self.came: asyncio.Queue[tuple[str, asyncio.Event]] = asyncio.Queue()

    async def __call__(self, work: Work, desk: Desk) -> Answer:
        instant = asyncio.Event()
        if self.with_tool:
            call = a_call()
            await desk.round([call], answer("").usage)
            self.came.put_nowait((work.turn_id, instant))
            await instant.wait()
            await desk.output(output(call, "real"))
        else:
            desk.delta("so ")
            self.came.put_nowait((work.turn_id, instant))
            await instant.wait()
            desk.delta("far")
        return answer("the answer")


@pytest.mark.parametrize("with_tool", [False, True], ids=["answer", "result"])
async def test_a_real_runners_turn_in_the_instant_of_its_end_is_one_or_the_other(
    house: House, with_tool: bool
) -> None:
    schedule = Scheduler(f"real {with_tool}")
    seen: Counter[str] = Counter()
    moment = Moment(with_tool=with_tool)
    async with real_runner(house, moment) as harness:
        agent = await house.agent(harness)
        for _ in range(RUNS):
            session = await house.session(agent, "go")
            turn_id, instant = await within(moment.came.get())

            async def come(instant: asyncio.Event = instant) -> None:
                instant.set()

            _, answered = await schedule.let_go(
                come,
                lambda id=session.id, turn_id=turn_id: house.client.Interrupt(
                    session_id=id, turn_id=turn_id
                ),
            )
            state = await outcome(house, session.id, turn_id, answered)
            schedule.went(to_the_first=state == "completed")
            seen[state] += 1
            log = await valid_log(house, session.id)
            assert len(log.outputs) == int(with_tool)
    assert set(seen) == {"completed", "interrupted"}, f"the schedule reached only {seen}"


async def test_after_a_race_the_follow_up_sent_at_idle_meets_a_valid_history(house: House) -> None:
    schedule = Scheduler("follow-up")
    async with raw_runner(house) as runner:
        agent = await house.agent(runner.harness)
        for _ in range(RUNS // 4):
            session = await house.session(agent, "go")
            held = await runner.taken()
            call = a_call()
            await runner.round(held, call)
            async with watching(house.client, session.id) as watch:
                sending = asyncio.ensure_future(send_when_idle(house, watch))
                await schedule.let_go(
                    lambda held=held, call=call: obey(runner, held, call, True, "COMPLETED"),
                    lambda id=session.id: house.client.Interrupt(session_id=id),
                )
                turn_id = await within(sending)
            await drained(runner, held)
            following = await next_start(runner)
            assert following.turn_id == turn_id
            check_given(following.history)
            await runner.accepted(following)
            await runner.complete(following)
            await valid_log(house, session.id)


async def next_start(runner: RawRunner) -> StartTurn:
    while not (message := await runner.next()).HasField("start_turn"):
        assert message.WhichOneof("frame") in ("stop_turn", "ack"), message
    return message.start_turn
