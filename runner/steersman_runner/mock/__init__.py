"""mock-model: a model endpoint that answers from a script. What users' tests import."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steersman_runner.mock.client import MockModel
    from steersman_runner.mock.server import running_mock_model

__all__ = ["MockModel", "running_mock_model"]


def __getattr__(name: str) -> Any:
    # Looked up late: the command line imports this package to list its command,
    # and must not load a web server for that.
    if name == "MockModel":
        from steersman_runner.mock.client import MockModel

        return MockModel
    if name == "running_mock_model":
        from steersman_runner.mock.server import running_mock_model

        return running_mock_model
    raise AttributeError(name)
