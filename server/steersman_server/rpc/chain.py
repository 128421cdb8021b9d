"""The chain every call goes through, whichever door it came in by: who calls, may
they, what is refused, what is logged. No door can skip it."""

import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

import structlog

from steersman_server.core.call import Call
from steersman_server.core.refusals import Draining, PermissionDenied, Refusal
from steersman_server.core.values import Caller
from steersman_server.rpc.auth import TokenBook
from steersman_server.rpc.methods import Method
from steersman_server.wire.refusals import Internal

log = structlog.get_logger()


class Chain:
    """Runs services for callers. A call ends with an answer or a Refusal, nothing else."""

    def __init__(self, tokens: TokenBook) -> None:
        self._tokens = tokens
        self.draining = False

    async def unary(
        self, method: Method, service: Any, request: Any, call_facts: "CallFacts"
    ) -> Any:
        """Raises Refusal."""
        with self._guard(method, call_facts):
            call = await self._call(method, call_facts)
            return await getattr(service, method.name)(request, call)

    async def stream(
        self, method: Method, service: Any, request: Any, call_facts: "CallFacts"
    ) -> AsyncGenerator[Any, None]:
        """`request` is a message, or an iterator of them. Raises Refusal."""
        with self._guard(method, call_facts):
            call = await self._call(method, call_facts)
            async for response in getattr(service, method.name)(request, call):
                yield response

    async def _call(self, method: Method, facts: "CallFacts") -> Call:
        caller = await self._tokens.caller(facts.metadata.get("authorization"))
        authorize(caller, method)
        if self.draining:
            raise Draining()
        return Call(caller, method.path, facts.peer, facts.correlation_id, facts.time_left)

    @contextmanager
    def _guard(self, method: Method, facts: "CallFacts") -> Iterator[None]:
        began = time.perf_counter()
        outcome = "ok"
        try:
            yield
        except Refusal as refusal:
            outcome = refusal.reason
            raise
        except Exception as fault:
            # What went wrong stays here; outside, only the id under which to look.
            outcome = "internal"
            log.exception("call_failed", method=method.path, correlation_id=facts.correlation_id)
            raise Internal(facts.correlation_id) from fault
        finally:
            log.debug(
                "call",
                method=method.path,
                outcome=outcome,
                milliseconds=round((time.perf_counter() - began) * 1000, 2),
                correlation_id=facts.correlation_id,
            )


class CallFacts:
    """What a door knows of a call before anybody has looked at it."""

    def __init__(
        self, metadata: Mapping[str, str], peer: str, time_left: float | None = None
    ) -> None:
        self.metadata = metadata
        self.peer = peer
        self.time_left = time_left
        self.correlation_id = token_hex(8)


def authorize(caller: Caller, method: Method) -> None:
    """Raises PermissionDenied unless the caller's role is one of the method's."""
    if caller.role not in method.roles:
        raise PermissionDenied(caller.role, method.name, sorted(method.roles))
