"""What steps of run.cancel play in a simulated world: keepers that beat, people who stop runs meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import contextful
from contextful.kernel.change import Change, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.run import cancel, record
from contextful.testing import SimRows, SimWorld, SkippingWorld
from tests.steps.stage import SCOPE, Stage

LOOK = cancel.marks()


class WatchedRows(SimRows):
    """Rows of the simulated world that count the reads of stops, and that fail where a scenario says so."""

    def __init__(self, rows: Rows, world: SimWorld) -> None:
        super().__init__(rows, world)
        self.looks = 0
        self.fails_at_look = 0
        self.panics: set[object] = set()

    def select(self, select: Select) -> Sequence[Row]:
        """As the rows beneath, but for one look."""
        if (select.table, select.order) == (LOOK.table, LOOK.order):
            self.looks += 1
            if self.looks == self.fails_at_look:
                raise StorageFailed("the catalog did not answer")
        return super().select(select)

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """As the rows beneath, but for one renewal."""
        for change in changes:
            if isinstance(change, Update) and set(change.set) == {"lease_expires_ms"}:
                run_id = change.key["run_id"]
                if run_id in self.panics:
                    self.panics.discard(run_id)
                    raise RuntimeError("the adapter panics")
        return super().commit(*changes, survives=survives)


class Simulation:
    """One simulated world over the stage's stores, which is the stage's while it is played."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.world = SimWorld(seed=1, now_ms=stage.world.now_ms())
        self.rows = WatchedRows(stage.rows, self.world)
        self.began_ms = self.world.now_ms()
        self.ended_ms = 0

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""
        self.world.wait(self.world.event(), duration_ms)

    def play(self, body: Callable[[], object]) -> object:
        """Let the process of the scenario come to its end; what it returned or raised."""

        def process() -> object:
            try:
                return body()
            finally:
                self.ended_ms = self.world.now_ms()

        stage, rows = self.stage, self.stage.rows
        self.world.process("run", process)
        stage.world, stage.rows = self.world, self.rows
        try:
            self.world.run()
        finally:
            stage.world, stage.rows = SkippingWorld(now_ms=self.world.now_ms()), rows
        return self.world.outcomes["run"]

    def stops(self, run_id: str, after_ms: int) -> None:
        """Somebody asks the run to stop, so long after the beginning."""

        def person() -> object:
            self.wait(after_ms)
            return self.stage.onlooker().stop(run_id)

        self.world.process("person", person)


class Kept:
    """Executions open on one engine, and what happens to them in turn."""

    def __init__(self, stage: Stage, count: int) -> None:
        self.simulation = Simulation(stage)
        self.run_ids = [f"r-{number}" for number in range(1, count + 1)]
        self.acts: list[Callable[[list[contextful.Execution]], None]] = []
        self.threads = -1
        self.renewed: set[str] = set()

    def play(self) -> None:
        """Open them, let it all happen, look, and let them go; once."""
        if self.threads < 0:
            outcome = self.simulation.play(self._play)
            assert outcome is None, outcome

    def _play(self) -> None:
        engine = self.simulation.stage.onlooker()
        runs = [engine.execution(f"{SCOPE}-{run_id}", "plan", run_id=run_id) for run_id in self.run_ids]
        opened = dict(self._leases())
        for act in self.acts:
            act(runs)
        self.simulation.wait(1)
        self.threads = self.simulation.world.running("contextful-keeper")
        self.renewed = {run_id for run_id, expires_ms in self._leases() if expires_ms != opened[run_id]}
        for run in runs:
            run.drop()

    def _leases(self) -> Iterator[tuple[str, int]]:
        for run_id in self.run_ids:
            lease = record.lease(self.simulation.rows.get(record.RUN, (run_id,)))
            if lease is not None:
                yield run_id, lease.expires_ms
