"""A desk at which approvals are asked for: what tests of run.suspend have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.table import Row, Select
from contextful.run import suspend
from contextful.testing import Crashes, CrashingBlobs, CrashingRows, SkippingWorld

LEASE_LAPSED_MS = 31_000
DAY_MS = 86_400_000
BIG = "x" * (1 << 20)


@dataclass
class Desk:
    """A body that asks for an approval under a scope, processes that run it, and a person who answers."""

    rows: MemoryRows = field(default_factory=MemoryRows)
    world: SkippingWorld = field(default_factory=SkippingWorld)
    sent: list[str] = field(default_factory=list)
    charged: int = 0

    def engine(self, crashes: Crashes | None = None) -> contextful.Engine:
        """An engine of a process of its own."""
        crashes = crashes or Crashes()
        return contextful.Engine(
            CrashingRows(self.rows, crashes), CrashingBlobs(RowBlobs(self.rows), crashes), self.world
        )

    def body(self, run: contextful.Execution, *, hold: str | None = None) -> object:
        """Ask, send the token out, wait, and charge what was approved."""
        approval = run.awakeable("approve")
        run.step("send", self.sent.append, approval.token)
        answer = approval.wait(hold=hold)
        run.step("charge", self.charge)
        return answer

    def charge(self) -> None:
        """The paid effect."""
        self.charged += 1

    def attempt(self, crashes: Crashes | None = None, *, hold: str | None = None) -> object:
        """One attempt; what the body returns."""
        with self.engine(crashes).execution("order-7", "plan") as run:
            return self.body(run, hold=hold)

    def suspend(self) -> str:
        """An attempt that closes to wait; the token that it sent out."""
        with pytest.raises(contextful.Suspended):
            self.attempt()
        return self.sent[-1]

    def awakeables(self) -> list[Row]:
        """The registry."""
        return list(self.rows.select(Select(suspend.AWAKEABLE, {}, order="deadline_ms")))
