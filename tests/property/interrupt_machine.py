"""What can happen to one session, interrupts of every kind in between; one settles in the end."""

from functools import partial

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from interrupt_world import CALLER
from modelled_runner import Hold
from session_machine import RUNNERS, TEXTS, SessionMachine

from steersman_server.core.frames import TurnAccepted
from steersman_server.core.interrupt import SETTLED, Interrupt, InterruptMode, InterruptState
from steersman_server.core.reconciliation import Held
from steersman_server.core.refusals import LeaseLost, TurnNotActive
from steersman_server.core.runner import Runner
from steersman_server.core.turn import HELD, Turn, TurnState
from steersman_server.core.values import InterruptId, RunnerId, TurnId
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.assign_turn import assign_turn
from steersman_server.usecases.deliver_interrupt import deliver_interrupt
from steersman_server.usecases.force_interrupt import force_interrupt
from steersman_server.usecases.interrupt_turn import InterruptTurn, Wish, interrupt_turn
from steersman_server.usecases.lose_turn import lose_turn
from steersman_server.usecases.take_frame import take_frame
from steersman_server.usecases.welcome_runner import welcome_runner

FEW = 4
WISHES = st.builds(Wish, mode=st.sampled_from(InterruptMode), keep_queued=st.booleans())


class InterruptMachine(SessionMachine):
    """Every answer of an interrupt is held against what the session was before it."""

    def asking(self, wish: Wish, turn_id: str = "") -> "partial[Interrupt]":
        command = InterruptTurn(CALLER, self.world.session_id, wish, turn_id)
        return partial(interrupt_turn, command=command)

    @rule(wish=WISHES, names=st.booleans())
    def the_active_turn_is_interrupted(self, wish: Wish, names: bool) -> None:
        turn, waiting = self.world.active(), self.world.waiting()
        if turn is None:
            answer = self.world.write(self.asking(wish))
            assert answer.state is InterruptState.ALREADY_IDLE
            return self.unchanged()
        answer = self.world.write(self.asking(wish, turn.id if names else ""))
        assert (answer.turn_id, answer.attempt) == (turn.id, turn.attempt)
        if turn.state is TurnState.INTERRUPTING:
            assert answer.id == turn.interrupt_id
            return self.unchanged()
        assert list(answer.dropped_inputs) == ([] if wish.keep_queued else waiting)
        held = turn.state in HELD
        assert answer.state is (InterruptState.REQUESTED if held else InterruptState.CONFIRMED)
        after = self.world.turn(turn.id).state
        assert after is (TurnState.INTERRUPTING if held else TurnState.INTERRUPTED)
        return None

    @precondition(lambda self: self.known())
    @rule(wish=WISHES, which=st.integers(0, 200))
    def any_turn_is_interrupted(self, wish: Wish, which: int) -> None:
        known = self.known()
        before = self.world.turn(known[which % len(known)])
        if before.active:
            return
        asking = self.asking(wish, before.id)
        match before.state:
            case TurnState.COMPLETED | TurnState.FAILED:
                with pytest.raises(TurnNotActive) as refused:
                    self.world.write(asking)
                assert refused.value.details["state"] == before.state
                self.unchanged()
            case TurnState.INTERRUPTED:
                assert self.world.write(asking).id == before.interrupt_id
                self.unchanged()
            case _:
                self.withdrawn(before, self.world.write(asking))

    def withdrawn(self, before: Turn, answer: Interrupt) -> None:
        """A turn that waited is stopped by dropping its input alone."""
        assert answer.state is InterruptState.CONFIRMED
        assert [dropped.turn_id for dropped in answer.dropped_inputs] == [before.id]
        assert self.world.turn(before.id).stop_reason == "dropped"

    def known(self) -> list[TurnId]:
        return [
            *map(TurnId, self.world.log.turns),
            *(waits.turn_id for waits in self.world.waiting()),
        ]

    @precondition(lambda self: self.hold() is not None)
    @rule(wish=WISHES, times=st.integers(2, 20))
    def many_interrupt_at_once(self, wish: Wish, times: int) -> None:
        answers = self.world.together(*[self.asking(wish)] * times)
        assert len({answer.id for answer in answers if isinstance(answer, Interrupt)}) == 1
        assert all(isinstance(answer, Interrupt) for answer in answers)

    @precondition(lambda self: self.accepted_hold() is not None)
    @rule(
        wish=WISHES,
        how=st.sampled_from(["completed", "failed", "stopped"]),
        text=TEXTS,
        first=st.booleans(),
    )
    def it_ends_in_the_instant_of_an_interrupt(
        self, wish: Wish, how: str, text: str, first: bool
    ) -> None:
        hold, before = self.accepted_hold(), self.world.active()
        assert hold is not None
        assert before is not None
        ending = hold.ends(how, text)
        end = partial(take_frame, frame=hold.frame(ending))
        ask = self.asking(wish, hold.turn_id)
        works = (end, ask) if first else (ask, end)
        answers = dict(zip(works, self.world.together(*works), strict=True))
        assert answers[end] is None
        hold.committed(ending)
        by_itself = first and before.state is not TurnState.INTERRUPTING
        if by_itself and how in ("completed", "failed"):
            assert isinstance(answers[ask], TurnNotActive)
            assert self.world.turn(hold.turn_id).state == how
        else:
            assert isinstance(answers[ask], Interrupt)
            assert self.world.turn(hold.turn_id).state is TurnState.INTERRUPTED

    @precondition(lambda self: self.stopping() is not None)
    @rule()
    def the_stop_is_delivered(self) -> None:
        hold, interrupt = self.hold(), self.stopping()
        assert hold is not None
        assert interrupt is not None
        self.world.write(lambda tx: deliver_interrupt(tx, *hold.place, interrupt.id))
        assert self.world.interrupt(interrupt.id).state is InterruptState.DELIVERED

    def stopping(self) -> Interrupt | None:
        turn = self.world.active()
        if turn is None or turn.state is not TurnState.INTERRUPTING:
            return None
        assert turn.interrupt_id is not None
        return self.world.interrupt(turn.interrupt_id)

    @precondition(lambda self: self.settled_ghosts())
    @rule(which=st.integers(0, 100))
    def a_receipt_comes_late(self, which: int) -> None:
        ghosts = self.settled_ghosts()
        ghost, interrupt_id = ghosts[which % len(ghosts)]
        with pytest.raises(LeaseLost):
            self.world.write(lambda tx: deliver_interrupt(tx, *ghost.place, interrupt_id))
        late = partial(force_interrupt, turn_id=ghost.turn_id, interrupt_id=interrupt_id)
        self.world.write(partial(late, alone=self.alone("late")))
        self.unchanged()

    def settled_ghosts(self) -> list[tuple[Hold, InterruptId]]:
        settled = {
            interrupt.turn_id: InterruptId(interrupt.id)
            for interrupt in self.world.log.interrupts.values()
            if interrupt.HasField("settled_at")
        }
        return [(h, settled[h.turn_id]) for h in self.holds if h.turn_id in settled]

    @precondition(lambda self: self.stopping() is not None)
    @rule(text=TEXTS)
    def the_grace_is_over(self, text: str) -> None:
        turn, interrupt = self.world.active(), self.stopping()
        assert turn is not None
        assert interrupt is not None
        alone = self.alone(text)
        self.world.write(
            lambda tx: force_interrupt(tx, turn.id, interrupt_id=interrupt.id, alone=alone)
        )
        forced = self.world.interrupt(interrupt.id)
        assert (forced.state, forced.may_run_until) == (InterruptState.FORCED, alone.may_run_until)
        after = self.world.turn(turn.id)
        assert (after.state, after.epoch) == (TurnState.INTERRUPTED, turn.epoch + 1)
        partials = [
            item for item in self.world.history() if item.truncated and item.turn_id == turn.id
        ]
        kept = text and interrupt.mode is InterruptMode.KEEP
        assert len(partials) == (1 if kept else 0)

    @precondition(lambda self: self.holds)
    @rule(runner=RUNNERS, tells=st.sets(st.integers(0, 8)), reborn=st.booleans())
    def a_runner_says_hello(self, runner: RunnerId, tells: set[int], reborn: bool) -> None:
        """It works on some of what it was ever given, whether that is over or not."""
        mine = [hold for hold in self.holds if hold.runner_id == runner]
        told = [hold for number, hold in enumerate(reversed(mine)) if number in tells]
        live = self.hold()
        agreed = self.world.write(lambda tx: self.hello(tx, runner, told, reborn))
        kept = [(verdict.turn_id, verdict.epoch) for verdict in agreed.verdicts if verdict.keep]
        assert kept == [(h.turn_id, h.epoch) for h in told if h is live]
        stopping = self.stopping()
        wanted = [stopping.id] if stopping is not None and live in told else []
        assert [interrupt.id for _, interrupt in agreed.stops] == wanted
        for turn in agreed.lost:
            lost = partial(lose_turn, turn_id=turn.id, epoch=turn.epoch, alone=self.alone("seen"))
            self.world.write(lost)

    def hello(self, tx: Transaction, runner: RunnerId, told: list[Hold], reborn: bool):
        facts = Runner(
            runner,
            CALLER.tenant,
            self.world.now if reborn else 1,
            {},
            4,
            (),
            (),
            "",
            1,
            "",
            self.world.now,
            self.world.now,
        )
        return welcome_runner(tx, facts, [Held(hold.turn_id, hold.epoch) for hold in told])

    def teardown(self) -> None:
        """Left alone, everything settles: no turn is left open and no input waits."""
        try:
            if len(self.world.waiting()) > FEW:
                self.world.write(self.asking(Wish()))
            while (turn := self.world.active()) is not None:
                self.bring_to_an_end(turn)
            log = self.world.read_log()
            assert all(self.world.interrupt(i).state in SETTLED for i in log.interrupts)
        finally:
            self.world.close()

    def bring_to_an_end(self, turn: Turn) -> None:
        if turn.state is TurnState.QUEUED:
            self.world.write(partial(assign_turn, turn_id=turn.id, runner_id=RunnerId("one")))
            self.holds.append(Hold(RunnerId("one"), turn.id, self.world.turn(turn.id).epoch))
        hold = self.hold()
        assert hold is not None
        if not hold.number:
            self.report(hold, TurnAccepted())
        self.report(hold, hold.ends("completed", "done"))
