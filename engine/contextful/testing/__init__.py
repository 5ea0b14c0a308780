"""For tests of bodies and adapters: a clock that skips time, crashes where you name them, a simulated world, suites.

engine(rows, world=…, crashes=…)   a process over these rows, which outlive it: open another for the next one
SkippingWorld(now_ms=…)            waits end at once; `skip(31_000)` lets a lease lapse, `waits_ms` says what was slept
Crashes(at), Crash                 the process dies at its operation `at`; `count` is how many there were
PagedSource(pages, failures=…)     a source of pages, and what the pull of each page raises first
SimWorld(seed), SimRows            threads that take turns at every storage operation, as the seed says; the same again
every_order(history)               a history in each order in which its tasks may take turns
CrashingRows, …Blobs, …Disk        stores that die as `Crashes` says, for tests of adapters
conformance.rows.RowsSuite         what any adapter of rows has to pass: derive from it, and add the fixture `rows`
"""

from contextful.testing.clock import SkippingWorld
from contextful.testing.engine import engine
from contextful.testing.faults import Crash, Crashes, CrashingBlobs, CrashingDisk, CrashingRows
from contextful.testing.orders import every_order
from contextful.testing.simulation import SimRows, SimWorld
from contextful.testing.source import PagedSource

__all__ = [
    "Crash",
    "Crashes",
    "CrashingBlobs",
    "CrashingDisk",
    "CrashingRows",
    "PagedSource",
    "SimRows",
    "SimWorld",
    "SkippingWorld",
    "engine",
    "every_order",
]
