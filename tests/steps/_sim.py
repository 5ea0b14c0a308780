"""What steps of run.cancel play in a simulated world: keepers that beat, people who stop runs meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.parquet import ParquetStore
from contextful.kernel.change import Change, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Row, Select
from contextful.pipeline import compile
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import FileSource, PipelineSpec, TableSpec
from contextful.ports.observer import Nobody
from contextful.ports.rows import Rows
from contextful.run import cancel, record
from contextful.runner.land import Landings, Outcome
from contextful.store import lay_out
from contextful.testing import PagedSource, SimRows, SimWorld
from contextful_contract.shapes import ConnectorPin
from tests.steps.stage import SCOPE, Stage

HOUR_MS = 3_600_000
LOOK = cancel.marks()
PAGES = ([{"id": 1}, {"id": 2}], [{"id": 3}])
FILES = ConnectorPin(id="file", version="1", world="native", hash="h")
FIRE, NEXT_FIRE = "fire", "next"


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
    """One simulated world over the stage's stores."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.world = SimWorld(seed=1, now_ms=stage.world.now_ms())
        self.rows = WatchedRows(stage.rows, self.world)
        self.began_ms = self.world.now_ms()
        self.ended_ms = 0

    def engine(self) -> contextful.Engine:
        """An engine of the process that asks."""
        return contextful.Engine(self.rows, self.stage.blobs, self.world)

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""
        self.world.wait(self.world.event(), duration_ms)

    def play(self, body: Callable[[], object]) -> None:
        """Let the process of the scenario come to its end."""

        def process() -> object:
            try:
                return body()
            finally:
                self.ended_ms = self.world.now_ms()

        self.world.process("run", process)
        self.world.run()

    def stops(self, run_id: str, after_ms: int) -> None:
        """Somebody asks the run to stop, so long after the beginning."""

        def person() -> object:
            self.wait(after_ms)
            return self.engine().stop(run_id)

        self.world.process("person", person)


class Fire:
    """A fire of pipeline `shop` whose tables have two pages each, and which a stop of some scope meets on its way."""

    def __init__(self, stage: Stage, tables: Sequence[str], simulation: Simulation | None = None) -> None:
        self.stage = stage
        self.simulation = simulation or Simulation(stage)
        self.spec = PipelineSpec(
            id="shop",
            source=FileSource(path="-", format="ndjson"),
            tables=tuple(TableSpec(table) for table in tables),
        )
        self.sources = {table: Stopping(self, table) for table in tables}
        self.asks: dict[str, Callable[[], object]] = {}  # what the fire meets, by the place where it does
        self.stops_at_pull = 1

    def run_id(self, table: str, fire: str = FIRE) -> str:
        """The id of the table's run."""
        return fire if len(self.spec.tables) == 1 else f"{fire}.{table}"

    def meets(self, place: str, table: str, scope: str) -> None:
        """The stop comes there, and whatever that place does takes two beats longer."""

        def ask() -> None:
            self.engine().stop(self.run_id(table), scope=scope)
            self.simulation.wait(1_000)

        self.asks[f"{place} {table}"] = ask

    def at(self, place: str, table: str) -> None:
        """The fire is there now."""
        ask = self.asks.pop(f"{place} {table}", None)
        if ask is not None:
            ask()

    def engine(self) -> contextful.Engine:
        """An engine of the process that is at work."""
        return self.simulation.engine()

    def play(self, fire: str = FIRE) -> None:
        """Let the fire come to its end."""
        self.simulation.play(lambda: self.land(fire))
        outcome = self.simulation.world.outcomes["run"]
        assert isinstance(outcome, list), outcome

    def land(self, fire: str) -> Sequence[Outcome]:
        """Fire, in the process that is at work."""
        simulation = self.simulation
        store = ParquetStore(self.root, simulation.world, node_id="node", disk=LandingDisk(self))
        landings = Landings(
            self.engine(),
            simulation.rows,
            simulation.world,
            store,
            Nobody(),
            site_id="here",
            connectors=lambda _: FILES,
        )
        return landings.fire(self.spec, self.opened, run_id=fire)

    def play_next(self) -> None:
        """Another fire, in which nothing happens."""
        self.simulation = Simulation(self.stage)
        for source in self.sources.values():
            source.asked.clear()
        self.play(NEXT_FIRE)

    def opened(self, _: object, table: str) -> Stopping:
        """The table's source, before its first pull."""
        self.at("before the pull", table)
        return self.sources[table]

    @property
    def root(self) -> Path:
        """The store's folder."""
        return self.stage.folder / lay_out.root("shop")

    def landed(self, table: str) -> list[object]:
        """The ids that a read of the table finds."""
        readings = [plan.reading for plan in compile.tables(self.spec)]
        store = ParquetStore(self.root, self.simulation.world, node_id="node")
        found = DuckdbReads(store, readings).query(f"SELECT id FROM shop_{table} ORDER BY id", rows_max=100)
        return [row[0] for row in found.rows]


class Stopping(PagedSource):
    """A table's two pages; a stop may come during one of their pulls, which takes longer than that."""

    def __init__(self, fire: Fire, table: str) -> None:
        super().__init__(PAGES)
        self._fire = fire
        self._table = table

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The page, after what comes meanwhile."""
        batch = super().pull(ask, idempotency_key=idempotency_key)
        if len(self.asked) == self._fire.stops_at_pull:
            self._fire.at("during the pull", self._table)
        return batch


class LandingDisk(Disk):
    """A disk on which a stop may come when nothing of a landing is missing but its marker."""

    def __init__(self, fire: Fire) -> None:
        self._fire = fire

    def link(self, source: Path, target: Path) -> None:
        """As the disk beneath."""
        if target.name == lay_out.MANIFEST:
            for table in self._fire.sources:
                self._fire.at("during the landing", table)
        super().link(source, target)

    def sync(self, path: Path) -> None:
        """No power loss tests it."""


class Kept:
    """Executions open on one engine, and what happens to them in turn."""

    def __init__(self, stage: Stage, count: int) -> None:
        self.simulation = Simulation(stage)
        self.run_ids = [f"r-{number}" for number in range(1, count + 1)]
        self.acts: list[Callable[[list[contextful.Execution]], None]] = []
        self.threads = -1
        self.renewed: set[str] = set()

    def play(self) -> None:
        """Open them, let it all happen, look, and let them go."""
        if self.threads < 0:
            self.simulation.play(self._play)
            outcome = self.simulation.world.outcomes["run"]
            assert outcome is None, outcome

    def _play(self) -> None:
        engine = self.simulation.engine()
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
