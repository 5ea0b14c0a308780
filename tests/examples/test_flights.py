"""The story of examples/flights/increments.py: flights that come late are there, and each is there once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_a_week_of_flights_lands_in_two_runs_with_those_that_came_late() -> None:
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("engine", "generated"))

    told = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "flights" / "increments.py"), "--week"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )

    assert told.returncode == 0, told.stdout + told.stderr
    assert "✓ all 5,957 flights are in the table, each once" in told.stdout
    assert "✓ the late ones are there" in told.stdout
