"""Idempotency: under one request_id a mutation happens once and answers alike."""

from collections.abc import Callable

from steersman_server.core.refusals import RequestIdReused
from steersman_server.store import requests
from steersman_server.store.requests import RequestKey
from steersman_server.store.transaction import Transaction


def once(tx: Transaction, key: RequestKey | None, work: Callable[[Transaction], bytes]) -> bytes:
    """Run `work` unless the key was answered before; answers the first answer.

    The answer is stored in the transaction of its effect, so both are there or
    neither. Refusals are not stored. Raises RequestIdReused when the key was used
    for another request. Without a key the work simply runs.
    """
    if key is None:
        return work(tx)
    answered = requests.answer_to(tx, key)
    if answered is not None:
        fingerprint, answer = answered
        if fingerprint != key.fingerprint:
            raise RequestIdReused(key.request_id)
        return answer
    answer = work(tx)
    requests.keep(tx, key, answer)
    return answer
