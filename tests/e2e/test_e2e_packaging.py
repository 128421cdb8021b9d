"""The light client stays light: what it and its commands load, and that nothing needs the rest."""

import subprocess
import sys

from live_process import PATIENCE, environment

HEAVY = ("steersman_server", "steersman_runner", "sqlalchemy", "sqlmodel", "openai", "alembic")

IMPORTED = f"""
import sys
import steersman
print([name for name in {HEAVY!r} if name in sys.modules])
"""
HELPED = f"""
import sys
sys.argv = ["steersman", "send", "--help"]
from steersman.cli.main import main
try:
    main()
finally:
    print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(),
    )


def test_importing_the_client_loads_neither_server_nor_runner_nor_what_they_stand_on() -> None:
    ran = python(IMPORTED)
    assert (ran.returncode, ran.stdout) == (0, "[]\n"), ran.stderr


def test_the_help_of_a_clients_command_loads_none_of_them_either() -> None:
    ran = python(HELPED)
    assert ran.returncode == 0, ran.stderr
    assert "Send a message" in ran.stdout
    assert ran.stderr == "[]\n"
