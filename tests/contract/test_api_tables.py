"""What exists twice is compared: enums, reasons, roles, and the generated modules."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import steersman.v1
from steersman.v1 import options_pb2
from steersman_server.core.refusals import BadRequest
from steersman_server.core.values import Role
from steersman_server.rpc.methods import SERVICES, Method, methods
from steersman_server.wire import pairs
from steersman_server.wire.enums import EnumPair
from steersman_server.wire.refusals import STATUS, StatusOf

GENERATED: Final = Path(next(iter(steersman.v1.__path__)))
PROTOS: Final = GENERATED.parents[2] / "protos"

# behaviour.md §8, row by row: reasons, the google.rpc.Code, the HTTP status.
TABLE: Final = (
    ("bad_request request_id_reused invalid_cursor", 3, 400),
    ("message_too_large", 3, 413),
    ("unauthenticated", 16, 401),
    ("permission_denied untrusted_origin", 7, 403),
    ("not_found", 5, 404),
    ("method_not_allowed", 12, 405),
    ("already_exists", 6, 409),
    (
        "session_busy turn_not_active nothing_to_retry delegation_record_stale"
        " delegation_in_flight session_archived protocol_mismatch",
        9,
        409,
    ),
    ("lease_lost version_conflict", 10, 409),
    ("queue_full delegation_budget_exhausted rate_limited", 8, 429),
    ("no_eligible_runner draining store_unavailable", 14, 503),
    ("deadline_exceeded", 4, 504),
    ("internal", 13, 500),
)


def name_of(pair: EnumPair) -> str:
    return pair.core.__name__


@pytest.mark.parametrize("pair", pairs.ALL, ids=name_of)
def test_the_two_enums_of_a_pair_have_the_same_members(pair: EnumPair) -> None:
    ours = {pair.prefix + member.name for member in pair.core}
    theirs = {value.name for value in pair.proto.DESCRIPTOR.values if value.number != 0}
    assert ours == theirs


@pytest.mark.parametrize("pair", pairs.ALL, ids=name_of)
def test_a_member_and_its_number_find_each_other_and_zero_is_unspecified(pair: EnumPair) -> None:
    for member in pair.core:
        assert member.value == member.name.lower()
        assert pair.member("field", pair.number(member)) is member
    assert pair.proto.Name(0) == f"{pair.prefix}UNSPECIFIED"
    with pytest.raises(BadRequest):
        pair.member("field", 0)
    with pytest.raises(BadRequest):
        pair.member_or("field", 999, None)


def test_every_enum_of_the_api_that_the_core_has_too_is_a_pair() -> None:
    """The enums without a twin are named, so that a new one is not forgotten."""
    paired = {pair.proto.DESCRIPTOR.full_name for pair in pairs.ALL}
    alone = {"Reason", "InterruptWait", "QueuedInputs", "Order", "TurnOutcome"}
    declared = {
        enum.full_name
        for module in _modules()
        for enum in module.DESCRIPTOR.enum_types_by_name.values()
    }
    assert {name.rpartition(".")[2] for name in declared - paired} == alone


def _modules() -> list[Any]:
    names = sorted(path.stem for path in GENERATED.glob("*_pb2.py"))
    return [getattr(__import__("steersman.v1", fromlist=[name]), name) for name in names]


def test_reasons_have_the_code_and_the_http_status_of_the_specification() -> None:
    expected = {
        reason: StatusOf(code, http) for reasons, code, http in TABLE for reason in reasons.split()
    }
    assert expected == STATUS


@pytest.mark.parametrize("method", list(methods()), ids=lambda method: method.path)
def test_every_method_names_its_roles_and_reading_is_not_changing(method: Method) -> None:
    assert method.roles, "open to nobody"
    if method.path == "/steersman.v1.RunnerService/Connect":
        assert method.roles == {Role.RUNNER}
        return
    assert Role.RUNNER not in method.roles
    assert Role.ADMIN in method.roles
    reads = method.name.startswith(("Get", "List", "Watch"))
    assert (Role.VIEWER in method.roles) == reads
    if reads:
        assert Role.CLIENT in method.roles


def test_agents_and_the_fleet_are_changed_by_admins_alone() -> None:
    changing = {"CreateAgent", "UpdateAgent", "DeleteAgent"}
    for method in methods():
        if method.name in changing or method.name in {"DrainRunner", "CordonRunner"}:
            assert method.roles == {Role.ADMIN}, method.path


def test_every_mutation_has_a_request_id() -> None:
    for method in methods():
        reads = method.name.startswith(("Get", "List", "Watch", "Connect"))
        assert ("request_id" in method.request.DESCRIPTOR.fields_by_name) != reads, method.path


def test_every_service_of_the_api_is_served() -> None:
    declared = {
        service.full_name
        for module in _modules()
        for service in module.DESCRIPTOR.services_by_name.values()
    }
    assert declared == set(SERVICES)


def test_reading_is_a_get_over_http_and_changing_never_is() -> None:
    from google.api import annotations_pb2

    for module in _modules():
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                extensions: Any = method.GetOptions().Extensions
                verb = extensions[annotations_pb2.http].WhichOneof("pattern")
                reads = method.name.startswith(("Get", "List", "Watch"))
                if method.name == "Connect":
                    assert verb is None
                else:
                    assert (verb == "get") == reads, method.full_name
                streams = method.server_streaming and verb is not None
                assert bool(extensions[options_pb2.sse]) == streams, method.full_name


def test_the_generated_modules_are_fresh(tmp_path: Path) -> None:
    beside = str(Path(sys.executable).parent)
    subprocess.run(
        [sys.executable, str(PROTOS / "generate.py"), str(tmp_path)],
        check=True,
        env={**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}"},
    )
    assert _tree(tmp_path / "steersman" / "v1") == _tree(GENERATED)


def _tree(root: Path) -> dict[str, str]:
    found = (path for path in root.rglob("*.py*") if "__pycache__" not in path.parts)
    return {str(path.relative_to(root)): path.read_text() for path in found}
