"""What must not start, and who must not come in: each says why and what to do, and exits 1."""

import asyncio

from live_house import House
from live_process import Ran, run


async def start(*arguments: str) -> Ran:
    return await asyncio.to_thread(run, *arguments)


async def test_a_second_server_on_a_directory_or_a_port_says_what_is_in_its_way(
    house: House,
) -> None:
    elsewhere = house.data_dir.parent / "elsewhere"
    same_directory, same_port = await asyncio.gather(
        start("serve", "--listen", "127.0.0.1:0", "--data-dir", str(house.data_dir)),
        start("serve", "--listen", house.address, "--data-dir", str(elsewhere)),
    )
    assert same_directory.code == 1
    assert str(house.data_dir) in same_directory.err
    assert f"process {house.server.pid}" in same_directory.err
    assert "stop it, or name another --data-dir" in same_directory.err
    assert same_port.code == 1
    assert f"cannot listen on {house.address}" in same_port.err
    assert "another server" in same_port.err
    for ran in (same_directory, same_port):
        assert "Traceback" not in ran.err
    assert house.server.alive()
    assert house.json("sessions", "list").code == 0


async def test_runners_and_clients_cannot_use_each_others_tokens(house: House) -> None:
    at = ("--server", house.address)
    as_client, as_runner, without = await asyncio.gather(
        start("runner", *at, "--id", "intruder", "--token-file", house.token_file("client")),
        start("sessions", "list", *at, "--token-file", house.token_file("runner")),
        start("runner", *at, "--id", "intruder", "--data-dir", str(house.data_dir / "nothing")),
    )
    assert as_client.code == 1
    assert "permission_denied" in as_client.err
    assert "use a token with the role `runner`" in as_client.err
    assert as_runner.code == 1
    assert as_runner.err.startswith("error permission_denied: ")
    assert "what to do: this token's role may not do that" in as_runner.err
    assert without.code == 1
    assert "no token for this runner" in without.err
    assert "--token-file" in without.err
    async with house.client() as client:
        assert "intruder" not in {runner.id async for runner in client.runners.list()}
