"""Titles and labels: what people put on sessions, and how much of it."""

from collections.abc import Mapping
from typing import Final

from steersman_server.core.refusals import BadRequest

TITLE_LIMIT: Final = 500
LABELS_LIMIT: Final = 64
LABEL_LENGTH: Final = 256


def check_title(title: str, field: str = "title") -> None:
    """Raises BadRequest for a title over 500 characters."""
    if len(title) > TITLE_LIMIT:
        raise BadRequest(field, f"has {len(title)} characters, the limit is {TITLE_LIMIT}")


def check_labels(field: str, labels: Mapping[str, str]) -> None:
    """Raises BadRequest for more than 64 labels, an empty name, or one over 256 characters."""
    if len(labels) > LABELS_LIMIT:
        raise BadRequest(field, f"has {len(labels)} entries, the limit is {LABELS_LIMIT}")
    for name, value in labels.items():
        if not name:
            raise BadRequest(field, "has an empty name")
        if '"' in name or "\\" in name:
            raise BadRequest(field, "names must not hold quotes or backslashes")
        if len(name) > LABEL_LENGTH or len(value) > LABEL_LENGTH:
            raise BadRequest(field, f"names and values have at most {LABEL_LENGTH} characters")
