"""Core enums ⇄ proto enums. The names agree but for the prefix; a test compares them."""

from enum import StrEnum
from typing import Any

from steersman_server.core.refusals import BadRequest


class EnumPair:
    """A core enum and its proto twin: `running` ⇄ `TURN_STATE_RUNNING` ⇄ 3."""

    def __init__(self, core: type[StrEnum], proto: Any, prefix: str) -> None:
        self.core = core
        self.proto = proto
        self.prefix = prefix
        self._numbers = {member: proto.Value(prefix + member.name) for member in core}
        self._members = {number: member for member, number in self._numbers.items()}

    def number(self, member: StrEnum) -> Any:
        return self._numbers[member]

    def member(self, field: str, number: int) -> Any:
        """The core member; raises BadRequest for a number that is not one."""
        try:
            return self._members[number]
        except KeyError:
            raise BadRequest(field, f"takes one of: {', '.join(self.core)}") from None

    def member_or(self, field: str, number: int, default: Any) -> Any:
        """The core member, or `default` where the field is unset."""
        return default if number == 0 else self.member(field, number)
