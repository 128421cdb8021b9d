"""Fixtures of the interrupt stories: one server for each module that can share it."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

TESTS = Path(__file__).parents[2]
# The helpers that these stories share with the tests beside them.
for folder in ("integration/server", "property"):
    sys.path.append(str(TESTS / folder))

from server_house import House, running_house  # noqa: E402


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with running_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def hasty(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A server that forces soon."""
    async with running_house(tmp_path_factory.mktemp("hasty"), interrupt_grace=0.3) as opened:
        yield opened
