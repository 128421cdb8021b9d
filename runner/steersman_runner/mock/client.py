"""The control of a mock-model from a test: typed calls for its /mock and /gate routes."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx2

_POLL_MARGIN = 5.0


class MockModel:
    """Scripts a mock-model and reads what it saw.

    Takes its base URL, with or without `/v1`. A call that the mock refuses raises
    ValueError with the mock's words. Close it, or use it as a context manager.
    """

    def __init__(self, base_url: str) -> None:
        self._root = base_url.rstrip("/").removesuffix("/v1")
        # Plain HTTP needs no certificates, and loading them takes 100 ms.
        self._http = httpx2.AsyncClient(base_url=self._root, trust_env=False, verify=False)

    @property
    def base_url(self) -> str:
        """What a model SDK takes as its base URL."""
        return f"{self._root}/v1"

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def configure(
        self, key: str, *responses: Mapping[str, object], match: str | None = None
    ) -> None:
        """Replaces the queue of a model, or the one for user texts that contain `match`."""
        body: dict[str, object] = {"key": key, "responses": list(responses)}
        await self._post("/mock/configure", body if match is None else body | {"match": match})

    async def reset(self) -> None:
        """Forgets queues and records, and cuts off what is in flight."""
        await self._post("/mock/reset")

    async def release(self) -> int:
        """Frees all requests at the gate; answers how many."""
        return int((await self._post("/gate/release"))["released"])

    async def pending(self) -> int:
        """How many requests wait at the gate."""
        return int((await self._get("/gate/pending"))["pending"])

    async def wait_for_pending(self, at_least: int = 1, timeout: float = 5.0) -> None:
        """Returns once so many requests wait at the gate. Raises TimeoutError."""
        seen = await self._get("/gate/pending", {"at_least": str(at_least)}, timeout)
        if seen["pending"] < at_least:
            raise TimeoutError(f"{seen['pending']} of {at_least} requests came to the gate")

    async def requests(self, key: str | None = None) -> Sequence[Mapping[str, Any]]:
        """The records of all requests, or of one model's, in the order of arrival."""
        found: list[dict[str, Any]] = (await self._get("/mock/requests", _key(key)))["requests"]
        return found

    async def wait_for_closed(
        self, at_least: int = 1, key: str | None = None, timeout: float = 5.0
    ) -> Sequence[Mapping[str, Any]]:
        """The records, once so many of them have ended. Raises TimeoutError."""
        query = {"closed_at_least": str(at_least)} | _key(key)
        found: list[dict[str, Any]] = (await self._get("/mock/requests", query, timeout))[
            "requests"
        ]
        closed = sum(record["closed"] is not None for record in found)
        if closed < at_least:
            raise TimeoutError(f"{closed} of {at_least} requests have ended")
        return found

    async def _get(
        self, path: str, query: Mapping[str, str] | None = None, timeout: float = 0.0
    ) -> dict[str, Any]:
        params = {**(query or {}), "timeout": str(timeout)}
        answer = await self._http.get(path, params=params, timeout=timeout + _POLL_MARGIN)
        return _body(answer)

    async def _post(self, path: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
        return _body(await self._http.post(path, json=body))


def _key(key: str | None) -> dict[str, str]:
    return {} if key is None else {"key": key}


def _body(answer: httpx2.Response) -> dict[str, Any]:
    if answer.status_code == 400:
        raise ValueError(answer.json()["error"]["message"])
    answer.raise_for_status()
    body: dict[str, Any] = answer.json()
    return body
