"""Which runner gets a turn."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_values import NOW, TENANT, TURN

from steersman_server.core.notices import TurnReady
from steersman_server.core.placement import Candidate, fits, place
from steersman_server.core.values import RunnerId


def ready(**more: Any) -> TurnReady:
    facts: dict[str, Any] = {
        "harness": "chat",
        "tools": frozenset({"search"}),
        "selector": {"zone": "a"},
        "runner_id": None,
    }
    return TurnReady(TURN, TENANT, NOW, **(facts | more))


def candidate(name: str, slots: int = 2, used: int = 0, **more: Any) -> Candidate:
    facts: dict[str, Any] = {
        "harnesses": frozenset({"chat", "scripted"}),
        "tools": frozenset({"search", "shell"}),
        "labels": {"zone": "a", "gpu": "no"},
    }
    return Candidate(RunnerId(name), slots, used, **(facts | more))


MISFITS: Final = {
    "harness": {"harnesses": frozenset({"scripted"})},
    "tools": {"tools": frozenset({"shell"})},
    "selector, another value": {"labels": {"zone": "b"}},
    "selector, no label": {"labels": {}},
}


@pytest.mark.parametrize("misfit", MISFITS.values(), ids=MISFITS)
def test_a_runner_that_lacks_something_never_gets_the_turn(misfit: dict[str, Any]) -> None:
    assert fits(ready(), candidate("r"))
    assert not fits(ready(), candidate("r", **misfit))
    assert place(ready(), [candidate("r", **misfit)]) is None


def test_a_pinned_turn_goes_to_its_runner_or_to_none() -> None:
    pinned = ready(runner_id=RunnerId("mine"))
    fleet = [candidate("other", slots=100), candidate("mine", used=1)]
    assert place(pinned, fleet) == "mine"
    assert place(pinned, fleet[:1]) is None
    assert place(pinned, [candidate("mine", slots=1, used=1)]) is None


def test_nobody_without_a_free_slot_gets_a_turn() -> None:
    assert place(ready(), [candidate("r", slots=2, used=2)]) is None
    assert place(ready(), []) is None


def test_the_most_free_slots_win_and_names_decide_among_equals() -> None:
    fleet = [candidate("c", 4, 2), candidate("b", 3), candidate("a", 3)]
    assert place(ready(), fleet) == "a"


@given(st.permutations([candidate("a", 3, 1), candidate("b", 4, 2), candidate("c", 1)]))
def test_the_choice_does_not_depend_on_the_order_of_the_fleet(fleet: list[Candidate]) -> None:
    assert place(ready(), fleet) == "a"
