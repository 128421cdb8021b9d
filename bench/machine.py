"""The machine and the versions that figures belong to: without them they say nothing."""

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("steersman", "grpcio", "protobuf", "uvloop", "SQLAlchemy")


def machine() -> Mapping[str, str | int | float]:
    """Names and numbers; the load is that of the last minute, other work included."""
    return {
        "processor": _processor(),
        "cpus": os.cpu_count() or 0,
        "load": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{package.lower(): version(package) for package in PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
