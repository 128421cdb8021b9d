"""One server a data directory: a lock that the kernel frees when the process dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType


class DirectoryInUse(Exception):
    """Another server runs on this data directory."""

    def __init__(self, directory: Path, owner: str) -> None:
        self.directory = directory
        self.owner = owner
        by = f" (process {owner})" if owner else ""
        super().__init__(
            f"another server{by} uses {directory}; stop it, or name another --data-dir"
        )


class DirectoryLock:
    """Held while the context is open. Raises DirectoryInUse on entering."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._descriptor = -1

    def __enter__(self) -> "DirectoryLock":
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._directory / "server.lock"
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(self._descriptor, 32).decode().strip()
            os.close(self._descriptor)
            raise DirectoryInUse(self._directory, owner) from None
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._descriptor)
