"""RunnerService.Connect: hello, welcome, then frames both ways until the stream ends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

import structlog

from steersman.v1.runner_pb2 import (
    TURN_OUTCOME_ABANDONED,
    Hello,
    RunnerMessage,
    ServerMessage,
)
from steersman_server.bus import topics
from steersman_server.bus.local import LocalBus
from steersman_server.core.call import Call
from steersman_server.core.lease import Heard
from steersman_server.core.notices import (
    EpochOver,
    RunnerWelcomed,
    StartWanted,
    StopWanted,
    TurnReleased,
)
from steersman_server.core.reconciliation import Reconciled
from steersman_server.core.refusals import BadRequest, Draining, LeaseLost, Refusal
from steersman_server.core.turn import IllegalTransition
from steersman_server.core.values import Epoch, InterruptId, TurnId
from steersman_server.hub.hub import Hub
from steersman_server.hub.lanes import Lanes
from steersman_server.hub.link import Link
from steersman_server.settings import Settings
from steersman_server.store.store import Store
from steersman_server.usecases.decline_turn import decline_turn
from steersman_server.usecases.deliver_interrupt import deliver_interrupt
from steersman_server.usecases.lose_turn import lose_turn
from steersman_server.usecases.welcome_runner import welcome_runner
from steersman_server.wire import greetings
from steersman_server.wire.refusals import Internal

log = structlog.get_logger()

RunnerNotice = RunnerWelcomed | StartWanted | StopWanted | EpochOver | TurnReleased


class RunnerService:
    """The runners' door."""

    def __init__(self, hub: Hub, store: Store, bus: LocalBus, settings: Settings) -> None:
        self._hub = hub
        self._store = store
        self._bus = bus
        self._settings = settings

    async def Connect(
        self, messages: AsyncIterator[RunnerMessage], call: Call
    ) -> AsyncIterator[ServerMessage]:
        """Raises ProtocolMismatch and BadRequest for a hello that cannot be."""
        hello = await self._hello(messages)
        link = Link(greetings.runner(hello, call.caller.tenant, call.peer, self._store.now()))
        self._hub.attach(link)
        log.info("runner_connected", runner_id=link.runner.id, slots=link.runner.slots)
        doors = [
            self._bus.subscribe(topics.runner(*link.key), partial(self._notice, link, hello)),
            self._bus.subscribe(topics.DRAINING, lambda _: link.close(Draining())),
        ]
        reader = asyncio.create_task(self._serve(link, hello, messages, call), name="runner reader")
        try:
            async for message in link.messages():
                yield message
        finally:
            await self._leave(link, doors, reader)

    async def _hello(self, messages: AsyncIterator[RunnerMessage]) -> Hello:
        try:
            async with asyncio.timeout(self._settings.hello_deadline):
                first = await anext(messages)
        except TimeoutError:
            raise BadRequest("hello", "did not come in time") from None
        except StopAsyncIteration:
            raise BadRequest("hello", "did not come") from None
        if first.WhichOneof("frame") != "hello":
            raise BadRequest("hello", "must be the first frame")
        return first.hello

    async def _leave(
        self, link: Link, doors: list[Callable[[], None]], reader: asyncio.Task[None]
    ) -> None:
        for unsubscribe in doors:
            unsubscribe()
        self._hub.detach(link)
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
        log.info("runner_disconnected", runner_id=link.runner.id, goodbye=link.said_goodbye)

    def _notice(self, link: Link, hello: Hello, notice: RunnerNotice) -> None:
        match notice:
            case RunnerWelcomed(runner, agreed):
                if runner is link.runner:
                    self._welcome(link, hello, agreed)
            case _:
                link.notice(notice)

    def _welcome(self, link: Link, hello: Hello, agreed: Reconciled) -> None:
        link.welcome(agreed, greetings.welcome(link.runner, agreed.verdicts, self._settings))
        for turn, round_, text in greetings.in_flight(hello, agreed.kept):
            self._hub.hold_text(turn, round_, text)
        self._hub.capacity.set()

    async def _serve(
        self, link: Link, hello: Hello, messages: AsyncIterator[RunnerMessage], call: Call
    ) -> None:
        """Reconcile, then take frames until the stream ends; a fault closes the link."""
        lanes = Lanes(link, self._store)
        try:
            await self._reconcile(link, hello)
            async for message in messages:
                self._take(link, lanes, message)
        except Refusal as problem:
            link.close(problem)
        except Exception:
            log.exception("runner_link_failed", runner_id=link.runner.id)
            link.close(Internal(call.correlation_id))
        else:
            link.lose()
        finally:
            await lanes.close()

    async def _reconcile(self, link: Link, hello: Hello) -> None:
        """Hold both sides' turns against each other; the welcome goes out as a notice, in
        the order of the commits."""
        held = greetings.held(hello)
        agreed = await self._store.write(lambda tx: welcome_runner(tx, link.runner, held))
        for turn in agreed.lost:
            alone = self._hub.alone(link.key, turn.id, self._store.now())
            work = partial(lose_turn, turn_id=turn.id, epoch=turn.epoch, alone=alone)
            await self._store.write(work)

    def _take(self, link: Link, lanes: Lanes, message: RunnerMessage) -> None:
        match message.WhichOneof("frame"):
            case "delta":
                self._hub.relay(link, message.delta)
            case "heartbeat":
                self._hub.leases.note(link.key, Heard(self._hub.leases.clock()))
                link.answer_heartbeat(message.heartbeat.number)
            case "accepted" | "progress" | "turn_ended":
                if message.turn_ended.outcome == TURN_OUTCOME_ABANDONED:
                    self._hub.rest(link)  # another one should go on
                lanes.take(message)
            case "rejected" | "receipt":
                self._take_answer(link, lanes, message)
            case "goodbye":
                link.finish()
            case other:
                raise BadRequest("frame", f"{other or 'an empty one'} is not expected here")

    def _take_answer(self, link: Link, lanes: Lanes, message: RunnerMessage) -> None:
        answer = message.rejected if message.HasField("rejected") else message.receipt
        turn_id, epoch = TurnId(answer.turn_id), Epoch(answer.epoch)
        if message.HasField("rejected"):
            self._hub.rest(link)
            work = partial(decline_turn, runner_id=link.runner.id, turn_id=turn_id, epoch=epoch)
        else:
            work = partial(
                deliver_interrupt,
                runner_id=link.runner.id,
                turn_id=turn_id,
                epoch=epoch,
                interrupt_id=InterruptId(message.receipt.interrupt_id),
            )

        async def tell() -> None:
            try:
                await self._store.write(work)
            except LeaseLost:
                return  # about an epoch that is over; nobody waits for this
            except IllegalTransition as fault:
                await lanes.spoil(turn_id, epoch, str(fault))

        # A receipt stands by itself: the turn's end, right behind it, is not to wait for its
        # commit. The writer keeps their order.
        lanes.run(message.receipt.interrupt_id or turn_id, tell)
