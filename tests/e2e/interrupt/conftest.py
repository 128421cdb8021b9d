"""Fixtures of the interrupt stories with real processes: one house that is left alone."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from live_house import House
from live_scene import Stage, set_up

# The rules of a log stand beside the property test.
sys.path.append(str(Path(__file__).parents[2] / "property"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    with House(tmp_path_factory.mktemp("interrupts"), interrupt_grace=20) as house:
        tools = ("--tools", "interrupt.interrupt_tools")
        house.runner("busy", "--slots", "8", *tools).said("runner_connected")
        async with set_up(house) as opened:
            yield opened
