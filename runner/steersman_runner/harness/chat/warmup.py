"""Makes the model SDK build its types before a turn needs them. Reaches no network."""

import asyncio
import threading

import httpx2
from openai import OpenAI

_ONE_OF_EACH = {
    "/v1/responses": (
        b'data: {"type":"response.completed","sequence_number":0,"response":'
        b'{"id":"r","output":[{"type":"message","content":[]}]}}\n\n'
    ),
    "/v1/chat/completions": b'data: {"id":"c","choices":[]}\n\n',
}
_lock = threading.Lock()
_done = threading.Event()


async def warm_up() -> None:
    """Returns once the types are there; later calls return at once.

    The first event of a process takes the SDK more than a second, in which a
    busy event loop would miss stops and heartbeats.
    """
    if not _done.is_set():
        await asyncio.to_thread(_build)


def _build() -> None:
    with _lock:
        if _done.is_set():
            return
        transport = httpx2.MockTransport(_answer)
        with httpx2.Client(transport=transport) as http:
            sdk = OpenAI(base_url="http://localhost/v1", api_key="none", http_client=http)
            list(sdk.responses.create(model="none", input="", stream=True))
            list(sdk.chat.completions.create(model="none", messages=[], stream=True))
        _done.set()


def _answer(request: httpx2.Request) -> httpx2.Response:
    headers = {"content-type": "text/event-stream"}
    return httpx2.Response(200, headers=headers, content=_ONE_OF_EACH[request.url.path])
