"""Endpoints from the environment, and options by their list."""

import pytest

from steersman.v1.agent_pb2 import Agent
from steersman_runner.harness.chat.options import RESPONSES_OPTIONS, allowed, options_of
from steersman_runner.harness.chat.settings import Endpoint, settings_from

ENVIRONMENT = {
    "OPENAI_BASE_URL": "http://default/v1",
    "OPENAI_API_KEY": "k0",
    "STEERSMAN_ENDPOINTS_LOCAL_GPU_BASE_URL": "http://gpu/v1",
    "STEERSMAN_ENDPOINTS_LOCAL_GPU_API_KEY": "k1",
    "STEERSMAN_ENDPOINTS_OPEN_BASE_URL": "http://open/v1",
    "STEERSMAN_ENDPOINTS_EMPTY_BASE_URL": "",
}


@pytest.mark.parametrize(
    ("name", "endpoint"),
    [
        ("", Endpoint("http://default/v1", "k0")),
        ("local-gpu", Endpoint("http://gpu/v1", "k1")),
        ("Local.GPU", Endpoint("http://gpu/v1", "k1")),
        ("open", Endpoint("http://open/v1", None)),
        ("empty", None),
        ("other", None),
    ],
)
def test_an_agent_names_an_endpoint_and_the_environment_knows_it(
    name: str, endpoint: Endpoint | None
) -> None:
    assert settings_from(ENVIRONMENT).endpoint(name) == endpoint


def test_without_address_and_key_there_is_no_default_endpoint() -> None:
    assert settings_from({}).endpoint("") is None
    assert settings_from({"OPENAI_API_KEY": "k"}).endpoint("") == Endpoint(None, "k")


def test_whole_numbers_of_a_struct_are_ints() -> None:
    agent = Agent()
    agent.options.update({"max_output_tokens": 10, "top_p": 0.5, "reasoning": {"n": [1, 2.5]}})
    assert repr(options_of(agent)["max_output_tokens"]) == "10"
    assert repr(options_of(agent)["reasoning"]) == "{'n': [1, 2.5]}"


def test_options_that_are_not_on_the_list_stay_here() -> None:
    options = {"temperature": 1, "input": "mine", "stream": False, "api": "responses"}
    assert allowed(options, RESPONSES_OPTIONS) == {"temperature": 1}
