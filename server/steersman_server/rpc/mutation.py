"""How a servicer changes something: one unit of work, once under its request_id."""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from google.protobuf.message import Message

from steersman_server.core.call import Call
from steersman_server.core.refusals import BadRequest
from steersman_server.store.requests import RequestKey
from steersman_server.store.store import Store
from steersman_server.store.transaction import Transaction
from steersman_server.usecases.once import once

M = TypeVar("M", bound=Message)
REQUEST_ID_LIMIT = 200


async def mutate(
    store: Store,
    call: Call,
    request: Any,
    answer: type[M],
    work: Callable[[Transaction], M],
) -> M:
    """Run `work` and answer its message; a repeat answers the first one.

    Raises what the work raises, RequestIdReused and StoreUnavailable.
    """
    key = request_key(call, request)
    if key is None:
        return await store.write(work)
    data = await store.write(lambda tx: once(tx, key, lambda tx: work(tx).SerializeToString()))
    return answer.FromString(data)


def request_key(call: Call, request: Any) -> RequestKey | None:
    """The key of a request with a request_id; scope is tenant, token and method."""
    request_id: str = request.request_id
    if not request_id:
        return None
    if len(request_id) > REQUEST_ID_LIMIT:
        raise BadRequest("request_id", f"has more than {REQUEST_ID_LIMIT} characters")
    rest = type(request)()
    rest.CopyFrom(request)
    rest.ClearField("request_id")
    fingerprint = hashlib.sha256(rest.SerializeToString(deterministic=True)).hexdigest()
    return RequestKey(call.caller, call.method, request_id, fingerprint)
