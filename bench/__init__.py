"""The benchmark: what a turn and an interrupt cost, against a bare echo in the same run."""

import os

# Set before grpc is loaded: it tells of every peer that leaves, at the end of every run.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
