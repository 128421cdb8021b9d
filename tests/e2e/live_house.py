"""A server, a scripted model and runners as processes, and ways in. No rules live here."""

import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from live_process import LiveProcess, Ran, run
from live_proxy import Proxy

import steersman

HERE = Path(__file__).parent
PATIENT = steersman.Timing(deadline=90, retry=90, silence=60)


class House:
    """One data directory and port, whoever serves them. `settings` are STEERSMAN_… of the server.

    Everything that was started is ended, by its id, on leaving.
    """

    def __init__(self, data_dir: Path, **settings: object) -> None:
        self.data_dir = data_dir
        self._settings = {
            f"STEERSMAN_{name.upper()}": str(value) for name, value in settings.items()
        }
        self._started: list[LiveProcess] = []
        self._desk = tempfile.TemporaryDirectory(prefix="desk-")
        # Short, because the path of a socket must be.
        self.desk_path = str(Path(self._desk.name) / "desk")
        self.address = "127.0.0.1:0"
        self.runners: dict[str, LiveProcess] = {}
        # Proxies by the names of the runners that come through them.
        self.ways: dict[str, Proxy] = {}

    def __enter__(self) -> Self:
        try:
            self._mock = self._start("mock-model", "--listen", "127.0.0.1:0", "--json")
            self.server = self.serve()
            self.mock_url = str(self._mock.said("mock_model_ready")["base_url"])
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def serve(self) -> LiveProcess:
        """Start the server: the first time on any port, from then on that one."""
        arguments = ("--listen", self.address, "--data-dir", str(self.data_dir), "--json")
        self.server = self._start("serve", *arguments, env=self._settings)
        self.address = self.server.said("serving")["address"]
        return self.server

    def crash(self) -> None:
        """SIGKILL the server."""
        self.server.kill()

    def runner(self, name: str, *options: str) -> LiveProcess:
        """Start a runner that has the tools of desk_tools and asks the scripted model."""
        self.runners[name] = self._start(
            *("runner", "--server", self.address, "--data-dir", str(self.data_dir)),
            *("--id", name, "--tools", "desk_tools", "--json", *options),
            env={
                "OPENAI_BASE_URL": self.mock_url,
                "OPENAI_API_KEY": "mock",
                "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
                "DESK": self.desk_path,
            },
        )
        return self.runners[name]

    def token_file(self, name: str) -> str:
        return str(self.data_dir / "tokens" / name)

    def client(self, token: str = "admin", address: str = "") -> steersman.Client:
        """A client that waits for a server that is being started again."""
        return steersman.Client(
            address or self.address, token_file=self.token_file(token), timing=PATIENT
        )

    def cli(self, *arguments: str) -> Ran:
        """Run a client's command to its end."""
        return run(*arguments, "--server", self.address, "--data-dir", str(self.data_dir))

    def json(self, *arguments: str) -> Ran:
        """The same, with --json."""
        return self.cli(*arguments, "--json")

    def close(self) -> None:
        for process in reversed(self._started):
            process.close()
        self._desk.cleanup()

    def _start(self, *arguments: str, env: dict[str, str] | None = None) -> LiveProcess:
        process = LiveProcess(*arguments, env=env)
        self._started.append(process)
        return process
