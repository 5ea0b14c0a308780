"""Performs run.cancel: marks the runs that a stop is to end, and ends at once those that nobody is at work on."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel.change import Change
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import cancel, record
from contextful.runner.own import Owners
from contextful.runner.settle import settle
from contextful_contract.shapes import StopMark


class Stops:
    """Stops over their ports."""

    def __init__(self, rows: Rows, world: World, owners: Owners) -> None:
        self._rows = rows
        self._world = world
        self._owners = owners

    def stop(self, run_id: str, *, scope: str, reason: str | None) -> Sequence[str]:
        """Mark the run, or all that its pipeline or host scope has in flight; the ids of those that are marked."""
        mark = StopMark(requested_at=self._world.now_ms(), scope=scope, reason=reason)

        def decide() -> tuple[Sequence[str], Sequence[Change]]:
            row = self._rows.get(record.RUN, (run_id,))
            reach = cancel.reach(None if row is None else record.from_row(row), mark)
            found = [record.from_row(row) for asked in reach for row in self._rows.select(asked)]
            targets = cancel.targets(found, run_id)
            return [run.run_id for run in targets], [change for run in targets for change in self._stopped(run, mark)]

        return settle(self._rows, decide)

    def _stopped(self, run: record.Run, mark: StopMark) -> Sequence[Change]:
        ending = cancel.ending(run, mark)
        marked = record.marked(run, mark, ending, mark.requested_at)
        return (marked,) if ending is None else (marked, *self._owners.abandoned(run))
