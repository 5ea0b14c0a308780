"""Performs run.record: reads the history of runs, and closes the rows of processes that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import project, record
from contextful.run.history import EVERY, Filters, Page, page, pages, turned
from contextful.run.journal import journal
from contextful_contract.shapes import OutputRef, RunStatus, StepStatus, StepView

UNENDED = [status.value for status in RunStatus if not status.terminal]
STEPS_MAX = 500  # of one answer: each may hold a value of up to 1 MiB
REAPED_MAX = 1_000  # a startup; what is left waits for the next


class Records:
    """Run rows over their port."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world

    def history(
        self, *, pipeline: str | None, since_ms: int | None, limit: int, filters: Filters = EVERY
    ) -> Sequence[record.Run]:
        """Runs that started at or after the instant, newest first."""
        asked = pages(pipeline, since_ms, filters, limit)
        rows = [row for each in asked for row in turned(self._rows.select(each), filters)]
        return [record.from_row(row) for row in rows[:limit]]

    def window(self, *, pipeline: str | None, since_ms: int | None, ceiling: int, filters: Filters = EVERY) -> Page:
        """The newest runs of a window. It reads one more than the ceiling, which tells whether there are more."""
        found = self.history(pipeline=pipeline, since_ms=since_ms, limit=ceiling + 1, filters=filters)
        return page(since_ms, ceiling, found)

    def steps(self, run: record.Run) -> Sequence[StepView]:
        """The steps that are on record for the run's execution; none once that has retired."""
        asked = Select(journal.ENTRY, {"execution_id": run.execution_id}, limit=STEPS_MAX)
        return [_step(row) for row in self._rows.select(asked)]

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


def _step(row: Row) -> StepView:
    """A step as the journal has it."""
    label, attempts = cast(str, row["step_label"]), cast(int | None, row["attempt"]) or 1
    match journal.from_row(row):
        case journal.Recorded():
            reference = project.reference(label, cast(str, row["input_hash"]))
            output = OutputRef(reference=reference, bytes=cast(int, row["content_bytes"]))
            return StepView(label=label, status=StepStatus.COMPLETED, attempts=attempts, output=output)
        case journal.Refused(failure):
            return StepView(label=label, status=StepStatus.FAILED, attempts=attempts, failure=project.shown(failure))
        case journal.Claim(failure=failed) if failed is not None:
            return StepView(label=label, status=StepStatus.RETRYING, attempts=attempts, failure=project.shown(failed))
        case _:
            return StepView(label=label, status=StepStatus.RUNNING, attempts=attempts)
