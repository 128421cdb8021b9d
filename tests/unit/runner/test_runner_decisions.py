"""What a runner decides without a stream: verdicts, chunks, waits, refusals, names, tokens."""

from pathlib import Path

import grpc
import pytest

from steersman.v1.agent_pb2 import Agent
from steersman.v1.item_pb2 import ITEM_TYPE_FUNCTION_CALL_OUTPUT, Item
from steersman.v1.runner_pb2 import StartTurn, Verdict, Welcome
from steersman_runner.engine.chunks import StartChunks
from steersman_runner.engine.reconcile import reconcile
from steersman_runner.engine.reports import cut_output
from steersman_runner.errors import LinkEnd, LinkLost, LinkRefused
from steersman_runner.ids import new_id
from steersman_runner.reconnect import Backoff, verdict_on
from steersman_runner.settings import checked_runner_id, default_runner_id, find_token
from steersman_runner.terms import Terms, terms_of


def test_only_turns_named_with_their_epoch_are_kept() -> None:
    held = {"kept": 1, "dropped": 1, "unnamed": 1, "moved": 2}
    verdicts = [
        Verdict(turn_id="kept", epoch=1, keep=True, acknowledged=4),
        Verdict(turn_id="dropped", epoch=1),
        Verdict(turn_id="moved", epoch=1, keep=True),
        Verdict(turn_id="never held", epoch=1, keep=True),
    ]
    keep, drop = reconcile(held, verdicts)
    assert keep == {"kept": 4}
    assert drop == {"dropped", "unnamed", "moved"}


def test_chunks_of_an_older_epoch_do_not_mix_with_the_newer_one() -> None:
    chunks = StartChunks()
    old = StartTurn(turn_id="t", epoch=1, history=[Item(id="old")], more=True)
    assert chunks.add(old) is None
    whole = chunks.add(StartTurn(turn_id="t", epoch=2, history=[Item(id="new")], agent=Agent()))
    assert whole is not None
    assert [item.id for item in whole.history] == ["new"]


def test_waits_double_up_to_the_cap_and_start_anew_after_a_link_stood() -> None:
    backoff = Backoff(first=(0.05, 0.25), cap=5.0, draw=lambda low, high: high)
    assert [backoff.next() for _ in range(7)] == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0]
    backoff.reset()
    assert backoff.window() == (0.05, 0.25)


def test_a_wait_lies_anywhere_in_its_window() -> None:
    waits = [Backoff((0.05, 0.25), 5.0).next() for _ in range(200)]
    assert all(0.05 <= wait <= 0.25 for wait in waits)
    assert max(waits) - min(waits) > 0.1


def test_many_failures_do_not_overflow_the_window() -> None:
    backoff = Backoff((0.05, 0.25), 5.0, draw=lambda low, high: high)
    assert [backoff.next() for _ in range(3000)][-1] == 5.0


@pytest.mark.parametrize("code", list(grpc.StatusCode))
def test_exactly_the_listed_codes_are_unrecoverable(code: grpc.StatusCode) -> None:
    fatal = {"UNAUTHENTICATED", "PERMISSION_DENIED", "UNIMPLEMENTED"}
    end = verdict_on(LinkEnd(code, code.name.lower(), "m"))
    assert isinstance(end, LinkRefused if code.name in fatal else LinkLost)


def test_a_failed_precondition_is_unrecoverable_for_a_protocol_mismatch_only() -> None:
    code = grpc.StatusCode.FAILED_PRECONDITION
    assert isinstance(verdict_on(LinkEnd(code, "protocol_mismatch", "m")), LinkRefused)
    assert isinstance(verdict_on(LinkEnd(code, "session_busy", "m")), LinkLost)


def test_what_a_welcome_leaves_unset_keeps_its_default() -> None:
    assert terms_of(Welcome()) == Terms()
    welcome = Welcome()
    welcome.isolation_limit.FromMilliseconds(1500)
    assert terms_of(welcome).isolation_limit == 1.5


def test_an_output_is_cut_between_two_characters_and_marked() -> None:
    item = Item(type=ITEM_TYPE_FUNCTION_CALL_OUTPUT, output="ab\N{EURO SIGN}")
    cut_output(item, 5)
    assert (item.output, item.truncated) == ("ab\N{EURO SIGN}", False)
    cut_output(item, 4)
    assert (item.output, item.truncated) == ("ab", True)


def test_a_made_up_runner_id_is_one_that_servers_take() -> None:
    for host in ("Build_Host.Example.ORG", "-x", "", "h" * 100):
        made = default_runner_id(host, 4_194_304)
        assert checked_runner_id(made) == made
        assert made.endswith("-4194304")


@pytest.mark.parametrize("name", ["", "Upper", "-x", "a" * 64, "a b", "a\n"])
def test_a_runner_id_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="runner id"):
        checked_runner_id(name)


def test_the_token_is_the_files_then_the_environments_then_the_data_directorys(
    tmp_path: Path,
) -> None:
    (tmp_path / "tokens").mkdir()
    (tmp_path / "tokens" / "runner").write_text("local\n")
    named = tmp_path / "named"
    named.write_text("named\n")
    environment = {"STEERSMAN_TOKEN": "environment"}
    assert find_token(named, tmp_path, environment) == "named"
    assert find_token(None, tmp_path, environment) == "environment"
    assert find_token(None, tmp_path, {}) == "local"
    assert find_token(None, None, {"STEERSMAN_DATA_DIR": str(tmp_path)}) == "local"
    assert find_token(None, tmp_path / "nowhere", {}) is None


def test_ids_are_prefixed_unique_and_sort_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = []
    for milliseconds in (1, 2, 31, 32, 1_800_000_000_000):
        monkeypatch.setattr("time.time_ns", lambda at=milliseconds: at * 1_000_000)
        ids.append(new_id("item"))
    assert ids == sorted(ids)
    assert all(made.startswith("item_") and len(made) == 5 + 26 for made in ids)
    assert new_id("item") != new_id("item")
