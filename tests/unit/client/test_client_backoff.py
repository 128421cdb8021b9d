"""Delays between tries."""

from itertools import islice

from steersman.backoff import CAP, FIRST, delays


def test_the_first_retry_is_quick_and_no_delay_passes_the_cap() -> None:
    for _ in range(50):
        first, *rest = islice(delays(), 12)
        assert FIRST[0] <= first <= FIRST[1]
        assert all(0 < delay <= CAP for delay in rest)


def test_clients_that_lost_one_server_at_once_do_not_come_back_at_once() -> None:
    fifth = {round(list(islice(delays(), 5))[-1], 3) for _ in range(50)}
    assert len(fifth) > 25
