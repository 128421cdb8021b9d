"""Error classes against the protos' reasons, and advice against both."""

import grpc

import steersman
from steersman.cli.advice import ADVICE
from steersman.errors import SteersmanError
from steersman.v1.reason_pb2 import Reason

REASONS = {
    value.name.removeprefix("REASON_").lower() for value in Reason.DESCRIPTOR.values if value.number
}
# What a client finds out without a server saying so.
LOCAL = {"unavailable", "broken_watch"}


def test_every_reason_has_a_class_and_no_class_is_left_over() -> None:
    assert set(SteersmanError.by_reason) == REASONS | LOCAL


def test_every_class_can_be_caught_by_name_from_the_package() -> None:
    for error in SteersmanError.by_reason.values():
        assert getattr(steersman, error.__name__) is error


def test_what_may_work_later_is_unavailable() -> None:
    assert issubclass(steersman.Draining, steersman.Unavailable)
    assert issubclass(steersman.StoreUnavailable, steersman.Unavailable)
    assert not issubclass(steersman.NoEligibleRunner, steersman.Unavailable)


def test_an_error_reads_as_reason_and_message() -> None:
    error = steersman.NotFound("no session sess_1", code=grpc.StatusCode.NOT_FOUND)
    assert str(error) == "not_found: no session sess_1"


def test_advice_is_given_for_reasons_that_exist() -> None:
    assert set(ADVICE) <= REASONS | LOCAL
