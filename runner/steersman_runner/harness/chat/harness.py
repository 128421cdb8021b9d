"""The loop of the chat harness: ask, run the tools, ask again. No API's JSON in here."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steersman.v1.agent_pb2 import Agent
from steersman.v1.item_pb2 import Item
from steersman.v1.turn_pb2 import FAILURE_KIND_PERMANENT, Failure
from steersman_runner.harness.base import Answer, Desk, TurnFailed, Work
from steersman_runner.harness.chat import completions, responses
from steersman_runner.harness.chat.calls import Workshop, answer_calls
from steersman_runner.harness.chat.endpoints import Endpoints
from steersman_runner.harness.chat.failures import MODEL_ERRORS, failure_of
from steersman_runner.harness.chat.history import entries, open_calls
from steersman_runner.harness.chat.model import Ask, ModelAnswer, Question
from steersman_runner.harness.chat.options import options_of
from steersman_runner.harness.chat.settings import ChatSettings, Endpoint, settings_from
from steersman_runner.harness.chat.warmup import warm_up
from steersman_runner.tools import Tool, Toolbox

_APIS: Mapping[str, Ask] = {
    "responses": responses.ask,
    "chat_completions": completions.ask,
}


class _Setup(NamedTuple):
    """What an agent asks for, found on this runner."""

    agent: Agent
    options: Mapping[str, Any]
    ask: Ask
    endpoint: Endpoint
    toolbox: Toolbox
    max_rounds: int


class ChatHarness:
    """Answers turns with a model behind an OpenAI-compatible endpoint.

    `tools` are those that agents may name. Settings unset are read from the
    environment. Every failure of a model ends the turn as TurnFailed: retrying
    has another owner.
    """

    name = "chat"

    def __init__(self, tools: Sequence[Tool] = (), settings: ChatSettings | None = None) -> None:
        self._settings = settings_from(os.environ) if settings is None else settings
        self._toolbox = Toolbox(tools, self._settings.max_output_bytes)
        self._endpoints = Endpoints(self._settings)

    async def aclose(self) -> None:
        """Closes the connections to models."""
        await self._endpoints.aclose()

    async def run(self, work: Work, desk: Desk) -> Answer:
        """One turn; see Harness. Continues from the calls that a lost try left open."""
        setup = self._setup(work.agent)
        workshop = Workshop(
            setup.toolbox, desk, asyncio.Semaphore(self._settings.max_parallel_tools)
        )
        history = list(work.history)
        history += await answer_calls(open_calls(history), work.started_call_ids, workshop)
        for _ in range(work.round, setup.max_rounds):
            answer = await self._ask(setup, history, desk)
            if not answer.calls:
                return Answer(answer.items, answer.usage)
            await desk.round(answer.items, answer.usage)
            history += answer.items
            history += await answer_calls(answer.calls, frozenset(), workshop)
        raise _too_many_rounds(setup.max_rounds)

    async def _ask(self, setup: _Setup, history: Sequence[Item], desk: Desk) -> ModelAnswer:
        question = Question(
            setup.agent.model,
            setup.agent.instructions,
            entries(history),
            list(setup.toolbox),
            setup.options,
        )
        await warm_up()
        client = self._endpoints.client(setup.endpoint)
        try:
            return await setup.ask(client, question, desk.delta)
        except MODEL_ERRORS as error:
            secrets = [setup.endpoint.api_key or ""]
            raise TurnFailed(failure_of(error, secrets)) from error

    def _setup(self, agent: Agent) -> _Setup:
        options = options_of(agent)
        api = str(options.get("api", "responses"))
        if api not in _APIS:
            raise _refused("bad_option", f"options.api is {api!r}; it is one of {sorted(_APIS)}")
        endpoint = self._settings.endpoint(agent.endpoint)
        if endpoint is None:
            raise _refused("unknown_endpoint", _no_endpoint(agent.endpoint))
        if missing := self._toolbox.missing(agent.tools):
            raise _refused("unknown_tool", f"this runner has no tool {', '.join(missing)}")
        limit = agent.max_rounds if agent.HasField("max_rounds") else self._settings.max_rounds
        toolbox = self._toolbox.select(agent.tools)
        return _Setup(agent, options, _APIS[api], endpoint, toolbox, limit)


def _no_endpoint(name: str) -> str:
    if name:
        return f"this runner has no endpoint {name!r}; its STEERSMAN_ENDPOINTS_… settings make one"
    return "this runner has no model endpoint; set OPENAI_BASE_URL or OPENAI_API_KEY for it"


def _refused(code: str, message: str) -> TurnFailed:
    return TurnFailed(Failure(kind=FAILURE_KIND_PERMANENT, code=code, message=message))


def _too_many_rounds(limit: int) -> TurnFailed:
    message = f"the turn had its {limit} model answers and wanted more"
    failure = Failure(
        kind=FAILURE_KIND_PERMANENT, code="max_rounds", message=message, retryable=True
    )
    return TurnFailed(failure, stop_reason="max_rounds")
