"""What a runner may report: a model's answers and the outputs of calls, nothing else."""

import pytest

from steersman.v1 import item_pb2, runner_pb2
from steersman_server.core.refusals import BadRequest
from steersman_server.core.values import Instant, RunnerId
from steersman_server.wire import frames


def reported(progress: runner_pb2.Progress) -> None:
    frames.frame(RunnerId("one"), runner_pb2.RunnerMessage(progress=progress), Instant(1))


def item(kind: item_pb2.ItemType, role: item_pb2.ItemRole | None = None) -> item_pb2.Item:
    return item_pb2.Item(id="item_1", type=kind, role=role)


@pytest.mark.parametrize(
    "said",
    [
        item(item_pb2.ITEM_TYPE_MESSAGE, item_pb2.ITEM_ROLE_USER),
        item(item_pb2.ITEM_TYPE_MESSAGE, item_pb2.ITEM_ROLE_SYSTEM),
        item(item_pb2.ITEM_TYPE_FUNCTION_CALL_OUTPUT),
    ],
)
def test_a_round_holds_only_what_a_model_says(said: item_pb2.Item) -> None:
    committed = runner_pb2.RoundCommitted(round=1, items=[said])
    with pytest.raises(BadRequest, match="not part of a model's answer"):
        reported(runner_pb2.Progress(round=committed))


def test_an_output_is_the_output_of_a_call() -> None:
    with pytest.raises(BadRequest, match="not a function_call_output"):
        reported(runner_pb2.Progress(output=item(item_pb2.ITEM_TYPE_FUNCTION_CALL)))
