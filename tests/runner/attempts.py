"""What tests of steps and attempts share: an effect that counts, and the row of a run."""

from __future__ import annotations

from dataclasses import dataclass

import contextful
from contextful.run.record import Run

LEASE_LAPSED_MS = 31_000


@dataclass
class Counted:
    """An effect that counts, and that fails the first few times it is asked to."""

    value: object = "ok"
    failures: int = 0
    count: int = 0

    def __call__(self, *_: object) -> object:
        self.count += 1
        if self.count <= self.failures:
            raise ValueError(f"failure {self.count}")
        return self.value


def row(engine: contextful.Engine, run_id: str) -> Run:
    """The run's row, which stands."""
    run = engine.run(run_id)
    assert run is not None
    return run
