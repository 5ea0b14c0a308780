"""Performs run.record's rows in the store: each commit of the catalog is appended, and the catalog is made of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from contextful.kernel.change import Change, Survives
from contextful.kernel.table import Row
from contextful.ports.rows import Rows
from contextful.ports.run_table import RunTable
from contextful.ports.world import World
from contextful.run.history import Page, page
from contextful.run.record import RUN
from contextful.runner.settle import settle
from contextful.store import runs

LOG = logging.getLogger(__name__)
OVERDUE_MAX = 1_000  # rows a startup; what is left waits for the next
TOGETHER = 200  # rows of the catalog that are restored in one commit


class RunLog:
    """The run table beside the catalog's rows, where the engine has a store to keep one in."""

    def __init__(self, rows: Rows, world: World, opened: Callable[[], RunTable] | None) -> None:
        self._rows = rows
        self._world = world
        self._opened = opened  # takes a while, and most who look at runs need no table
        self._turn = threading.Lock()
        self._gathering = 0
        self._gathered: dict[str, None] = {}

    def append(self, *run_ids: str) -> None:
        """Append what the catalog has of these runs by now. Where the store takes nothing, the catalog still has it."""
        with self._turn:
            if self._gathering:
                self._gathered |= dict.fromkeys(run_ids)
                run_ids = tuple(self._gathered) if len(self._gathered) >= TOGETHER else ()
                self._gathered = {} if run_ids else self._gathered
        self._append_found(run_ids)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """While within, what is to be appended comes together in fewer appends: for runs by the hundred."""
        with self._turn:
            self._gathering += 1
        try:
            yield
        finally:
            with self._turn:
                self._gathering -= 1
                run_ids, self._gathered = tuple(self._gathered), {}
            self._append_found(run_ids)

    def _append_found(self, run_ids: Sequence[str]) -> None:
        if self._opened is not None:
            found = [self._rows.get(RUN, (run_id,)) for run_id in run_ids]
            self._append(self._opened, [row for row in found if row is not None])

    def catch_up(self) -> None:
        """Append what was left by those who died, or could not."""
        if self._opened is not None:
            self._append(self._opened, self._rows.select(runs.overdue(self._world.now_ms(), OVERDUE_MAX)))

    def restore(self) -> int:
        """Bring the catalog up to what the table says; how many rows of it that changed."""
        return 0 if self._opened is None else sum(map(self._restored, self._opened().batches()))

    def window(self, *, pipeline: str | None, since_ms: int | None, ceiling: int, as_of_ms: int) -> Page:
        """The newest runs of a window, as the store told of them at an instant."""
        assert self._opened is not None, "only who has a store is asked how it stood"
        found = self._opened().newest(pipeline=pipeline, since_ms=since_ms, as_of_ms=as_of_ms, limit=ceiling + 1)
        return page(since_ms, ceiling, [runs.run(each) for each in found])

    def _append(self, opened: Callable[[], RunTable], rows: Sequence[Row]) -> None:
        records = [each for row in rows for each in runs.due(row)]
        if not records:
            return
        try:
            opened().append(records)
        except Exception:
            LOG.warning("the store's table of runs was not appended to; trying again at a startup", exc_info=True)
            return
        for row in rows:  # one that is lost with the power is appended twice, and says the same
            self._rows.commit(runs.appended(row), survives=Survives.PROCESS)

    def _restored(self, records: Sequence[runs.Record]) -> int:
        latest = iter(sorted(runs.latest(records).items()))
        restored = 0
        while some := dict(islice(latest, TOGETHER)):

            def decide(some: dict[str, runs.Record] = some) -> tuple[int, Sequence[Change]]:
                standing = {run_id: self._rows.get(RUN, (run_id,)) for run_id in some}
                changes = [change for run_id, row in standing.items() for change in runs.restored(row, some[run_id])]
                return len(changes), changes

            restored += settle(self._rows, decide)
        return restored
