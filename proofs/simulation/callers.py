"""Callers at once under one key, simulated: a seed is a history of who goes first, who dies, whose lease lapses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.signal import Stopped
from contextful.kernel.table import Select
from contextful.run.journal import journal
from contextful.testing import Crash, SimRows, SimWorld

OPENS_MAX = 1_000
PROCESSES_MAX = 20
POLL_MS = 5_000


class Callers:
    """Processes that open one scope, each with some callers of the one step; and what they came to."""

    def __init__(self, world: SimWorld, *, tasks: int) -> None:
        self._world = world
        self._tasks = tasks
        self._rows = MemoryRows()
        self.calls = 0
        self.given: defaultdict[str, list[object]] = defaultdict(list)
        self.seen: Counter[str] = Counter()

    def live(self, *names: str) -> None:
        """Run processes of these names at once, and then others one by one, until no work is pending."""
        for name in names:
            self._world.process(name, self._process)
        self._world.run()
        onlooker = contextful.Engine(self._rows, RowBlobs(self._rows), self._world)
        for number in range(PROCESSES_MAX):
            if onlooker.pending("callers") is None:
                return
            self._world.process(f"late-{number}", self._process)
            self._world.run()
        raise AssertionError(f"{PROCESSES_MAX} processes in a row did not close the work")

    def leftovers(self) -> int:
        """How many entries outlived their execution."""
        return sum(len(self._rows.select(Select(journal.ENTRY, {"execution_id": id}))) for id in self.given)

    def _process(self) -> None:
        rows = SimRows(self._rows, self._world)
        engine = contextful.Engine(rows, RowBlobs(rows), self._world)
        try:
            for _ in range(OPENS_MAX):
                try:
                    self._attempt(engine)
                    self.seen["closed"] += 1
                    return
                except contextful.Transient:
                    self.seen["turned away"] += 1
                    self._world.wait(self._world.event(), POLL_MS)
            raise AssertionError(f"{OPENS_MAX} opens in a row were turned away")
        except Stopped:
            self.seen["superseded"] += 1
        except Crash:
            self.seen["died"] += 1
            raise

    def _attempt(self, engine: contextful.Engine) -> None:
        with engine.execution("callers", "plan") as run:
            others = [self._world.start(f"caller-{number}", self._caller(run)) for number in range(1, self._tasks)]
            self._caller(run)()
            for other in others:
                other.join()

    def _caller(self, run: contextful.Execution) -> Callable[[], None]:
        def call() -> None:
            try:
                self.given[run.execution_id].append(run.step("charge", self._effect))
            except Stopped:
                self.seen["superseded"] += 1

        return call

    def _effect(self) -> int:
        self.calls += 1
        number = self.calls
        self._world.pause("effect")
        return number
