"""mock-model: a model endpoint that answers from a script. What users' tests import."""

from steersman_runner.mock.client import MockModel
from steersman_runner.mock.server import running_mock_model

__all__ = ["MockModel", "running_mock_model"]
