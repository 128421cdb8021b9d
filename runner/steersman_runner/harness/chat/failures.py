"""Which failures of a model pass by waiting. Pure; retrying is the turn engine's."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import httpx2
from openai import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    OpenAIError,
)

from steersman.v1.turn_pb2 import (
    FAILURE_KIND_INTERNAL,
    FAILURE_KIND_PERMANENT,
    FAILURE_KIND_TRANSIENT,
    Failure,
    FailureKind,
)


class StreamFault(Exception):
    """A stream that gave no answer. `code` is the provider's word, or one of ours."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


# What asking a model can raise; anything else is a fault of ours.
MODEL_ERRORS = (OpenAIError, httpx2.RequestError, json.JSONDecodeError, StreamFault)

_MAX_MESSAGE = 1000
_KEY = re.compile(r"\b(?:sk|key|pk)-[\w*.\-]{6,}|(?<=Bearer )\S+")

_STATUS_CODES = {
    400: "bad_request",
    401: "unauthenticated",
    403: "permission_denied",
    404: "not_found",
    408: "timeout",
    422: "bad_request",
    429: "rate_limited",
    503: "overloaded",
    529: "overloaded",
}
_TRANSIENT_STATUSES = {408, 425, 429}

# The provider's words, in the body of an error or in a stream that had begun.
_WORDS = {
    "content_filter": "content_filter",
    "content_policy_violation": "content_filter",
    "context_length_exceeded": "context_length",
    "max_output_tokens": "length",
    "length": "length",
    "overloaded": "overloaded",
    "overloaded_error": "overloaded",
    "rate_limit_exceeded": "rate_limited",
    "rate_limit_error": "rate_limited",
    "server_error": "server_error",
    "internal_error": "server_error",
    "stream_ended": "stream_ended",
    "vector_store_timeout": "timeout",
}
_TRANSIENT_CODES = {"overloaded", "rate_limited", "server_error", "stream_ended", "timeout"}


class _Verdict(NamedTuple):
    kind: "FailureKind"
    code: str
    status: int | None = None


def failure_of(error: Exception, secrets: Sequence[str] = ()) -> Failure:
    """The failure that the API shows for one of MODEL_ERRORS.

    The message is the provider's, without anything that looks like a key and
    without any of `secrets`.
    """
    verdict = _verdict(error)
    return Failure(
        kind=verdict.kind,
        code=verdict.code,
        message=_readable(error, secrets),
        provider_status=verdict.status,
        retryable=verdict.kind == FAILURE_KIND_TRANSIENT,
    )


def _verdict(error: Exception) -> _Verdict:
    match error:
        case APIResponseValidationError() | json.JSONDecodeError():
            return _Verdict(FAILURE_KIND_TRANSIENT, "bad_response")
        case APITimeoutError() | httpx2.TimeoutException():
            return _Verdict(FAILURE_KIND_TRANSIENT, "timeout")
        case APIConnectionError() | httpx2.RequestError():
            return _Verdict(FAILURE_KIND_TRANSIENT, "connection")
        case APIStatusError():
            return _of_status(error.status_code, error.code)
        case APIError():
            return _of_word(error.code or error.type or "server_error")
        case StreamFault():
            return _of_word(error.code)
    return _Verdict(FAILURE_KIND_INTERNAL, "model_client")


def _of_status(status: int, word: str | None = None) -> _Verdict:
    code = _STATUS_CODES.get(status, "server_error" if status >= 500 else "refused")
    if status >= 500 or status in _TRANSIENT_STATUSES:
        return _Verdict(FAILURE_KIND_TRANSIENT, code, status)
    return _Verdict(FAILURE_KIND_PERMANENT, _WORDS.get(word or "", code), status)


def _of_word(word: str) -> _Verdict:
    if word.isdecimal():  # gateways put the status they got into the stream
        return _of_status(int(word))
    code = _WORDS.get(word, word)
    transient = code in _TRANSIENT_CODES
    return _Verdict(FAILURE_KIND_TRANSIENT if transient else FAILURE_KIND_PERMANENT, code)


def _readable(error: Exception, secrets: Sequence[str]) -> str:
    text = str(error)
    cause = error.__cause__
    if isinstance(error, APIConnectionError) and cause is not None and str(cause):
        text = f"{text} ({cause})"
    for secret in filter(None, secrets):
        text = text.replace(secret, "[key]")
    return _KEY.sub("[key]", text)[:_MAX_MESSAGE]
