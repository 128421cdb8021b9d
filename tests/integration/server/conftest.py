"""Fixtures of the server's tests: one server for each module that can share it."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
import structlog
from server_house import House, running_house


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with running_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def plain_logs() -> Iterator[None]:
    """Logs without drawn tracebacks, which take seconds."""
    console = structlog.dev.ConsoleRenderer(
        colors=False, exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(processors=[structlog.processors.add_log_level, console])
    yield
    structlog.reset_defaults()
