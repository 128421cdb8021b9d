"""Fixtures of the client's tests: a fake server and a client of it."""

from collections.abc import AsyncIterator

import pytest
from fake_steersman import FakeServer, running_fake

import steersman

QUICK = steersman.Timing(deadline=10, retry=5, silence=10)


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with running_fake() as fake:
        yield fake


@pytest.fixture
async def client(server: FakeServer) -> AsyncIterator[steersman.Client]:
    async with steersman.Client(server.address, token="secret", timing=QUICK) as opened:
        yield opened
