"""What can happen to one session but interrupts: sends, runners, their frames, losses, restarts."""

from functools import partial

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from interrupt_world import CALLER, World
from log_rules import WAITING_LIMIT
from modelled_runner import Hold, What, output

from steersman_server.core.agent import RunnerLossPolicy
from steersman_server.core.frames import CallBegun, TurnAccepted
from steersman_server.core.items import ContentBlock, ItemRole, open_calls
from steersman_server.core.refusals import (
    BadRequest,
    LeaseLost,
    QueueFull,
    SessionBusy,
)
from steersman_server.core.turn import TERMINAL, Turn, TurnState
from steersman_server.core.values import RunnerId
from steersman_server.usecases.assign_turn import assign_turn, assignment_of
from steersman_server.usecases.begin_turn import Message
from steersman_server.usecases.decline_turn import decline_turn
from steersman_server.usecases.finish_turn import Alone
from steersman_server.usecases.lose_turn import lose_turn
from steersman_server.usecases.send_message import SendMessage, SendOutcome, WhenBusy, send_message
from steersman_server.usecases.spoil_turn import spoil_turn
from steersman_server.usecases.take_frame import take_frame

RUNNERS = st.sampled_from([RunnerId("one"), RunnerId("two")])
TEXTS = st.sampled_from(["", "so far"])
MESSAGE = Message(ItemRole.USER, (ContentBlock("input_text", "hello"),))


class SessionMachine(RuleBasedStateMachine):
    """Rules over one World; a subclass adds interrupts. After every rule the log is checked."""

    world: World

    @initialize(policy=st.sampled_from(RunnerLossPolicy))
    def begin(self, policy: RunnerLossPolicy) -> None:
        self.world = World(policy)
        self.holds: list[Hold] = []
        self.flooded = False

    # What the rules below look at.

    def hold(self) -> Hold | None:
        """The hold of the runner that has the turn now."""
        turn = self.world.held()
        return None if turn is None else next(h for h in self.holds if self.is_of(h, turn))

    def is_of(self, hold: Hold, turn: Turn) -> bool:
        return (hold.turn_id, hold.epoch) == (turn.id, turn.epoch)

    def accepted_hold(self) -> Hold | None:
        hold = self.hold()
        return hold if hold is not None and hold.number else None

    def report(self, hold: Hold, what: What) -> None:
        self.world.write(partial(take_frame, frame=hold.frame(what)))
        hold.committed(what)

    def unchanged(self) -> None:
        """Nothing was written since the last look."""
        head = self.world.log.sequence
        assert self.world.read_log().sequence == head

    # What happens.

    @precondition(lambda self: self.world.session().busy)
    @rule(microseconds=st.sampled_from([1, 400, 1000, 1_000_000]))
    def time_passes(self, microseconds: int) -> None:
        self.world.tick(microseconds)

    @rule(when=st.sampled_from(WhenBusy))
    def somebody_sends(self, when: WhenBusy) -> None:
        before, active = self.world.session(), self.world.active()
        waiting = self.world.waiting()
        try:
            sent = self.world.write(lambda tx: send_message(tx, self.sending(when)))
        except SessionBusy:
            assert before.busy
            assert when is WhenBusy.REJECT
            return self.unchanged()
        except QueueFull:
            assert len(waiting) == WAITING_LIMIT
            return self.unchanged()
        assert when is not WhenBusy.REJECT or not before.busy
        starts = active is None or (when is WhenBusy.INTERRUPT and active.state is TurnState.QUEUED)
        waits = SendOutcome.INTERRUPTING if when is WhenBusy.INTERRUPT else SendOutcome.QUEUED
        assert sent.outcome is (SendOutcome.STARTED if starts else waits)
        assert self.world.turn(sent.turn_id).active is starts
        assert starts or self.world.waiting()[-1].item_id == sent.item_id
        return None

    @precondition(lambda self: not self.flooded and self.world.session().busy)
    @rule()
    def a_crowd_sends(self) -> None:
        self.flooded = True
        room = WAITING_LIMIT - len(self.world.waiting())
        command = self.sending(WhenBusy.ENQUEUE)
        answers = self.world.together(*[lambda tx: send_message(tx, command)] * (room + 3))
        refused = [isinstance(answer, QueueFull) for answer in answers]
        assert refused == [False] * room + [True] * 3

    def sending(self, when: WhenBusy) -> SendMessage:
        return SendMessage(CALLER, self.world.session_id, MESSAGE, when)

    @precondition(lambda self: self.queued() is not None)
    @rule(runner=RUNNERS)
    def a_runner_is_chosen(self, runner: RunnerId) -> None:
        turn = self.queued()
        assert turn is not None
        assert self.world.write(partial(assign_turn, turn_id=turn.id, runner_id=runner))
        given = self.world.turn(turn.id)
        start = self.world.read(lambda tx: assignment_of(tx, given))
        assert list(start.history) == self.world.history()
        assert start.history[-1].turn_id == turn.id
        calls = [call.id for call in open_calls(start.history)]
        assert calls == self.world.log.open_calls(turn.id)
        self.holds.append(Hold(runner, turn.id, given.epoch, round=turn.round, open_calls=calls))

    def queued(self) -> Turn | None:
        turn = self.world.active()
        return turn if turn is not None and turn.state is TurnState.QUEUED else None

    @precondition(lambda self: (hold := self.hold()) is not None and not hold.number)
    @rule(takes=st.integers(0, 4))
    def the_runner_answers(self, takes: int) -> None:
        hold = self.hold()
        assert hold is not None
        if takes:
            self.report(hold, TurnAccepted())
        else:
            self.world.write(lambda tx: decline_turn(tx, *hold.place))

    @precondition(lambda self: self.accepted_hold() is not None)
    @rule(calls=st.integers(1, 3), says=st.booleans())
    def the_model_calls_tools(self, calls: int, says: bool) -> None:
        hold = self.accepted_hold()
        assert hold is not None
        self.report(hold, hold.answers_with_calls(calls, says=says))

    @precondition(lambda self: (hold := self.accepted_hold()) is not None and hold.open_calls)
    @rule(which=st.integers(0, 10), begins=st.booleans())
    def a_tool_answers(self, which: int, begins: bool) -> None:
        hold = self.accepted_hold()
        assert hold is not None
        call = hold.open_calls[which % len(hold.open_calls)]
        self.report(hold, CallBegun(call) if begins else output(call))

    @precondition(lambda self: self.accepted_hold() is not None)
    @rule(how=st.sampled_from(["completed", "failed", "stopped"]), text=TEXTS)
    def the_runner_ends_it(self, how: str, text: str) -> None:
        hold, before = self.accepted_hold(), self.world.active()
        assert hold is not None
        assert before is not None
        self.report(hold, hold.ends(how, text))
        interrupting = before.state is TurnState.INTERRUPTING
        by_itself = "queued" if how == "stopped" else how
        assert self.world.turn(hold.turn_id).state == ("interrupted" if interrupting else by_itself)

    @precondition(lambda self: self.accepted_hold() is not None)
    @rule(number=st.integers(1, 100))
    def a_frame_comes_again(self, number: int) -> None:
        hold = self.accepted_hold()
        assert hold is not None
        again = hold.frame(hold.ends("completed", "again"), 1 + number % hold.number)
        self.world.write(partial(take_frame, frame=again))
        self.unchanged()

    @precondition(lambda self: self.hold() is not None)
    @rule()
    def the_runner_reports_what_cannot_be(self) -> None:
        hold = self.hold()
        assert hold is not None
        try:
            frame = hold.frame(TurnAccepted(), hold.number + 2)
            self.world.write(partial(take_frame, frame=frame))
        except BadRequest:
            self.world.write(lambda tx: spoil_turn(tx, *hold.place, "a gap"))
        assert self.world.turn(hold.turn_id).state in TERMINAL

    @precondition(lambda self: len(self.holds) > (self.hold() is not None))
    @rule(which=st.integers(0, 100), how=st.sampled_from(["completed", "stopped"]))
    def a_frame_of_an_epoch_that_is_over_comes(self, which: int, how: str) -> None:
        old = [hold for hold in self.holds if hold is not self.hold()]
        ghost = old[which % len(old)]
        late = ghost.frame(ghost.ends(how, "late"))
        for work in (
            lambda tx: take_frame(tx, late),
            lambda tx: decline_turn(tx, *ghost.place),
        ):
            with pytest.raises(LeaseLost):
                self.world.write(work)
        self.world.write(lambda tx: spoil_turn(tx, *ghost.place, "late"))
        lost = partial(lose_turn, turn_id=ghost.turn_id, epoch=ghost.epoch, alone=self.alone("x"))
        self.world.write(lost)
        self.unchanged()

    def alone(self, text: str) -> Alone:
        return Alone(text, self.world.now)

    @precondition(lambda self: self.hold() is not None)
    @rule(text=TEXTS)
    def the_runner_is_lost(self, text: str) -> None:
        hold = self.hold()
        assert hold is not None
        lost = partial(lose_turn, turn_id=hold.turn_id, epoch=hold.epoch, alone=self.alone(text))
        self.world.write(lost)
        assert self.hold() is not hold

    @precondition(lambda self: self.world.session().busy)
    @rule(really=st.integers(0, 3))  # it takes longer than all the others together
    def the_server_restarts(self, really: int) -> None:
        if not really:
            self.world.restart()

    @invariant()
    def the_log_keeps_the_rules(self) -> None:
        log = self.world.read_log()
        session, waiting = self.world.session(), self.world.waiting()
        assert (session.status, session.head_sequence) == (log.status or "idle", log.sequence)
        assert [waits.item_id for waits in waiting] == log.waiting
        assert session.waiting == len(waiting) <= WAITING_LIMIT
        assert [item.id for item in self.world.history()] == [item.id for item in log.standing()]
