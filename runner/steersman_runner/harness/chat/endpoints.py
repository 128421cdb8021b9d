"""One SDK client for each endpoint, kept so that connections are used again."""

from openai import AsyncOpenAI, Timeout

from steersman_runner.harness.chat.settings import ChatSettings, Endpoint

_OPENAI = "https://api.openai.com/v1"
# The SDK wants a key; servers of one's own mostly want none.
_NO_KEY = "none"


class Endpoints:
    """The clients of one process."""

    def __init__(self, settings: ChatSettings) -> None:
        self._timeout = Timeout(settings.read_timeout, connect=settings.connect_timeout)
        self._clients: dict[Endpoint, AsyncOpenAI] = {}

    def client(self, endpoint: Endpoint) -> AsyncOpenAI:
        """The endpoint's client; it retries nothing."""
        if endpoint not in self._clients:
            self._clients[endpoint] = AsyncOpenAI(
                base_url=endpoint.base_url or _OPENAI,
                api_key=endpoint.api_key or _NO_KEY,
                max_retries=0,
                timeout=self._timeout,
            )
        return self._clients[endpoint]

    async def aclose(self) -> None:
        """Closes every connection; a later turn opens new ones."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()
