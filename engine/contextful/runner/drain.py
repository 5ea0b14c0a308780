"""Performs store.drain: reads the marks of runs, and settles them once a push has committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextful.kernel.table import Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import record
from contextful.runner.push import Pushed
from contextful.store import drain
from contextful.store.drain import Mark

PAGE = 1_000
TOGETHER = 200  # marks that are settled in one commit


@dataclass(frozen=True, slots=True)
class Unpushed:
    """Whose disk runs are committed on, and whether a run has committed anything there."""

    node_id: str
    landed: Callable[[str], bool]


class Marks:
    """The marks in one execution database."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world

    def all(self) -> Sequence[Mark]:
        """Every marked run, by its id."""
        found: list[Mark] = []
        page = self._page(None)
        while page:  # ends: each page comes after the one before
            found += page
            page = self._page(page[-1].run.run_id) if len(page) >= PAGE else []
        return found

    def due(self, node_id: str, held: Callable[[], Sequence[str]]) -> Sequence[str]:
        """The node's runs that have to be pushed before anything is read; `held` tells the paths that stand here."""
        marks = self.all()
        return drain.due(marks, node_id, held=drain.runs(held()), now_ms=self._now_ms()) if marks else ()

    def settle(self, pushed: Pushed) -> Sequence[str]:
        """Settle every mark after a push; the runs that it found lost."""
        held, listed = drain.runs(pushed.held), drain.runs(pushed.listed.keys())
        settled = drain.settled(self.all(), held=held, listed=listed, now_ms=self._now_ms())
        for at in range(0, len(settled.changes), TOGETHER):
            some = settled.changes[at : at + TOGETHER]
            if not self._rows.commit(*some):  # a run has closed meanwhile, or another push has settled one of these
                for change in some:
                    self._rows.commit(change)
        return settled.lost

    def _page(self, after: str | None) -> list[Mark]:
        asked = Select(record.RUN, {}, order="unpushed", since=after, limit=PAGE + 1)
        marks = [drain.mark(row) for row in self._rows.select(asked)]
        return [each for each in marks if each.run.run_id != after]

    def _now_ms(self) -> int:
        return self._rows.now_ms(self._world.now_ms())
