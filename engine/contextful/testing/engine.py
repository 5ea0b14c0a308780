"""An engine for a test: in memory, on a clock that skips, dying where the test says."""

from __future__ import annotations

from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.runner.engine import Engine
from contextful.testing.clock import SkippingWorld
from contextful.testing.faults import Crashes, CrashingBlobs, CrashingRows


def engine(rows: Rows | None = None, *, world: World | None = None, crashes: Crashes | None = None) -> Engine:
    """An engine over `rows`, which outlive it; made anew where there are none.

    With `crashes`, it is a process that dies there, and another engine over the same rows is the next one.
    """
    kept, dies = rows or MemoryRows(), crashes or Crashes()
    blobs = CrashingBlobs(RowBlobs(kept), dies)
    return Engine(CrashingRows(kept, dies), blobs, world or SkippingWorld())
