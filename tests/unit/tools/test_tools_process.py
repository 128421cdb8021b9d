"""Programs that tools run: their output, and that nothing of them is left."""

import asyncio
import os
from pathlib import Path

import pytest

from steersman_runner.tools import ToolStopped, tool
from steersman_runner.tools.process import ProcessResult, run_process
from steersman_runner.tools.process_group import group_alive


async def started(
    script: str, ready: Path, term_grace: float = 0.1
) -> tuple[asyncio.Task[ProcessResult], int]:
    """The run of a script that writes its process id to `ready`, and its group."""
    os.mkfifo(ready)
    argv = ["sh", "-c", script]
    env = {"READY": str(ready)}
    run = asyncio.create_task(run_process(argv, env=env, term_grace=term_grace))
    return run, int(await asyncio.to_thread(ready.read_text))


async def test_output_is_both_streams_and_the_exit_code_is_the_programs() -> None:
    result = await run_process(["sh", "-c", "echo out; echo err >&2; exit 3"])
    assert result == ProcessResult(3, "out\nerr", False)


async def test_a_program_that_a_signal_ended_has_a_negative_code() -> None:
    assert (await run_process(["sh", "-c", "kill -9 $$"])).exit_code == -9


async def test_a_program_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        await run_process(["/no/such/program"])


async def test_output_over_the_limit_is_dropped_and_the_program_still_ends() -> None:
    result = await run_process(["sh", "-c", "yes | head -c 300000"], max_output_bytes=4)
    assert result == ProcessResult(0, "y\ny", True)


async def test_what_a_program_left_in_its_group_is_ended(tmp_path: Path) -> None:
    run, group = await started("echo hi; sleep 60 & echo $$ > $READY", tmp_path / "ready")
    assert (await run).output == "hi"
    assert not group_alive(group)


async def test_a_cancelled_run_ends_the_whole_group_and_keeps_the_output(tmp_path: Path) -> None:
    script = "echo so far; (trap '' TERM; sleep 60) & echo $$ > $READY; sleep 60"
    run, group = await started(script, tmp_path / "ready")
    run.cancel()
    with pytest.raises(asyncio.CancelledError) as stopped:
        await run
    assert not group_alive(group)
    assert isinstance(stopped.value, ToolStopped)
    assert stopped.value.output == "so far\n[stopped before it ended]"


async def test_a_program_that_leaves_on_term_is_not_killed(tmp_path: Path) -> None:
    script = "trap 'echo bye; exit 0' TERM; echo $$ > $READY; while :; do sleep 0.01; done"
    run, _ = await started(script, tmp_path / "ready", term_grace=30)
    run.cancel()
    with pytest.raises(asyncio.CancelledError) as stopped:
        await run
    assert isinstance(stopped.value, ToolStopped)
    assert "bye" in stopped.value.output.splitlines()


async def test_a_cancelled_run_without_output_is_just_cancelled(tmp_path: Path) -> None:
    run, group = await started("echo $$ > $READY; sleep 60", tmp_path / "ready")
    run.cancel()
    with pytest.raises(asyncio.CancelledError) as stopped:
        await run
    assert not isinstance(stopped.value, ToolStopped)
    assert not group_alive(group)


async def test_a_run_that_is_cancelled_while_it_starts_leaves_nothing(tmp_path: Path) -> None:
    born = tmp_path / "born"
    script = f"echo $$ > {born}; trap '' TERM; sleep 60"
    for turns_of_the_loop in range(6):
        born.unlink(missing_ok=True)
        run = asyncio.create_task(run_process(["sh", "-c", script], term_grace=0.01))
        for _ in range(turns_of_the_loop):
            await asyncio.sleep(0)
        run.cancel()
        await asyncio.wait({run})
        group = born.read_text().strip() if born.exists() else ""
        assert not (group and group_alive(int(group)))


async def test_a_second_cancellation_does_not_leave_the_group_behind(tmp_path: Path) -> None:
    run, group = await started("trap '' TERM; echo $$ > $READY; sleep 60", tmp_path / "ready")
    for _ in range(3):
        run.cancel()
        await asyncio.sleep(0)
    await asyncio.wait({run})
    assert run.cancelled()
    assert not group_alive(group)


async def test_a_tool_whose_program_takes_too_long_answers_what_it_had() -> None:
    @tool(timeout=0.2)
    async def build() -> str:
        return (await run_process(["sh", "-c", "echo so far; sleep 60"])).output

    result = await build.call("{}")
    assert result.output == (
        "so far\n[stopped before it ended]\nerror: timed out after 0.2 s; it was stopped"
    )
    assert result.complete
