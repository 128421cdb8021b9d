"""Refusals carry facts: every variable of their sentence stands in their details."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

import pytest
from google.rpc.error_details_pb2 import ErrorInfo

import steersman_server
from steersman_server.core.refusals import InvalidCursor, NotFound, Refusal, WrongState
from steersman_server.wire.refusals import STATUS, status_of

FAILED_PRECONDITION: Final = 9


def kinds(of: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """Every refusal that any module of the server declares."""
    for kind in of.__subclasses__():
        if hasattr(kind, "reason"):
            yield kind
        yield from kinds(kind)


for _found in pkgutil.walk_packages(steersman_server.__path__, "steersman_server."):
    if ".migrations" not in _found.name:
        importlib.import_module(_found.name)
KINDS: Final = sorted(set(kinds()), key=lambda kind: kind.__name__)


def sample(kind: type[Refusal]) -> tuple[Refusal, list[str]]:
    """One of this kind, and the facts that went into it: all of them different words."""
    numbers = count(9101)
    given: list[Any] = []
    facts: list[str] = []
    for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        value: Any
        match str(parameter.annotation).replace("<class ", "").strip("'>"):
            case "int":
                value = next(numbers)
                facts.append(str(value))
            case annotation if annotation.startswith("tuple[int, int]"):
                value = (next(numbers), next(numbers))
                facts += map(str, value)
            case annotation if "Iterable" in annotation:
                value = [f"{name}-one", f"{name}-two"]
                facts += value
            case _:
                value = f"the-{name}"
                facts.append(value)
        given.append(value)
    return kind(*given), facts


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_refusal_carries_every_fact_that_it_was_made_of(kind: type[Refusal]) -> None:
    refusal, facts = sample(kind)
    told = " ".join(refusal.details.values())
    missing = [fact for fact in facts if fact not in told]
    assert not missing
    assert all(isinstance(value, str) for value in refusal.details.values())
    assert str(refusal) == refusal.message != ""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_refusal_becomes_a_status_with_its_error_info(kind: type[Refusal]) -> None:
    refusal, _ = sample(kind)
    status = status_of(refusal)
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain) == (refusal.reason, "steersman")
    assert dict(info.metadata) == refusal.details
    assert (status.code, status.message) == (STATUS[kind.reason].grpc_code, refusal.message)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_refusal_of_state_carries_the_state_and_the_allowed_ones(kind: type[Refusal]) -> None:
    refusal, _ = sample(kind)
    if STATUS[kind.reason].grpc_code == FAILED_PRECONDITION and kind.reason != "protocol_mismatch":
        assert issubclass(kind, WrongState)
        assert {"state", "allowed", "resource", "id"} <= refusal.details.keys()


def test_not_found_says_which_resource_and_a_cursor_past_the_head_where_the_head_is() -> None:
    assert NotFound("session", "sess_x").details == {"resource": "session", "id": "sess_x"}
    refusal = InvalidCursor(12, "is past the head", head=7)
    assert refusal.details == {"cursor": "12", "problem": "is past the head", "head": "7"}
