"""A runner's settings and where they come from. What the server decides is in terms.py."""

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

DEFAULT_SERVER = "127.0.0.1:50051"
_NOT_IN_NAMES = re.compile(r"[^a-z0-9._-]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


class RunnerSettings(NamedTuple):
    """Times in seconds, limits in frames."""

    delta_window: float = 0.004
    handshake_timeout: float = 10.0
    first_retry: tuple[float, float] = (0.05, 0.25)
    retry_cap: float = 5.0
    abort_grace: float = 5.0
    goodbye_grace: float = 2.0
    live_limit: int = 1024  # receipts, refusals and heartbeats not yet on the stream
    durable_limit: int = 256  # durable frames of one turn that are not acknowledged


DEFAULT_SETTINGS = RunnerSettings()


def checked_runner_id(runner_id: str | None) -> str:
    """The given name, or one made of host and process. Raises ValueError for one that is not."""
    if runner_id is None:
        return default_runner_id(socket.gethostname(), os.getpid())
    if not _NAME.fullmatch(runner_id):
        raise ValueError(
            f"runner id {runner_id!r}: 1 to 63 of a-z 0-9 - _ ., starting with a letter or digit"
        )
    return runner_id


def default_runner_id(host: str, pid: int) -> str:
    """`host-pid`, the host cut so that the whole fits a runner's name."""
    suffix = f"-{pid}"
    name = _NOT_IN_NAMES.sub("-", host.lower()).lstrip("-_.") or "runner"
    return name[: 63 - len(suffix)] + suffix


def default_data_dir(environment: Mapping[str, str]) -> Path:
    """Where a local installation keeps its tokens."""
    given = environment.get("STEERSMAN_DATA_DIR")
    return Path(given) if given else Path.home() / ".local" / "share" / "steersman"


def find_token(
    token_file: Path | None, data_dir: Path | None, environment: Mapping[str, str]
) -> str | None:
    """The runner's token: the file, then STEERSMAN_TOKEN, then the data directory.

    None when there is none. Raises OSError for a named file that cannot be read.
    """
    if token_file is not None:
        return token_file.read_text().strip()
    if token := environment.get("STEERSMAN_TOKEN"):
        return token
    local = (data_dir or default_data_dir(environment)) / "tokens" / "runner"
    return local.read_text().strip() if local.is_file() else None
