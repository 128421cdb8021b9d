"""What lines and Ctrl+C mean in a chat, in every phase."""

import pytest

from steersman.cli.chat_state import ChatState, Ignore, Phase, Quit, Say, Stop, Tell


def test_a_line_is_said_and_a_blank_one_is_not() -> None:
    state = ChatState()
    assert state.line(" hello \n") == Say("hello")
    assert state.line("  ") == Ignore()


def test_quit_leaves_and_help_tells() -> None:
    state = ChatState()
    assert state.line("/quit\n") == Quit()
    assert isinstance(state.line("/help"), Tell)


def test_an_unknown_command_is_told_and_never_sent_to_a_model() -> None:
    answer = ChatState().line("/quti")
    assert isinstance(answer, Tell)
    assert "/quti" in answer.text


def test_ctrl_c_at_an_empty_prompt_tells_how_to_leave() -> None:
    state = ChatState()
    assert isinstance(state.ctrl_c(), Tell)
    assert state.phase is Phase.READY


def test_the_first_ctrl_c_of_a_turn_stops_it_and_later_ones_do_nothing() -> None:
    state = ChatState()
    state.began()
    assert [state.ctrl_c() for _ in range(3)] == [Stop(), Ignore(), Ignore()]


def test_each_turn_can_be_stopped() -> None:
    state = ChatState()
    for _ in range(2):
        state.began()
        assert state.ctrl_c() == Stop()
        state.ended()
    assert state.phase is Phase.READY


def test_a_stop_that_could_not_be_asked_for_can_be_asked_again() -> None:
    state = ChatState()
    state.began()
    state.ctrl_c()
    state.not_stopped()
    assert state.ctrl_c() == Stop()


@pytest.mark.parametrize("began", [True, False])
def test_a_stop_that_fails_after_the_end_changes_nothing(began: bool) -> None:
    state = ChatState()
    if began:
        state.began()
        state.ended()
    state.not_stopped()
    assert state.phase is Phase.READY
