"""Two tools to try a runner with (`--tools steersman_runner.tools.demo`), without effects."""

from datetime import UTC, datetime

from steersman_runner.tools.tool import tool


@tool
def word_count(text: str) -> int:
    """Counts the words of a text.

    Args:
        text: What to count in.
    """
    return len(text.split())


@tool
def clock() -> str:
    """Tells the time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
