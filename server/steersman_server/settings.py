"""What can be set. Every number of the specification is a field with its default."""

from dataclasses import dataclass
from pathlib import Path

from steersman_server.core.lease import Terms


@dataclass(frozen=True, slots=True)
class Settings:
    """Times are in seconds.

    `listen` is HOST:PORT, port 0 for any free one. `database` is an SQLAlchemy
    URL; unset means SQLite in the data directory.
    """

    data_dir: Path
    listen: str = "127.0.0.1:50051"
    database: str | None = None
    heartbeat_interval: float = 2.0
    lease: float = 10.0
    disconnect_grace: float = 3.0
    isolation_limit: float = 10.0
    interrupt_grace: float = 5.0
    hello_deadline: float = 10.0
    watch_progress: float = 15.0
    drain_grace: float = 5.0

    @property
    def terms(self) -> Terms:
        return Terms(silence=self.lease, disconnect_grace=self.disconnect_grace)

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data_dir.resolve() / 'steersman.db'}"
