"""Imports point down: rpc, hub → wire → usecases → store, bus → core. Read from the source."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import steersman
import steersman_runner
import steersman_server

SERVER: Final = Path(steersman_server.__file__).parent
RUNNER: Final = Path(steersman_runner.__file__).parent
CLIENT: Final = Path(steersman.__file__).parent
API: Final = "steersman.v1"

BELOW: Final = {
    "core": set[str](),
    "store": {"core"},
    "bus": {"core"},
    "settings": {"core"},
    "lock": set[str](),
    "logs": set[str](),
    "usecases": {"store", "core"},
    "wire": {"usecases", "store", "settings", "core"},
    "hub": {"wire", "usecases", "store", "bus", "settings", "core"},
    # Beyond the arrows: the fleet's servicer asks the hub who is connected.
    "rpc": {"hub", "wire", "usecases", "store", "bus", "core"},
    "services": {"hub", "usecases", "store", "bus", "core"},
    # Token files are made by what checks tokens.
    "tokens": {"rpc", "store", "core"},
    "app": {"rpc", "hub", "services", "tokens", "store", "bus", "settings", "lock", "core"},
    "cli": {"app", "rpc", "store", "settings", "lock", "logs", "core"},
    "commands": {"cli"},
}
"""What each room of the server may import, beside itself. A room that is not here may not be."""

MESSAGES: Final = {"wire", "hub", "rpc"}
"""The rooms that may know protobuf messages."""


class Import(NamedTuple):
    """One import, and where it stands."""

    path: Path
    line: int
    module: str

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}:{self.line} imports {self.module}"


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Every import of a file, also those inside of functions; `from x import y` is `x.y`."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[Import]:
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names):
                for name in names:
                    yield Import(path, node.lineno, name.name)
            case ast.ImportFrom(module, names, level):
                assert level == 0, f"{path}: relative imports hide where they point"
                for name in names:
                    yield Import(path, node.lineno, f"{module}.{name.name}")


def files(root: Path) -> list[Path]:
    return [path for path in sorted(root.rglob("*.py")) if "migrations" not in path.parts]


def room(path: Path) -> str:
    """The package of a file directly below the server's, or the file itself."""
    inside = path.relative_to(SERVER)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


@pytest.mark.parametrize("name", BELOW)
def test_a_room_of_the_server_imports_only_what_is_below_it(name: str) -> None:
    wrong = [
        found
        for path in files(SERVER)
        if room(path) == name
        for found in imports(path)
        if found.module.startswith("steersman_server.")
        and found.module.split(".")[1] not in BELOW[name] | {name}
    ]
    assert not wrong, "\n".join(map(str, wrong))


def test_every_room_of_the_server_has_its_place() -> None:
    rooms = {room(path) for path in files(SERVER)} - {"__init__"}
    assert rooms == BELOW.keys()


def test_the_arrows_have_no_circle() -> None:
    left = dict(BELOW)
    while left:
        free = [name for name, below in left.items() if not below & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for name in free:
            del left[name]


def test_of_the_client_the_server_knows_the_generated_messages_alone() -> None:
    for path in files(SERVER):
        for found in imports(path):
            if found.module.split(".")[0] == "steersman":
                assert f"{found.module}.".startswith(f"{API}."), str(found)
                assert room(path) in MESSAGES, str(found)


@pytest.mark.parametrize(
    ("root", "strangers"),
    [
        (SERVER, {"steersman_runner"}),
        (RUNNER, {"steersman_server"}),
        (CLIENT, {"steersman_server", "steersman_runner"}),
    ],
    ids=["server", "runner", "client"],
)
def test_the_three_packages_stay_apart(root: Path, strangers: set[str]) -> None:
    wrong = [f for p in files(root) for f in imports(p) if f.module.split(".")[0] in strangers]
    assert not wrong, "\n".join(map(str, wrong))


PURE: Final = {
    "abc",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "re",
    "steersman_server",
    "typing",
}
"""All that core may import: no clock, no random, no SQL, no protobuf, no event loop."""


@pytest.mark.parametrize("path", files(SERVER / "core"), ids=lambda path: path.stem)
def test_the_core_is_pure(path: Path) -> None:
    wrong = [found for found in imports(path) if found.module.split(".")[0] not in PURE]
    assert not wrong, "\n".join(map(str, wrong))
    waits = (ast.Await, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith)
    doors = {"open", "print", "input", "eval", "exec", "__import__"}
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, waits), f"{path.name}:{node.lineno} waits"
        if isinstance(node, ast.Name):
            assert node.id not in doors, f"{path.name}:{node.lineno} uses {node.id}"


@pytest.mark.parametrize("name", ["usecases", "store", "core"])
def test_the_lower_rooms_know_no_transport(name: str) -> None:
    for path in files(SERVER / name):
        for found in imports(path):
            assert found.module.split(".")[0] not in {"grpc", "google", "steersman"}, str(found)


@pytest.mark.parametrize("path", files(SERVER / "usecases"), ids=lambda path: path.stem)
def test_a_use_case_waits_for_nothing_and_reads_no_clock(path: Path) -> None:
    """It runs inside one unit of work, which may be decided anew."""
    for found in imports(path):
        assert found.module.split(".")[0] not in {"asyncio", "time", "datetime", "random"}
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, (ast.Await, ast.AsyncFunctionDef)), f"{path}:{node.lineno}"
