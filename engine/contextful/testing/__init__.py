"""For tests of bodies and adapters: a clock that skips time, crashes where you name them, a simulated world, suites."""

from contextful.testing.clock import SkippingWorld
from contextful.testing.faults import Crash, Crashes, CrashingBlobs, CrashingRows
from contextful.testing.simulation import SimRows, SimWorld

__all__ = ["Crash", "Crashes", "CrashingBlobs", "CrashingRows", "SimRows", "SimWorld", "SkippingWorld"]
