"""Who is calling: tokens are looked up by id and compared by digest in constant time."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final

from steersman_server.core.refusals import Unauthenticated
from steersman_server.core.values import Caller, Instant
from steersman_server.store import tokens
from steersman_server.store.store import Store
from steersman_server.store.tokens import Token

PREFIX: Final = "stm"
REMEMBERED: Final = 5.0
"""Seconds for which a token's record is not read again; a revocation takes this long."""


def digest(secret: str) -> str:
    """SHA-256 in hex. Secrets are 256 random bits, so nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_token(caller: Caller, now: Instant) -> tuple[Token, str]:
    """A token to store, and the text that its owner keeps: `stm_<id>_<secret>`."""
    token_id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
    token = Token(id=token_id, caller=caller, digest=digest(secret), created_at=now)
    return token, f"{PREFIX}_{token_id}_{secret}"


class TokenBook:
    """Finds the caller behind an `authorization` header."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[str, tuple[float, Token]] = {}

    async def caller(self, authorization: str | None) -> Caller:
        """Raises Unauthenticated; its message never says which part was wrong."""
        if not authorization:
            raise Unauthenticated("no token; send 'authorization: Bearer <token>'")
        scheme, _, text = authorization.partition(" ")
        parts = text.strip().split("_", 2)
        if scheme.lower() != "bearer" or len(parts) != 3 or parts[0] != PREFIX:
            raise Unauthenticated("not a token of ours")
        token = await self._token(parts[1])
        stored = "" if token is None else token.digest
        if not hmac.compare_digest(digest(parts[2]), stored) or token is None:
            raise Unauthenticated("unknown token")
        if token.revoked_at is not None:
            raise Unauthenticated("the token was revoked")
        return token.caller

    async def _token(self, token_id: str) -> Token | None:
        known = self._known.get(token_id)
        if known is not None and self._clock() - known[0] < REMEMBERED:
            return known[1]
        token = await self._store.read(lambda tx: tokens.find(tx, token_id))
        if token is None:
            self._known.pop(token_id, None)
        else:
            self._known[token_id] = (self._clock(), token)
        return token
