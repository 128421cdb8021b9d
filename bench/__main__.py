"""`python -m bench`: runs the benchmark, prints the table, keeps the figures as JSON."""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import uvloop

from bench.child import ChildFailed
from bench.figures import Figure, table
from bench.machine import machine
from bench.run import Outcome, Plan, run

RESULTS = Path(__file__).parent / "results" / "latest.json"
SMOKE = Plan(sessions=4, seconds=30.0, samples=4, calibration=0.05)


def main() -> int:
    """The exit status: 0 when everything was measured, whatever the figures."""
    arguments = _arguments()
    plan = SMOKE if arguments.smoke else Plan(arguments.sessions, arguments.seconds)
    about = machine()
    print("  ".join(f"{name} {value}" for name, value in about.items()))
    print(f"{plan.sessions} live sessions, at most {plan.seconds:g} s", flush=True)
    try:
        outcome = uvloop.run(_until_signalled(plan))
    except (asyncio.CancelledError, KeyboardInterrupt):
        print("stopped before the end: nothing was kept", file=sys.stderr)
        return 1
    except ChildFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    figures = outcome.figures.summary()
    print(f"\n{table(figures)}\n")
    print("cores used: " + ", ".join(f"{name} {share}" for name, share in outcome.busy.items()))
    _keep(arguments.output, about, plan, outcome, figures)
    print(f"kept in {arguments.output}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--sessions", type=int, default=Plan().sessions, help="live sessions")
    parser.add_argument("--seconds", type=float, default=Plan().seconds, help="of the whole run")
    parser.add_argument("--smoke", action="store_true", help="a few samples, in seconds")
    parser.add_argument("--output", type=Path, default=RESULTS, help="where the JSON goes")
    return parser.parse_args()


async def _until_signalled(plan: Plan) -> Outcome:
    # SIGTERM unwinds like Ctrl+C, so that no process is left behind.
    task = asyncio.ensure_future(run(plan))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def _keep(
    output: Path,
    about: Mapping[str, object],
    plan: Plan,
    outcome: Outcome,
    figures: Mapping[str, Figure],
) -> None:
    kept = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": about,
        "plan": plan._asdict(),
        "milliseconds": {name: figure._asdict() for name, figure in figures.items()},
        "cores_used": outcome.busy,
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
