"""The store suite. A backend passes it by a subclass whose fixture `url` names a fresh database."""

from collections.abc import AsyncIterator

import pytest
from store_desk import Desk
from suite_commits import CommitSuite
from suite_guards import GuardSuite
from suite_log import LogSuite
from suite_pages import PageSuite
from suite_requests import RequestSuite
from suite_rows import RowsSuite
from suite_tenants import TenantSuite


class StoreSuite(
    RowsSuite, CommitSuite, GuardSuite, PageSuite, TenantSuite, LogSuite, RequestSuite
):
    """Every rule that holds on every database."""

    @pytest.fixture
    async def desk(self, url: str) -> AsyncIterator[Desk]:
        desk = Desk(url)
        yield desk
        await desk.store.close()
