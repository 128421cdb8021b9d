"""What holds for every test: with STEERSMAN_NO_SKIPS, a skipped test is a failed one."""

import os
import signal
from collections.abc import Generator

import pytest

# A shell that starts the run in the background has SIGINT ignored, and children
# would inherit that: Ctrl+C could not be tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("STEERSMAN_NO_SKIPS"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may skip: {report.longrepr}"
    return report
