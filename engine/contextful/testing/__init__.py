"""For tests of bodies and adapters: a clock that skips time, crashes where you name them, a simulated world, suites."""

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
