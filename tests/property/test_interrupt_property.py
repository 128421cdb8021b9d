"""For any interleaving of sends, interrupts, frames, losses and restarts the log is valid."""

import os
import random
import sys

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from interrupt_machine import InterruptMachine

LONG = bool(os.environ.get("STEERSMAN_LONG"))
SEED = int(
    os.environ.get("STEERSMAN_SEED") or (random.SystemRandom().getrandbits(32) if LONG else 1)
)

FAR = settings(
    max_examples=1500 if LONG else 40,
    stateful_step_count=60 if LONG else 40,
    deadline=None,
    database=None,
    derandomize=False,
    # A counterexample of 40 steps can be read; making it shorter takes minutes.
    phases=[Phase.generate, Phase.shrink] if LONG else [Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.timeout(0 if LONG else 120)
def test_any_interleaving_leaves_a_log_that_keeps_the_rules() -> None:
    sys.stdout.write(f"STEERSMAN_SEED={SEED}\n")
    run_state_machine_as_test(seed(SEED)(InterruptMachine), settings=FAR)
