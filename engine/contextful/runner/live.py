"""Performs run.project's hub in a process: one thread folds and broadcasts, and looks the rest up in the record.

What this process runs is emitted to the hub. A run of another process, or of one that is gone, is followed through the
durable record, while somebody watches it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import cast

from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import project, record, suspend
from contextful.run.journal import journal
from contextful.runner.hub import Hub, Subscription, Told
from contextful_contract.shapes import (
    AwakeableState,
    Change,
    ChangeKind,
    OutputRef,
    StepPatch,
    StepStatus,
)

LOG = logging.getLogger(__name__)
LOOK_MS = 500  # how often the record of a run that is watched, and is at work elsewhere, is looked at
RECONCILE_LOOKS = 10  # how many looks pass until every run that has not ended is held against its record
PAGE_ROWS = 256  # of values up to 4 KiB
LARGE_ROWS = 32  # of values up to 1 MiB, and of failures


class Live:
    """The hub of an engine's process, and what keeps it going."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world
        self._wake = world.event()
        self._closed = world.event()
        self._looked: dict[str, int] = {}  # how far each run that is followed has been read
        self._look_due_ms = 0
        self._looks = 0
        self.hub = Hub(world, wake=lambda: self._wake.set())

    def start(self) -> None:
        """Keep the hub going until it is closed."""
        self._world.start("contextful-live", self._keep)

    def close(self) -> None:
        """Let go of all that is held."""
        self._closed.set()
        self._wake.set()

    def subscribe(self, run_id: str, told: Told = lambda: None, *, oldest: bool = False) -> Subscription | None:
        """The run's view and all that follows it, from the record where the hub holds none; none of a run unknown."""
        run = self._run(run_id)
        if run is None:
            return None
        self.look(run)
        return self.hub.subscribe(run_id, told, oldest=oldest)

    def look(self, run: record.Run) -> None:
        """Show what the record says of a run by now."""
        emits = any(seen.emits for seen in self.hub.unended() if seen.run_id == run.run_id)
        self.hub.show(run, () if emits else self._steps(run))

    def _keep(self) -> None:
        while not self._closed.is_set():  # ends: with its engine
            self._wake = self._world.event()
            due_ms = self.hub.turn()
            try:
                self._follow()
            except Exception:
                LOG.warning("the record was not read; trying again", exc_info=True)
            self._world.wait(self._wake, LOOK_MS if due_ms is None else min(due_ms, LOOK_MS))

    def _follow(self) -> None:
        """Look at the runs that are watched and at work elsewhere; now and then, at all that seem not to have ended."""
        now_ms = self._world.now_ms()
        if now_ms < self._look_due_ms <= now_ms + LOOK_MS:
            return
        self._look_due_ms = now_ms + LOOK_MS
        self._looks += 1
        unended = self.hub.unended()
        self._looked = {seen.run_id: self._looked.get(seen.run_id, 0) for seen in unended}
        for seen in unended:
            if (seen.watched and not seen.emits) or self._looks % RECONCILE_LOOKS == 0:
                run = self._run(seen.run_id)
                if run is not None:
                    self.look(run)

    def _run(self, run_id: str) -> record.Run | None:
        row = self._rows.get(record.RUN, (run_id,))
        return None if row is None else record.from_row(row)

    def _steps(self, run: record.Run) -> Iterator[Change]:
        """What the journal holds of the run's execution that has not been read for it yet."""
        entries = {"execution_id": run.execution_id}
        since = self._looked.get(run.run_id, 0)
        answered = Select(journal.ENTRY, entries, order="ahead", since=since, limit=PAGE_ROWS)
        large = Select(journal.ENTRY, entries, order="ahead", before=0, limit=LARGE_ROWS)
        rows = self._rows.select(answered)
        yield from map(_answered, [*rows, *self._rows.select(large)])
        if rows:
            self._looked[run.run_id] = cast(int, rows[-1]["ahead"]) + 1
        for row in self._rows.select(Select(suspend.AWAKEABLE, entries, limit=PAGE_ROWS)):
            awakeable = suspend.from_row(row)
            if awakeable.state is AwakeableState.PENDING:
                yield _step(StepPatch(label=awakeable.step_label, status=StepStatus.RUNNING, attempts=1))


def _answered(row: Row) -> Change:
    """A step that has its answer."""
    label = cast(str, row["step_label"])
    state = journal.from_row(row)
    if isinstance(state, journal.Refused):
        return _step(StepPatch(label=label, status=StepStatus.FAILED, failure=project.shown(state.failure)))
    reference = project.reference(label, cast(str, row["input_hash"]))
    output = OutputRef(reference=reference, bytes=cast(int, row["content_bytes"]))
    return _step(StepPatch(label=label, status=StepStatus.COMPLETED, output=output))


def _step(patch: StepPatch) -> Change:
    return Change(kind=ChangeKind.STEP, step=patch)
