"""The processes under measurement: a bare echo, a server, a runner, and a client of them."""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from signal import SIGINT
from typing import NamedTuple

import steersman
from bench.child import Child, Record, child
from bench.moments import Moments


class Fleet(NamedTuple):
    """What runs. `stops` fills from the runner's log; its keys are turn ids."""

    echo: str
    directory: Path
    client: steersman.Client
    children: Sequence[Child]
    stops: Moments


@asynccontextmanager
async def fleet(slots: int) -> AsyncIterator[Fleet]:
    """All of it, on free ports and a data directory that goes with it. Raises ChildFailed."""
    stops = Moments()

    def hear(record: Record) -> None:
        if record["event"] == "harness_stopped":
            stops.note(record["turn_id"], record["monotonic"])

    async with AsyncExitStack() as stack:
        data_dir = stack.enter_context(tempfile.TemporaryDirectory(prefix="steersman-bench-"))
        echo = await stack.enter_async_context(child("echo", "bench.echo"))
        serve = await stack.enter_async_context(
            child("serve", "steersman", "serve", "--listen", "127.0.0.1:0", "--data-dir", data_dir)
        )
        address = (await serve.said("serving"))["address"]
        arguments = ("--server", address, "--data-dir", data_dir, "--id", "bench")
        runner = await stack.enter_async_context(
            child(
                "runner",
                *("steersman", "runner", *arguments, "--slots", str(slots), "--json"),
                environment={"STEERSMAN_LOG_LEVEL": "debug"},
                hear=hear,
                ends_by=SIGINT,  # at once: its turns would stream on for minutes
            )
        )
        await runner.said("runner_connected")
        # Last, because no process must be forked while channels are open.
        token = (Path(data_dir) / "tokens" / "admin").read_text().strip()
        client = await stack.enter_async_context(steersman.Client(address, token=token))
        echoing = (await echo.said("echo_ready"))["address"]
        yield Fleet(echoing, Path(data_dir), client, [serve, runner], stops)
