"""Fixtures of the end-to-end tests: one house for those that leave its processes alone."""

from collections.abc import AsyncIterator, Iterator

import pytest
from live_house import House

from steersman_runner.mock import MockModel


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server, a scripted model, and the runner `wide`."""
    with House(tmp_path_factory.mktemp("house")) as opened:
        opened.runner("wide", "--slots", "16").said("runner_connected")
        yield opened


@pytest.fixture
async def mock(house: House) -> AsyncIterator[MockModel]:
    """The house's scripted model; what is parked at its gate when the test ends is let go."""
    async with MockModel(house.mock_url) as model:
        yield model
        await model.release()
