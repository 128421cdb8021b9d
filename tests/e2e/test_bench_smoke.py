"""The benchmark runs and tells what it promises to tell. The figures are nobody's business here."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
AIMED_AT = {
    "send → first delta": 10.0,
    "interrupt → harness stopped": 5.0,
    "interrupt → every watcher told": 15.0,
}
YARDSTICKS = {
    f"{name}{phase}"
    for name in ("echo, unary", "echo, bidirectional", "commit to disk, bare")
    for phase in ("", ", before", ", in between", ", after")
}
TOLD = {
    *AIMED_AT,
    *YARDSTICKS,
    "send → answered",
    "interrupt → answered",
    "Interrupt: requested → delivered",
    "Interrupt: requested → settled",
}


class Run(NamedTuple):
    """A small run: what it printed, what it kept, and the files that it left."""

    printed: str
    kept: dict[str, Any]
    left: list[str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    directory = tmp_path_factory.mktemp("bench")
    output = directory / "figures.json"
    with subprocess.Popen(
        [sys.executable, "-m", "bench", "--smoke", "--output", str(output)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(directory)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            printed, _ = process.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            process.terminate()  # it ends its own processes; killed, it could not
            printed, _ = process.communicate(timeout=25)
    assert process.returncode == 0, printed
    left = [path.name for path in directory.iterdir()]
    return Run(printed, json.loads(output.read_text()), left)


def test_every_figure_is_kept_with_its_samples_and_its_aim(run: Run) -> None:
    figures = run.kept["milliseconds"]
    assert figures.keys() >= TOLD
    for name, figure in figures.items():
        assert figure["samples"] > 0, name
        assert 0 <= figure["p50"] <= figure["p95"] <= figure["max"], name
        assert figure["ratio"] > 0, name
        assert figure["aim"] == AIMED_AT.get(name), name


def test_every_figure_is_printed_and_the_aims_beside_those_that_have_one(run: Run) -> None:
    for name, figure in run.kept["milliseconds"].items():
        aim = f".* p50 ≤ {AIMED_AT[name]:g}" if name in AIMED_AT else "[ 0-9.]+"
        line = rf"^{re.escape(name)} +{figure['samples']} {aim}$"
        assert re.search(line, run.printed, re.MULTILINE), name


def test_the_figures_name_the_machine_and_the_run_they_belong_to(run: Run) -> None:
    assert {"cpus", "load", "python", "grpcio"} <= run.kept["machine"].keys()
    assert run.kept["plan"]["sessions"] == 4


def test_a_run_leaves_its_figures_and_nothing_else(run: Run) -> None:
    assert run.left == ["figures.json"]
