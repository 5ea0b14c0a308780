"""Performs run.record: reads the history of runs, and closes the rows of processes that are gone."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel import text
from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import parts, record
from contextful.run.history import Asked, Page, Place, page
from contextful.run.parts import Parts
from contextful_contract.shapes import RunStatus

UNENDED = [status.value for status in RunStatus if not status.terminal]
AT_ONE_INSTANT_MAX = 10_000
REAPED_MAX = 1_000  # a startup; what is left waits for the next


def latest(rows: Rows, pipeline_id: str, now_ms: int) -> record.Run | None:
    """The pipeline's last run that did not begin in the future."""
    equal = {"pipeline_id": pipeline_id}
    found = rows.select(Select(record.RUN, equal, order="started_ms", before=now_ms + 1, descending=True, limit=1))
    return record.from_row(found[0]) if found else None


class Records:
    """Run rows over their port."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world

    def window(self, asked: Asked, *, ceiling: int) -> Page:
        """The newest runs of a window. It reads one more than the ceiling, which tells whether there are more."""
        if not text.storable(asked.pipeline or ""):
            return page(asked.since_ms, ceiling, [])
        equal = _equal(asked)
        since_ms, place = asked.since_ms or 0, asked.before
        beside = [] if place is None or place.started_ms < since_ms else self._beside(equal, place)
        behind = Select(
            record.RUN,
            equal,
            order="started_ms",
            since=since_ms,
            before=None if place is None else place.started_ms,
            descending=True,
            limit=ceiling + 1,
        )
        found = [*beside, *self._rows.select(behind)]  ##= run.record.history-window
        return page(asked.since_ms, ceiling, [record.from_row(row) for row in found[: ceiling + 1]])

    def _beside(self, equal: Row, place: Place) -> list[Row]:
        """The rows behind the place that started at its very instant."""
        at = {**equal, "started_ms": place.started_ms}
        found = self._rows.select(Select(record.RUN, at, descending=True, limit=AT_ONE_INSTANT_MAX))
        return [row for row in found if str(row["run_id"]) < place.run_id]

    def run(self, run_id: str) -> record.Run | None:
        """One run as the record knows it."""
        row = self._rows.get(record.RUN, (run_id,)) if text.storable(run_id) else None
        return None if row is None else record.from_row(row)

    def parts(self, execution_id: str) -> Parts:
        """What the attempts at an execution, up to a thousand, have been made of."""
        attempts = self._rows.select(Select(record.RUN, {"execution_id": execution_id}, order="started_ms"))
        found = [self._rows.select(parts.beneath(str(row["run_id"]))) for row in attempts]
        runs = [record.from_row(row) for rows in found for row in rows[: parts.LOOKED_AT_MAX]]
        return Parts(parts.of(runs), truncated=any(len(rows) > parts.LOOKED_AT_MAX for rows in found))

    def in_flight(self) -> Sequence[record.Run]:
        """The runs that have not ended: of each status the newest thousand, less those that another goes on with."""
        asked = [
            Select(record.RUN, {"status": status}, order="started_ms", descending=True, limit=REAPED_MAX)
            for status in UNENDED
        ]
        found = [record.from_row(row) for select in asked for row in self._rows.select(select)]
        return [run for run in found if run.ended_ms is None]

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


def _equal(asked: Asked) -> Row:
    """What the question names, by the column that has it."""
    named = {"pipeline_id": asked.pipeline}
    if asked.status is not None:
        named["status"] = asked.status.value
    if asked.error is not None:
        named["error_kind"] = asked.error.value
    return {column: value for column, value in named.items() if value is not None}
