"""Which files a command loads, and what is said when an extra is missing."""

import subprocess
import sys

import pytest
from cli_process import environment

LOADED = """
import sys
from steersman.cli.main import build
build("send")
print([name for name in ("steersman_server", "steersman_runner", "openai", "prompt_toolkit")
       if name in sys.modules])
"""
WITHOUT = """
import sys
sys.modules[{module!r}] = None
sys.argv = ["steersman", *{arguments!r}]
from steersman.cli.main import main
main()
"""


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", program],
        capture_output=True,
        text=True,
        timeout=30,
        env=environment(),
    )


def test_a_command_of_the_client_loads_neither_server_nor_runner() -> None:
    assert python(LOADED).stdout == "[]\n"


@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [
        ("serve", "steersman_server", "server"),
        ("serve", "sqlmodel", "server"),
        ("token", "steersman_server", "server"),
        ("runner", "steersman_runner", "runner"),
        ("mock-model", "steersman_runner", "runner"),
    ],
)
def test_a_command_without_its_extra_says_what_to_install(
    command: str, module: str, extra: str
) -> None:
    ran = python(WITHOUT.format(module=module, arguments=[command]))
    assert ran.returncode == 1, ran.stderr
    assert f"pip install 'steersman[{extra}]'" in ran.stderr


def test_help_works_without_any_extra() -> None:
    program = "import sys; sys.modules['steersman_runner'] = None;" + WITHOUT.format(
        module="steersman_server", arguments=["--help"]
    )
    ran = python(program)
    assert ran.returncode == 0, ran.stderr
    assert "Needs the extra `server`" in ran.stdout
    assert " send " in ran.stdout
