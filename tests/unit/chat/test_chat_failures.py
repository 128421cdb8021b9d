"""The classes of failures, from the SDK's exceptions alone."""

import json

import httpx2
import openai
import pytest

from steersman.v1.turn_pb2 import (
    FAILURE_KIND_INTERNAL,
    FAILURE_KIND_PERMANENT,
    FAILURE_KIND_TRANSIENT,
    FailureKind,
)
from steersman_runner.harness.chat.failures import StreamFault, failure_of

REQUEST = httpx2.Request("POST", "http://localhost/v1/responses")


def status_error(status: int, **body: str) -> openai.APIStatusError:
    response = httpx2.Response(status, request=REQUEST)
    return openai.APIStatusError("no", response=response, body=body)


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529, 599])
def test_statuses_that_pass_are_transient(status: int) -> None:
    failure = failure_of(status_error(status))
    assert (failure.kind, failure.retryable) == (FAILURE_KIND_TRANSIENT, True)
    assert failure.provider_status == status


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 409, 413, 422])
def test_all_other_refusals_are_permanent(status: int) -> None:
    failure = failure_of(status_error(status))
    assert (failure.kind, failure.retryable) == (FAILURE_KIND_PERMANENT, False)


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (openai.APITimeoutError(REQUEST), FAILURE_KIND_TRANSIENT, "timeout"),
        (openai.APIConnectionError(request=REQUEST), FAILURE_KIND_TRANSIENT, "connection"),
        (httpx2.ReadError("cut"), FAILURE_KIND_TRANSIENT, "connection"),
        (json.JSONDecodeError("x", "y", 0), FAILURE_KIND_TRANSIENT, "bad_response"),
        (status_error(400, code="content_filter"), FAILURE_KIND_PERMANENT, "content_filter"),
        (StreamFault("stream_ended", "x"), FAILURE_KIND_TRANSIENT, "stream_ended"),
        (StreamFault("server_error", "x"), FAILURE_KIND_TRANSIENT, "server_error"),
        (StreamFault("rate_limit_exceeded", "x"), FAILURE_KIND_TRANSIENT, "rate_limited"),
        (StreamFault("max_output_tokens", "x"), FAILURE_KIND_PERMANENT, "length"),
        (StreamFault("content_filter", "x"), FAILURE_KIND_PERMANENT, "content_filter"),
        (StreamFault("context_length_exceeded", "x"), FAILURE_KIND_PERMANENT, "context_length"),
        (StreamFault("503", "x"), FAILURE_KIND_TRANSIENT, "overloaded"),
        (StreamFault("402", "x"), FAILURE_KIND_PERMANENT, "refused"),
        (openai.OpenAIError("x"), FAILURE_KIND_INTERNAL, "model_client"),
    ],
)
def test_each_fault_has_its_class(error: Exception, kind: "FailureKind", code: str) -> None:
    failure = failure_of(error)
    assert (failure.kind, failure.code) == (kind, code)
    assert failure.retryable == (kind == FAILURE_KIND_TRANSIENT)


@pytest.mark.parametrize(
    "text", ["key abc123 is bad", "sk-abcdef123456 is bad", "Bearer tok.en is bad"]
)
def test_a_message_holds_no_key(text: str) -> None:
    message = failure_of(StreamFault("server_error", text), ["abc123"]).message
    assert "[key] is bad" in message


def test_a_message_has_an_end() -> None:
    assert len(failure_of(StreamFault("server_error", "x" * 5000)).message) == 1000
