"""One way to page through every list. Never knows what is listed."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

Row_co = TypeVar("Row_co", covariant=True)
Row = TypeVar("Row")


class Page(Protocol[Row_co]):
    """What every list RPC answers."""

    @property
    def data(self) -> Sequence[Row_co]: ...
    @property
    def last_id(self) -> str: ...
    @property
    def has_more(self) -> bool: ...


AnyPage = TypeVar("AnyPage")


class Pages(Generic[Row, AnyPage]):
    """A list: iterate it for every row over all pages, or take one `page()`."""

    def __init__(
        self, fetch: Callable[[str], Awaitable[AnyPage]], after: str | None = None
    ) -> None:
        self._fetch = fetch
        self._after = after or ""

    async def page(self) -> AnyPage:
        """The first page alone, as the server answered it."""
        return await self._fetch(self._after)

    async def __aiter__(self) -> AsyncIterator[Row]:
        after, more = self._after, True
        while more:
            page: Page[Row] = await self._fetch(after)  # type: ignore[assignment]
            for row in page.data:
                yield row
            after, more = page.last_id, page.has_more
