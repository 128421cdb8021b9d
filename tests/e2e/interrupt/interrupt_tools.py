"""Tools for a runner under test that start processes."""

from steersman_runner.tools import tool
from steersman_runner.tools.process import run_process

# The shell, a child in the background, and one that it waits for; TERM ends neither at once.
TREE = """
sh -c 'trap "" TERM; echo $$ >> {fifo}; sleep 1000 & echo $! >> {fifo}; wait; sleep 1000' &
sleep 1000 & echo $! >> {fifo}
echo $$ >> {fifo}
wait
"""


@tool
async def tree(fifo: str) -> str:
    """Runs processes that would run for long; each tells its id."""
    ran = await run_process(["sh", "-c", TREE.format(fifo=fifo)], term_grace=0.2)
    return ran.output


@tool
async def plain_tree(fifo: str) -> str:
    """Two sleeps under one shell."""
    script = f"sleep 1000 & echo $! > {fifo}; echo $$ > {fifo}; sleep 1000"
    ran = await run_process(["sh", "-c", script])
    return ran.output


@tool
async def many(times: int) -> list[int]:
    """Runs a program so many times; the exit codes that it ever had."""
    return sorted({(await run_process(["sh", "-c", "exit 7"])).exit_code for _ in range(times)})
