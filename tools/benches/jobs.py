"""What a job's row costs whose body takes one recorded step of a millisecond, beside the same calls in a bare pool."""

from __future__ import annotations

import resource
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from tools.benches import Goal, Row
from tools.command import ROOT

if TYPE_CHECKING:
    from contextful.pipeline.spec import JobSpec
    from contextful.ports.read_face import Answer

CALL_S = 0.001
SLOTS = (1, 16, 64)
ROWS_A_SLOT = {1: 500, 16: 4_000, 64: 4_000}
ITEMS = 400
MANY = 50_000
SOME = 10_000


def rows() -> Sequence[Row]:
    """Rows a second as a batch, at several widths; as items; memory by the row; and how soon a resumption works."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    found: list[Row] = []
    with TemporaryDirectory(dir=ROOT / "build") as folder:
        for slots in SLOTS:
            count, bare = ROWS_A_SLOT[slots], f"bare pool of {slots}"
            goal = Goal(at_least=0.8, of_ratio=True) if slots == 16 else None
            found.append(Row(bare, count / _bare_s(count, slots), "rows a second"))
            took_s = Bench(Path(folder) / f"batch-{slots}", count, slots).fire_s()
            found.append(Row(f"batch, {slots} in flight", count / took_s, "rows a second", bare, goal))
        items_s = Bench(Path(folder) / "items", ITEMS, 16, isolated=True).fire_s()
        found.append(Row("items, 16 in flight", ITEMS / items_s, "rows a second", "bare pool of 16"))
        found += _many(Path(folder))
    return found


def _bare_s(count: int, slots: int) -> float:
    start = perf_counter()
    with ThreadPoolExecutor(slots) as pool:
        for _ in pool.map(sleep, [CALL_S] * count):
            pass
    return perf_counter() - start


def _many(folder: Path) -> Sequence[Row]:
    """A job of many rows that is killed once all of them are on record, and the fire that resumes it."""
    Bench(folder / "some", SOME, 16, call_s=0).fire_s()
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bench = Bench(folder / "many", MANY, 16, call_s=0)
    bench.gives_up = MANY - 16
    with suppress(KeyboardInterrupt):
        bench.fire_s()
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib) / 1024
    bench.gives_up, start = None, perf_counter()
    bench.fire_s()
    return (
        Row(f"memory from {SOME:,} rows to {MANY:,}", grown_mib, "MiB more"),
        Row(f"resumed of {MANY:,} rows, first row entered", bench.entered_s - start, "s", goal=Goal(at_most=2.0)),
    )


class Bench:
    """A job over so many rows, in a folder of its own."""

    def __init__(self, folder: Path, count: int, slots: int, *, isolated: bool = False, call_s: float = CALL_S) -> None:
        self._folder = folder
        self._count = count
        self._slots = slots
        self._isolated = isolated
        self._call_s = call_s
        self.gives_up: int | None = None  # how many rows may be entered
        self.entered = 0
        self.entered_s = 0.0
        self._turn = threading.Lock()

    def query(self, sql: str, *, rows_max: int, **_: object) -> Answer:  # noqa: ARG002
        """The input."""
        from contextful.ports.read_face import Answer

        held = [(str(number),) for number in range(min(rows_max, self._count))]
        return Answer(("id",), ("VARCHAR",), held, truncated=False, snapshots={})

    def body(self, row: Any) -> None:
        """One recorded step, one row."""
        with self._turn:
            self.entered += 1
            self.entered_s = self.entered_s or perf_counter()
            if self.gives_up is not None and self.entered > self.gives_up:
                raise KeyboardInterrupt
        row.step("call", sleep, self._call_s)
        row.emit("scores", {"id": row["id"]})

    def fire_s(self) -> float:
        """How long a fire takes, in a process's worth of stores."""
        from contextful.adapters.item_table import ParquetItemTable
        from contextful.adapters.parquet import ParquetStore
        from contextful.adapters.system import SystemWorld
        from contextful.faces import stores
        from contextful.pipeline import compile
        from contextful.runner.bodies import Bodies
        from contextful.runner.engine import Engine
        from contextful.runner.items import Items
        from contextful.runner.job import Jobs
        from contextful.runner.land import Landings
        from contextful_contract.shapes import ConnectorPin

        world, bodies = SystemWorld(), Bodies()
        bodies.register("score", effects=["call"], implementation="bench")(self.body)
        store = ParquetStore(self._folder / "store", world, node_id="bench")
        pin = ConnectorPin(id="body", version="1", world="native", hash="bench")
        self.entered, self.entered_s = 0, 0.0
        kept = stores.local(self._folder, world)
        with Engine(kept.rows, kept.blobs, world) as engine:
            landings = Landings(engine, kept.rows, world, store, site_id="bench", connectors=lambda _: pin)
            table = ParquetItemTable(store, site_id="bench")
            isolated = Items(engine, kept.rows, world, landings, lambda: table)
            jobs = Jobs(engine, world, self, landings, isolated=isolated)
            start = perf_counter()
            jobs.fire(compile.job(self._spec()), bodies.body("score", job="score"), run_id=f"fire-{world.draw(64):x}")
            return perf_counter() - start

    def _spec(self) -> JobSpec:
        from contextful.pipeline.spec import JobSpec, TableSpec
        from contextful_contract.shapes import IsolatedItems, JobKind

        spec = JobSpec(
            "score",
            JobKind.STORE_DRIVEN,
            body="score",
            statement="select id from given",
            max_in_flight=self._slots,
            tables=(TableSpec("scores"),),
        )
        declared = IsolatedItems(key=("id",), entity_key=("id",), entity_namespace="rows", attempts=1)
        return replace(spec, items=declared) if self._isolated else spec
