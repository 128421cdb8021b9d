"""The routes of mock-model: the two model APIs and the control of the script."""

import time
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from steersman_runner.mock import chat_api, responses_api
from steersman_runner.mock.delivery import Delivery, Exchanges
from steersman_runner.mock.gate import Gate
from steersman_runner.mock.ledger import Ledger
from steersman_runner.mock.request import Api, BadRequest, parse_request
from steersman_runner.mock.script import BadConfiguration, parse_configuration

_RENDER = {"responses": responses_api.render, "chat_completions": chat_api.render}
_LONGEST_POLL = 60.0


class Mock:
    """One mock-model: its ledger, its gate, and the requests that it is answering."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.gate = Gate()
        self.exchanges = Exchanges(self.gate)
        self._received = 0

    def app(self) -> Starlette:
        """The ASGI application."""
        return Starlette(
            routes=[
                Route("/v1/responses", self._responses, methods=["POST"]),
                Route("/v1/chat/completions", self._chat_completions, methods=["POST"]),
                Route("/v1/models", self._models),
                Route("/mock/configure", self._configure, methods=["POST"]),
                Route("/mock/reset", self._reset, methods=["POST"]),
                Route("/mock/requests", self._requests),
                Route("/gate/pending", self._pending),
                Route("/gate/release", self._release, methods=["POST"]),
                Route("/healthz", self._healthz),
            ]
        )

    def close(self) -> None:
        """Cuts off what is in flight, and holds nobody from now on."""
        self.exchanges.close()
        self.gate.changes.close()

    async def _responses(self, request: Request) -> Response:
        return self._answer("responses", await request.body())

    async def _chat_completions(self, request: Request) -> Response:
        return self._answer("chat_completions", await request.body())

    def _answer(self, api: Api, body: bytes) -> Response:
        try:
            request = parse_request(api, body)
        except BadRequest as fault:
            return _bad_request(str(fault))
        self._received += 1
        script, record = self.ledger.take(request)
        reply = _RENDER[api](request, script, self._received)
        record.status_code = reply.status_code
        return Delivery(self.exchanges, script, reply, record)

    async def _models(self, _request: Request) -> Response:
        created = int(time.time())
        fixed = {"object": "model", "created": created, "owned_by": "mock-model"}
        models = [{"id": key} | fixed for key in self.ledger.models()]
        return _json({"object": "list", "data": models})

    async def _configure(self, request: Request) -> Response:
        try:
            configuration = parse_configuration(await request.body())
        except BadConfiguration as fault:
            return _bad_request(str(fault))
        self.ledger.configure(configuration)
        return _json({"key": configuration.key, "responses": len(configuration.responses)})

    async def _reset(self, _request: Request) -> Response:
        self.exchanges.cut()
        self.ledger.reset()
        return _json({})

    async def _requests(self, request: Request) -> Response:
        key = request.query_params.get("key")
        try:
            at_least, timeout = _wait_of(request, "closed_at_least")
        except BadRequest as fault:
            return _bad_request(str(fault))
        await self.gate.changes.until(lambda: self.ledger.closed(key) >= at_least, timeout)
        return _json({"requests": [record.as_json() for record in self.ledger.records(key)]})

    async def _pending(self, request: Request) -> Response:
        try:
            at_least, timeout = _wait_of(request, "at_least")
        except BadRequest as fault:
            return _bad_request(str(fault))
        await self.gate.changes.until(lambda: self.gate.pending >= at_least, timeout)
        return _json({"pending": self.gate.pending})

    async def _release(self, _request: Request) -> Response:
        return _json({"released": self.gate.release()})

    async def _healthz(self, _request: Request) -> Response:
        return PlainTextResponse("ok\n")


def _wait_of(request: Request, name: str) -> tuple[int, float]:
    try:
        at_least = int(request.query_params.get(name, "0"))
        timeout = float(request.query_params.get("timeout", "5"))
    except ValueError:
        raise BadRequest(f"{name} is a whole number and timeout is in seconds") from None
    return at_least, min(timeout, _LONGEST_POLL)


def _json(body: dict[str, Any]) -> Response:
    return Response(orjson.dumps(body), media_type="application/json")


def _bad_request(message: str) -> Response:
    fault = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Response(orjson.dumps({"error": fault}), status_code=400, media_type="application/json")
