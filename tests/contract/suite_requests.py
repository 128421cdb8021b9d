"""Store suite, idempotency: under one request_id a mutation happens once and answers alike."""

import asyncio
from collections.abc import Callable
from typing import Final

import pytest
from store_desk import TENANT, Desk, busy_writer, hand_in, note

from steersman_server.core.refusals import NotFound, RequestIdReused
from steersman_server.core.values import Caller, Instant, Role
from steersman_server.store import requests
from steersman_server.store import statements as sql
from steersman_server.store.requests import RequestKey
from steersman_server.store.transaction import Missed, Transaction
from steersman_server.usecases.once import once

CALLER: Final = Caller(TENANT, "client", Role.CLIENT)
DAY: Final = 24 * 3600 * 1_000_000


def key(fingerprint: str = "print", request_id: str = "r1") -> RequestKey:
    return RequestKey(CALLER, "SendMessage", request_id, fingerprint)


def unit(name: str, of: RequestKey | None) -> Callable[[Transaction], bytes]:
    """A mutation that notes `name` and answers it."""
    return lambda tx: once(tx, of, lambda tx: note(name)(tx).encode())


class RequestSuite:
    """`once`."""

    async def test_a_repeat_answers_the_first_answer_and_changes_nothing(self, desk: Desk) -> None:
        assert await desk.write(unit("first", key())) == b"first"
        assert await desk.write(unit("second", key())) == b"first"
        assert await desk.noted() == ["first"]
        assert desk.told == ["first"]

    async def test_another_request_under_the_id_is_refused(self, desk: Desk) -> None:
        await desk.write(unit("first", key()))
        with pytest.raises(RequestIdReused) as refused:
            await desk.write(unit("second", key("another print")))
        assert refused.value.details == {"request_id": "r1"}
        assert await desk.noted() == ["first"]

    async def test_without_an_id_and_under_different_ones_everything_happens(
        self, desk: Desk
    ) -> None:
        await desk.write(unit("a", None))
        await desk.write(unit("b", None))
        await desk.write(unit("c", key(request_id="r1")))
        await desk.write(unit("d", key(request_id="r2")))
        assert await desk.noted() == ["a", "b", "c", "d"]

    async def test_concurrent_duplicates_wait_for_the_first(self, desk: Desk) -> None:
        async with busy_writer(desk):
            tasks = hand_in(*(desk.write(unit(f"n{i}", key())) for i in range(20)))
        assert await asyncio.gather(*tasks) == [b"n0"] * 20
        assert await desk.noted() == ["n0"]

    @pytest.mark.parametrize("fault", [NotFound("session", "x"), ValueError(), Missed()])
    async def test_a_refusal_is_not_stored(self, desk: Desk, fault: Exception) -> None:
        def refuse(_: Transaction) -> bytes:
            raise fault

        with pytest.raises(type(fault)):
            await desk.write(lambda tx: once(tx, key(), refuse))
        assert await desk.write(unit("second", key("another print"))) == b"second"

    async def test_an_answer_is_kept_for_24_hours(self, desk: Desk) -> None:
        await desk.write(unit("first", key()))
        desk.now = Instant(desk.now + DAY - 1)
        assert await desk.write(unit("second", key())) == b"first"
        desk.now = Instant(desk.now + 1)
        assert await desk.write(unit("third", key("another print"))) == b"third"
        assert await desk.write(unit("fourth", key("another print"))) == b"third"

    async def test_only_old_answers_are_forgotten(self, desk: Desk) -> None:
        await desk.write(unit("old", key(request_id="old")))
        desk.now = Instant(desk.now + DAY - 1)
        await desk.write(unit("new", key(request_id="new")))
        assert await desk.write(requests.expire) == 0
        desk.now = Instant(desk.now + 1)
        assert await desk.write(requests.expire) == 1
        left = await desk.read(lambda tx: tx.rows(sql.REQUEST.select()))
        assert [row["request_id"] for row in left] == ["new"]
