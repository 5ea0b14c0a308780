"""Performs run.record: reads the history of runs, and closes the rows of processes that are gone."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel.table import Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import record
from contextful.run.history import Page, page
from contextful_contract.shapes import RunStatus

UNENDED = [status.value for status in RunStatus if not status.terminal]
REAPED_MAX = 1_000  # a startup; what is left waits for the next


class Records:
    """Run rows over their port."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world

    def history(self, *, pipeline: str | None, since_ms: int, limit: int) -> Sequence[record.Run]:
        """Runs that started at or after the instant, newest first."""
        equal = {} if pipeline is None else {"pipeline_id": pipeline}
        asked = Select(record.RUN, equal, order="started_ms", since=since_ms, descending=True, limit=limit)
        return [record.from_row(row) for row in self._rows.select(asked)]  ##= run.record.history-window

    def window(self, *, pipeline: str | None, since_ms: int | None, ceiling: int) -> Page:
        """The newest runs of a window. It reads one more than the ceiling, which tells whether there are more."""
        found = self.history(pipeline=pipeline, since_ms=since_ms or 0, limit=ceiling + 1)
        return page(since_ms, ceiling, found)

    def run(self, run_id: str) -> record.Run | None:
        """One run as the record knows it."""
        row = self._rows.get(record.RUN, (run_id,))
        return None if row is None else record.from_row(row)

    def reap(self) -> Sequence[str]:
        """Close the rows whose process let its lease lapse; which those were. Live ones are left alone.

        A lease that reaches further than any can is cut to the length of one, so that a later startup may tell.
        """
        now_ms = self._rows.now_ms(self._world.now_ms())
        asked = [Select(record.RUN, {"status": status}, order="started_ms", limit=REAPED_MAX) for status in UNENDED]
        runs = [record.from_row(row) for select in asked for row in self._rows.select(select)]
        for run in runs:
            if run.lease is not None and (shorter := record.shortened(run.run_id, run.lease, now_ms)):
                self._rows.commit(*shorter)
        orphans = [run for run in runs if record.orphaned(run, now_ms)]
        return [run.run_id for run in orphans if self._rows.commit(record.reaped(run, now_ms))]
