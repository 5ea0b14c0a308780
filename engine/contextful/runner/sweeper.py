"""Performs the blob sweep of run.journal: every 24 h, what nothing refers to and is past its grace goes.

Awakeables that nobody can read or resolve any more go in the same pass, row before blob.
"""

from __future__ import annotations

from contextful.kernel.table import Select
from contextful.ports.blobs import Blobs
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import suspend
from contextful.run.journal import journal
from contextful.runner.suspend import Awakeables
from contextful_contract import limits

BLOBS_MAX = 10_000  # a pass; what is left waits for the next


class Sweeper:
    """Looks at each open whether a pass is due, so that no thread has to wait a day."""

    def __init__(self, rows: Rows, blobs: Blobs, world: World, awakeables: Awakeables) -> None:
        self._rows = rows
        self._blobs = blobs
        self._world = world
        self._awakeables = awakeables

    def sweep_if_due(self) -> None:
        """Sweep, if the last pass is long enough ago and nobody else has begun one."""
        begun = journal.sweep_due(self._rows.get(journal.SWEEP, ("blobs",)), self._world.now_ms())
        if begun is not None and self._rows.commit(begun):
            self._awakeables.drop()
            self.sweep()

    def sweep(self) -> int:
        """One pass; how many blobs went."""
        now_ms = self._world.now_ms()
        mark_ms = now_ms - limits.BLOB_SWEEP_GRACE_MS
        swept = 0
        for put in self._blobs.older_than(mark_ms, limit=BLOBS_MAX):
            if journal.sweepable(referenced=self._referenced(put.sha256), age_ms=now_ms - put.put_ms):
                swept += self._blobs.delete(put.sha256, put_before_ms=mark_ms)
        return swept

    def _referenced(self, sha256: str) -> bool:
        by_entries = Select(journal.ENTRY, {"blob": sha256}, limit=1)
        by_pending = Select(suspend.AWAKEABLE, {**suspend.PENDING, "blob": sha256}, limit=1)
        return bool(self._rows.select(by_entries) or self._rows.select(by_pending))
