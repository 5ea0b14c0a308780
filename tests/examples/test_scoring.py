"""The story of examples/scoring: a bill that is exact, whenever the job is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "examples" / "scoring" / "demo.py"


def test_a_job_that_is_killed_twice_pays_for_no_row_twice() -> None:
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("engine", "generated"))

    told = subprocess.run(
        [sys.executable, str(DEMO), "--flights", "40", "--seed", "7", "--lapse", "--sweep"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )

    assert told.returncode == 0, told.stdout + told.stderr
    assert "✓ the bill has 40 calls: not one more" in told.stdout
    assert "✓ each of 12 origins has counted" in told.stdout
