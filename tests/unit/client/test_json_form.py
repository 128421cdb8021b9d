"""Messages as JSON."""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

import steersman
from steersman.v1.agent_pb2 import Agent, RetryPolicy
from steersman.v1.event_pb2 import Event
from steersman.v1.item_pb2 import Item
from steersman.v1.turn_pb2 import Turn


def test_enums_are_short_words_and_64_bit_integers_are_numbers() -> None:
    document = steersman.to_json(Turn(state="TURN_STATE_RUNNING", epoch=2**53))
    assert document["state"] == "running"
    assert document["epoch"] == 2**53


def test_fields_without_presence_are_always_there_and_unset_optional_ones_never() -> None:
    document = steersman.to_json(Turn(id="turn_1"))
    assert document["blocked_reason"] == ""
    assert document["active"] is False
    assert "runner_id" not in document
    assert "error" not in document
    assert steersman.to_json(Turn(runner_id=""))["runner_id"] == ""


def test_times_are_rfc_3339_and_durations_seconds() -> None:
    policy = RetryPolicy(delays=[Duration(seconds=1, nanos=500_000_000)])
    agent = Agent(retry=policy, created_at=Timestamp(seconds=0))
    document = steersman.to_json(agent)
    assert document["created_at"] == "1970-01-01T00:00:00Z"
    assert document["retry"]["delays"] == ["1.500s"]


def test_maps_and_free_form_options_are_objects() -> None:
    options = Struct()
    options.update({"temperature": 0.5, "api": "responses"})
    document = steersman.to_json(Agent(options=options, selector={"zone": "b", "gpu": "1"}))
    assert document["options"] == {"temperature": 0.5, "api": "responses"}
    assert list(document["selector"].items()) == [("gpu", "1"), ("zone", "b")]


def test_of_a_oneof_only_what_is_set_is_there() -> None:
    document = steersman.to_json(Event(sequence=1, item=Item(id="item_1")))
    assert document["item"]["id"] == "item_1"
    assert "turn" not in document
