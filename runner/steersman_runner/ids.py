"""Ids that a runner gives to items. Ids that the server gives never come from here."""

import secrets
import time

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80
_LENGTH = 26


def new_id(prefix: str) -> str:
    """A fresh id: the prefix, `_`, and a ULID (26 Crockford digits) that sorts by millisecond."""
    value = (time.time_ns() // 1_000_000) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    return f"{prefix}_{_encode(value)}"


def _encode(value: int) -> str:
    shifts = range(5 * (_LENGTH - 1), -1, -5)
    return "".join(_CROCKFORD[value >> shift & 31] for shift in shifts)
