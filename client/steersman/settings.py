"""Where the server is, and which token opens it. Never opens a connection."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

DEFAULT_SERVER = "127.0.0.1:50051"
# In this order: what an admin may do includes what a client may.
TOKEN_NAMES = ("admin", "client")


class Timing(NamedTuple):
    """How patient a client is, in seconds."""

    # Of one unary call, its retries included; calls that wait get their wait on top.
    deadline: float = 30.0
    # For a server that cannot be reached, before a call or a first watch gives up.
    retry: float = 30.0
    # A watch that carries nothing for this long is dead: progress comes every 15 s.
    silence: float = 40.0


def server_address(given: str | None = None, env: Mapping[str, str] = os.environ) -> str:
    """The server as HOST:PORT: given, STEERSMAN_SERVER, or the local default."""
    return given or env.get("STEERSMAN_SERVER") or DEFAULT_SERVER


def data_directory(given: str | Path | None = None, env: Mapping[str, str] = os.environ) -> Path:
    """Where local tokens lie: given, STEERSMAN_DATA_DIR, or ~/.local/share/steersman."""
    named = given or env.get("STEERSMAN_DATA_DIR")
    return Path(named).expanduser() if named else Path.home() / ".local/share/steersman"


def find_token(
    token: str | None = None,
    token_file: str | Path | None = None,
    data_dir: str | Path | None = None,
    env: Mapping[str, str] = os.environ,
) -> str | None:
    """The token: given, of the file, STEERSMAN_TOKEN, or of the data directory.

    None when there is none anywhere. Raises OSError when a named file cannot be read.
    """
    if token:
        return token
    if token_file:
        return Path(token_file).expanduser().read_text().strip()
    return env.get("STEERSMAN_TOKEN") or local_token(data_directory(data_dir, env))


def local_token(data_dir: Path) -> str | None:
    """The strongest token of a data directory that this user may read."""
    for name in TOKEN_NAMES:
        try:
            return (data_dir / "tokens" / name).read_text().strip()
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
    return None
