"""A project's stores, and processes that come and go over them: what tests of table runs have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow.parquet as pq

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.memory import MemoryRows
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.row_blobs import RowBlobs
from contextful.pipeline import compile
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import FileSource, PipelineSpec, TableSpec
from contextful.ports.observer import BatchStaged, Observer, Progress, RunLanded
from contextful.ports.rows import Rows
from contextful.ports.source import Source
from contextful.run import advance
from contextful.run.record import Run
from contextful.runner.land import Landings, Success
from contextful.store.lay_out import Manifest
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingDisk, CrashingRows, PagedSource, SkippingWorld
from contextful.testing.clock import START_MS
from contextful_contract.limits import CHECKPOINT_BYTES
from contextful_contract.shapes import ConnectorPin, CursorKind

LEASE_LAPSED_MS = 31_000
PAGES = ([{"id": 1, "n": None}, {"id": 2, "n": None}], [{"id": 3, "n": 0.5}])
SPEC = PipelineSpec(id="shop", source=FileSource(path="-", format="ndjson"), tables=(TableSpec("orders"),))
(PLAN,) = compile.tables(SPEC)
MONOTONIC = replace(SPEC, cursor=CursorKind.MONOTONIC, incremental="at")
(CLOCKED,) = compile.tables(MONOTONIC)
ADS = ConnectorPin(id="ads", version="1.4.0", world="native", hash="h")
P0, P1, P2, P3 = (f'{{"page":{page}}}' for page in range(4))


class Unsynced(Disk):
    """A disk that no power loss will test."""

    def sync(self, path: Path) -> None:
        """Nothing to wait for."""


@dataclass
class Place:
    """A project's stores, and processes that come and go over them."""

    root: Path
    rows: Rows = field(default_factory=MemoryRows)
    now_ms: int = START_MS

    checkpoint_bytes: int = CHECKPOINT_BYTES

    def process(
        self, *, crashes: Crashes | None = None, observer: Observer | None = None, pid: int = 1
    ) -> tuple[Landings, SkippingWorld]:
        """A process's landings, and its world."""
        world = SkippingWorld(now_ms=self.now_ms, seed=pid)
        rows: Rows = self.rows
        disk: Disk = Unsynced()
        blobs: RowBlobs | CrashingBlobs = RowBlobs(rows)
        if crashes is not None:
            rows, disk, blobs = CrashingRows(rows, crashes), CrashingDisk(crashes), CrashingBlobs(blobs, crashes)
        engine = contextful.Engine(rows, blobs, world, observer=observer, site_id="here")
        store = ParquetStore(self.root, world, node_id="node", disk=disk)
        landings = Landings(
            engine,
            rows,
            world,
            store,
            site_id="here",
            connectors=lambda _: ADS,
            checkpoint_bytes=self.checkpoint_bytes,
        )
        return landings, world

    def land(
        self, source: Source, run_id: str, *, plan: TablePlan = PLAN, pid: int = 1, crashes: Crashes | None = None
    ) -> Success:
        """One run in a process of its own."""
        return self.process(pid=pid, crashes=crashes)[0].run(plan, lambda: source, run_id=run_id)

    def store(self) -> ParquetStore:
        """The store, to look at."""
        return ParquetStore(self.root, SkippingWorld(), node_id="node")

    def manifests(self, table: str = "shop_orders") -> Sequence[Manifest]:
        """The commits, in their order."""
        return sorted(self.store().manifests(table), key=lambda manifest: manifest.commit_seq)

    def select(self, sql: str, *plans: TablePlan) -> Sequence[tuple[object, ...]]:
        """What the committed rows answer."""
        return DuckdbReads(self.store(), [plan.reading for plan in plans or (PLAN,)]).query(sql, rows_max=100).rows

    def column(self, name: str) -> list[object]:
        """The column of every committed part, in the order of commits."""
        runs = self.root / "tables/shop_orders/data/runs"
        paths = [runs / each.run_id / "node" / part for each in self.manifests() for part in each.parts]
        return [value for path in paths for value in pq.read_table(path, columns=[name])[name].to_pylist()]

    def run_row(self, run_id: str) -> Run:
        """The run's row, which stands."""
        row = contextful.Engine(self.rows, RowBlobs(self.rows), SkippingWorld()).run(run_id)
        assert row is not None
        return row

    def cursor(self) -> advance.Cursor:
        """The cached position."""
        return advance.from_row(self.rows.get(advance.CURSOR, (PLAN.scope.key(),)), PLAN.scope)

    def pending(self) -> bool:
        """Whether the table has an owner."""
        return self.rows.get(advance.own.OWNER, (PLAN.scope.key(),)) is not None

    def files(self, suffix: str) -> list[str]:
        """The store's files of a kind."""
        return sorted(path.name for path in self.root.rglob(f"*{suffix}"))


class Told:
    """An observer that keeps what it was told, and what the source was asked by then."""

    def __init__(self, source: PagedSource) -> None:
        self.story: list[str] = []
        self._source = source

    def tell(self, progress: Progress) -> None:
        match progress:
            case BatchStaged(ordinal, rows):
                self.story.append(f"staged {ordinal} of {rows} rows after pulls {self._source.asked}")
            case RunLanded(rows, _, parts):
                self.story.append(f"landed {rows} rows in {parts} parts")
            case _:
                pass


def digests(place: Place) -> dict[str, str]:
    """Every committed part of the table, by its run and name."""
    return {
        f"{manifest.run_id}/{part}": hashlib.sha256(
            (place.root / "tables/shop_orders/data/runs" / manifest.run_id / "node" / part).read_bytes()
        ).hexdigest()
        for manifest in place.manifests()
        for part in manifest.parts
    }


class Dying:
    """A source whose process dies with the Crash that it raises, so that nothing can act on it."""

    def __init__(self, source: PagedSource, crashes: Crashes) -> None:
        self._source = source
        self._crashes = crashes
        self.journaled = source.journaled
        self.position_addressed = source.position_addressed
        self.pulls_max = source.pulls_max
        self.host = source.host

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        try:
            return self._source.pull(ask, idempotency_key=idempotency_key)
        except Crash:
            self._crashes.die()
            raise

    def close(self) -> None:
        """Nothing is held open."""
