"""The harness `chat`: our own loop over any OpenAI-compatible endpoint."""

from steersman_runner.harness.chat.harness import ChatHarness
from steersman_runner.harness.chat.settings import ChatSettings, Endpoint

__all__ = ["ChatHarness", "ChatSettings", "Endpoint"]
