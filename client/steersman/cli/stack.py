"""The processes of `dev`, in the order that they need each other. Prints nothing."""

import asyncio
import os
from pathlib import Path
from typing import NamedTuple, NoReturn

from steersman.cli.children import Child, unless
from steersman.client import Client
from steersman.errors import NotFound
from steersman.v1.agent_pb2 import Agent

AGENT = "assistant"
RUNNER = "dev"
TOOLS = "steersman_runner.tools.demo"
MOCK_MODEL = "mock"
REAL_MODEL = "gpt-5-mini"
INSTRUCTIONS = (
    "You are a helpful assistant. Answer in plain text, briefly unless asked otherwise."
    " Use word_count whenever words are to be counted."
)


class Running(NamedTuple):
    """What is up, and where."""

    server: str
    data_dir: Path
    # The scripted model's address, None with a real endpoint.
    mock: str | None

    def token_file(self, name: str) -> Path:
        """The file of a token that the server made."""
        return self.data_dir / "tokens" / name


class Stack:
    """A server, a scripted model unless an endpoint is configured, and one runner."""

    def __init__(self, data_dir: Path, listen: str) -> None:
        self._data_dir = data_dir
        self._listen = listen
        self._children: list[Child] = []

    async def start(self) -> Running:
        """Start each when what it needs is ready. Raises ChildDied, SteersmanError."""
        server = await self._serve()
        mock = None if real_endpoint() else await self._mock_model()
        running = Running(server, self._data_dir, mock)
        await self._runner(running)
        return running

    async def death(self) -> NoReturn:
        """Raises ChildDied as soon as any of them ends."""
        deaths = [asyncio.create_task(child.death()) for child in self._children]
        try:
            await asyncio.wait(deaths, return_when=asyncio.FIRST_COMPLETED)
            raise next(error for death in deaths if death.done() and (error := death.exception()))
        finally:
            for death in deaths:
                death.cancel()

    async def stop(self) -> None:
        """Stop them, the last started first."""
        while self._children:
            await self._children.pop().stop()

    async def _serve(self) -> str:
        arguments = ["--listen", self._listen, "--data-dir", str(self._data_dir), "--json"]
        return await self._ready("serve", arguments, {}, "serving", self._listen)

    async def _mock_model(self) -> str:
        arguments = ["--listen", "127.0.0.1:0", "--json"]
        return await self._ready("mock-model", arguments, {}, "mock_model_ready", "")

    async def _runner(self, running: Running) -> None:
        arguments = [
            *("--server", running.server, "--id", RUNNER, "--tools", TOOLS, "--json"),
            *("--token-file", str(running.token_file("runner"))),
        ]
        env = {}
        if running.mock:
            env = {"OPENAI_BASE_URL": f"http://{running.mock}/v1", "OPENAI_API_KEY": "mock"}
        await self._ready("runner", arguments, env, "runner_connected", "")

    async def _ready(
        self, name: str, arguments: list[str], env: dict[str, str], event: str, address: str
    ) -> str:
        """Start a child; the address that it says when it is ready."""
        child = Child(name, self._data_dir / "logs" / f"{name}.log")
        self._children.append(child)
        await child.start(arguments, env)
        said = await unless(self.death(), child.said(event))
        return str(said.get("address") or address)


def real_endpoint() -> bool:
    """Whether the environment names a model endpoint."""
    return bool(os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY"))


async def ensure_agent(client: Client) -> Agent:
    """The agent of `dev`: made when missing, its model that of this start.

    A model that somebody chose for it stays, unless OPENAI_MODEL says otherwise.
    """
    chosen = os.environ.get("OPENAI_MODEL", "")
    model = chosen or (REAL_MODEL if real_endpoint() else MOCK_MODEL)
    try:
        agent = await client.agents.get(AGENT)
    except NotFound:
        return await client.agents.create(
            AGENT, harness="chat", model=model, instructions=INSTRUCTIONS, tools=["word_count"]
        )
    if agent.model != model and (chosen or agent.model == MOCK_MODEL):
        return await client.agents.update(AGENT, etag=agent.etag, model=model)
    return agent
