"""The client: one server, one token, three namespaces. What they do is theirs."""

from pathlib import Path
from typing import Self

from steersman.agents import Agents
from steersman.runners import Runners
from steersman.sessions import Sessions
from steersman.settings import Timing, find_token, server_address
from steersman.transport import Transport


class Client:
    """A typed client of a Steersman server. Lives on one event loop.

    Unset, the server is STEERSMAN_SERVER or 127.0.0.1:50051, and the token is
    that of `token_file`, of STEERSMAN_TOKEN, or of the data directory. Raises
    OSError when a named token file cannot be read.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        token: str | None = None,
        token_file: str | Path | None = None,
        data_dir: str | Path | None = None,
        timing: Timing = Timing(),  # noqa: B008 - a frozen value
    ) -> None:
        found = find_token(token, token_file, data_dir)
        self._transport = Transport(server_address(server), found, timing)
        self.agents = Agents(self._transport)
        self.sessions = Sessions(self._transport)
        self.runners = Runners(self._transport)

    @property
    def server(self) -> str:
        """The server's address, HOST:PORT."""
        return self._transport.server

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; open watches end with them."""
        await self._transport.close()
