"""Table runs: pulled, staged, committed once; killed anywhere, resumed, and equal to a run that nobody killed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.memory import MemoryRows
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import (
    CursorFieldMismatch,
    PipelineTableFailed,
    RunCheckpointIdTooLong,
    StepFailed,
    StoreManifestUnreadable,
    StoreReservedColumnName,
    StoreSchemaIncompatible,
)
from contextful.kernel.signal import Stopped
from contextful.kernel.table import Select
from contextful.pipeline import compile, land
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import FileSource, PipelineSpec, TableSpec
from contextful.ports.destination import Lot
from contextful.ports.observer import BatchStaged, Observer, Progress, RunLanded
from contextful.ports.rows import Rows
from contextful.ports.source import Source
from contextful.run import advance
from contextful.run.journal import journal
from contextful.run.record import Counts, Run
from contextful.runner.land import Landings, Success, Waiting
from contextful.store.lay_out import Manifest
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingDisk, CrashingRows, PagedSource, SkippingWorld
from contextful.testing.clock import START_MS
from contextful_contract.limits import CHECKPOINT_BYTES
from contextful_contract.shapes import ConnectorPin, CursorKind, FailureTag, OnTableError, RunStatus

LEASE_LAPSED_MS = 31_000
PAGES = ([{"id": 1, "n": None}, {"id": 2, "n": None}], [{"id": 3, "n": 0.5}])
SPEC = PipelineSpec(id="shop", source=FileSource(path="-", format="ndjson"), tables=(TableSpec("orders"),))
(PLAN,) = compile.tables(SPEC)
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


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "store")


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


@pytest.mark.clause("run.own.backpressure")
def test_each_batch_is_a_part_before_the_next_pull(place: Place) -> None:
    source = PagedSource(PAGES)
    told = Told(source)

    place.process(observer=told)[0].run(PLAN, lambda: source, run_id="r-1")

    assert told.story == [
        "staged 0 of 2 rows after pulls [0]",
        "staged 1 of 1 rows after pulls [0, 1]",
        "landed 3 rows in 2 parts",
    ]


@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.clause("store.lay-out.run-manifest")
def test_a_run_commits_its_parts_and_its_position_in_one_manifest(place: Place) -> None:
    landed = place.land(PagedSource(PAGES), "r-1")

    manifest = Manifest(
        run_id="r-1",
        table="shop_orders",
        node_id="node",
        parts=("part-00000.parquet", "part-00001.parquet"),
        committed_ms=START_MS,
        commit_seq=1,
        pipeline_id="shop",
        position=P2,
    )
    assert place.manifests() == [manifest]
    assert landed == Success("r-1", "shop_orders", rows=3, bytes=landed.bytes, parts=2, commits=1)
    assert place.files(".arrow") == []


@pytest.mark.clause("run.advance.commit-with-rows")
@pytest.mark.clause("run.own.retirement")
def test_success_caches_the_position_and_retires_the_owner(place: Place) -> None:
    landed = place.land(PagedSource(PAGES), "r-1")

    assert place.cursor() == advance.Cursor("table/shop/orders", 1, advance.Marker("r-1", START_MS, P2))
    assert not place.pending()
    row = place.run_row("r-1")
    assert (row.status, row.counts) == (RunStatus.SUCCESS, Counts(3, landed.bytes, batches=2))


@pytest.mark.clause("run.own.retirement")
def test_the_next_fire_is_another_execution_from_the_committed_position(place: Place) -> None:
    source = PagedSource(PAGES)
    place.land(source, "r-1")
    source.pages.append([{"id": 4, "n": 1.5}])

    place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 2]
    assert place.run_row("r-1").execution_id != place.run_row("r-2").execution_id
    assert place.select("SELECT id, _commit_seq FROM shop_orders ORDER BY id") == [(1, 1), (2, 1), (3, 1), (4, 2)]


@pytest.mark.clause("store.reserve.injected")
@pytest.mark.clause("run.record.writing-site")
@pytest.mark.clause("run.own.stage-instant")
def test_every_row_says_where_it_comes_from(place: Place) -> None:
    place.land(PagedSource(PAGES), "r-1")

    columns = "id, n, _run_id, _batch_seq, _row_seq, _site_id, _commit_seq, epoch_ms(_ingested_at::TIMESTAMPTZ)"
    assert place.select(f"SELECT {columns} FROM shop_orders ORDER BY _row_seq") == [
        (1, None, "r-1", 0, 0, "here", 1, START_MS),
        (2, None, "r-1", 0, 1, "here", 1, START_MS),
        (3, 0.5, "r-1", 1, 2, "here", 1, START_MS),
    ]


def digests(place: Place) -> dict[str, str]:
    """Every committed part of the table, by its run and name."""
    return {
        f"{manifest.run_id}/{part}": hashlib.sha256(
            (place.root / "tables/shop_orders/data/runs" / manifest.run_id / "node" / part).read_bytes()
        ).hexdigest()
        for manifest in place.manifests()
        for part in manifest.parts
    }


def operations(tmp_path: Path) -> int:
    """How many instants there are at which a run of two pages may die."""
    crashes = Crashes()
    Place(tmp_path / "counted").land(PagedSource(PAGES), "r-1", crashes=crashes)
    return crashes.count


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.clause("run.own.marker-reconciles")
def test_a_run_killed_anywhere_is_resumed_to_what_an_uninterrupted_one_lands(tmp_path: Path) -> None:
    whole = {run_id: Place(tmp_path / f"whole-{run_id}") for run_id in ("r-1", "r-2")}
    for run_id, place in whole.items():
        place.now_ms += LEASE_LAPSED_MS if run_id == "r-2" else 0
        place.land(PagedSource(PAGES), run_id)
    count = operations(tmp_path)
    assert count > 50, "the walk covers rows and files"

    for at in range(count):
        place = Place(tmp_path / f"killed-{at}")
        source = PagedSource(PAGES)
        with pytest.raises(Crash):
            place.land(source, "r-1", crashes=Crashes(at))
        place.now_ms += LEASE_LAPSED_MS
        place.land(source, "r-2", pid=2)

        committed = [manifest for manifest in place.manifests() if manifest.parts]
        landed = committed[0].run_id
        assert digests(place) == digests(whole[landed]), f"killed at operation {at}"
        assert committed == whole[landed].manifests()
        assert place.cursor().position == P2
        assert not place.pending()
        assert place.run_row("r-2").status is RunStatus.SUCCESS


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.clause("run.retry.no-double-spend")
def test_a_resumed_run_asks_for_no_recorded_page_again(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [Crash()]})
    crashes = Crashes()
    with pytest.raises(Crash):
        place.land(Dying(source, crashes), "r-1", crashes=crashes)

    place.now_ms += LEASE_LAPSED_MS
    place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 1]
    assert source.keys[1] == source.keys[2]


class Dying:
    """A source whose process dies with the Crash that it raises, so that nothing can act on it."""

    def __init__(self, source: PagedSource, crashes: Crashes) -> None:
        self._source = source
        self._crashes = crashes
        self.journaled = source.journaled
        self.position_addressed = source.position_addressed
        self.pulls_max = source.pulls_max

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        try:
            return self._source.pull(ask, idempotency_key=idempotency_key)
        except Crash:
            self._crashes.die()
            raise

    def close(self) -> None:
        """Nothing is held open."""


@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.clause("run.own.stage-discard")
def test_a_run_that_fails_commits_nothing_and_removes_what_it_staged(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]})

    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    row = place.run_row("r-1")
    assert (row.status, row.error_kind, row.counts) == (RunStatus.FAILED, FailureTag.PERMANENT, Counts())
    assert place.manifests() == []
    assert place.files(".arrow") == []
    assert place.cursor().position is None


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.parametrize(("page", "held"), [(0, False), (1, True)], ids=["before any batch", "after a batch"])
def test_a_failure_holds_the_owner_once_a_batch_is_recorded(place: Place, page: int, held: bool) -> None:
    source = PagedSource(PAGES, failures={page: [contextful.Permanent("gone")]})

    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    assert place.pending() is held


@pytest.mark.clause("run.own.one-commit-per-run")
def test_the_run_after_a_failure_goes_on_from_the_recorded_page(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]})
    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    landed = place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 1]
    assert landed.rows == 3
    assert place.cursor().position == P2


@pytest.mark.clause("run.own.stage-discard")
def test_a_crash_leaves_its_staged_parts(place: Place) -> None:
    crashes = Crashes()
    source = PagedSource(PAGES, failures={1: [Crash()]})

    with pytest.raises(Crash):
        place.land(Dying(source, crashes), "r-1", crashes=crashes)

    assert place.files(".arrow") == ["00000.arrow"]
    assert place.manifests() == []


@pytest.mark.clause("run.own.live-owner")
def test_a_second_process_is_turned_away_while_the_first_one_lives(place: Place) -> None:
    first, _ = place.process()
    turned_away: list[BaseException] = []

    class Meddling(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            if not turned_away:
                with pytest.raises(contextful.Transient) as refusal:
                    place.land(PagedSource(PAGES), "r-2", pid=2)
                turned_away.append(refusal.value)
            return super().pull(ask, idempotency_key=idempotency_key)

    first.run(PLAN, lambda: Meddling(PAGES), run_id="r-1")

    assert "r-1" in str(turned_away[0])
    assert place.run_row("r-2").status is RunStatus.FAILED
    assert [manifest.run_id for manifest in place.manifests()] == ["r-1"]


@pytest.mark.clause("run.journal.current-owner")
def test_an_attempt_that_was_superseded_publishes_nothing(place: Place) -> None:
    zombie, _ = place.process()

    class Slow(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            if not answer.more:
                place.now_ms += LEASE_LAPSED_MS
                place.land(PagedSource(PAGES), "r-2", pid=2)
            return answer

    with pytest.raises(Stopped):
        zombie.run(PLAN, lambda: Slow(PAGES), run_id="r-1")

    assert [manifest.run_id for manifest in place.manifests()] == ["r-2"]
    assert place.select("SELECT count(*) FROM shop_orders") == [(3,)]


def test_a_commit_that_another_attempt_of_the_execution_made_is_taken_for_ones_own(place: Place) -> None:
    """The zombie published between the takeover and our commit: its rows are ours, and land once."""
    crashes = Crashes()
    with pytest.raises(Crash):
        place.land(Dying(PagedSource(PAGES, failures={1: [Crash()]}), crashes), "r-1", crashes=crashes)
    place.now_ms += LEASE_LAPSED_MS

    class Overtaken(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            stage = place.store().stage(Lot(PLAN.table, "r-1", "shop", "here"))
            for page in PAGES:
                stage.add(land.shape(PLAN.table, page, stage.schema))
            stage.commit(P2, known=None, attempts=("r-1",), admit=lambda: None)
            return answer

    place.land(Overtaken(PAGES), "r-2", pid=2)

    assert [manifest.run_id for manifest in place.manifests()] == ["r-1"]
    assert (place.cursor().marker, place.pending()) == (advance.Marker("r-1", SkippingWorld().now_ms(), P2), False)


@pytest.mark.clause("run.own.source-stage-schema")
def test_a_batch_that_does_not_fit_retires_the_owner_and_a_repaired_source_is_asked_again(place: Place) -> None:
    source = PagedSource([[{"id": 1}], [{"id": "two"}]])
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        place.land(source, "r-1")
    source.pages[1] = [{"id": 2}]

    landed = place.land(source, "r-2", pid=2)

    assert vars(refusal.value) == {"table": "shop_orders", "column": "id", "stored": "int64", "arriving": "utf8"}
    assert place.run_row("r-1").error_kind is FailureTag.SCHEMA_INCOMPATIBLE
    assert source.asked == [0, 1, 0, 1]
    assert landed.rows == 2


@pytest.mark.clause("store.reconcile.promotion-exact")
def test_integers_beside_floats_that_do_not_hold_them_retire_the_owner(place: Place) -> None:
    with pytest.raises(StoreSchemaIncompatible):
        place.land(PagedSource([[{"id": (1 << 53) + 1}], [{"id": 0.5}]]), "r-1")

    assert place.run_row("r-1").error_kind is FailureTag.SCHEMA_INCOMPATIBLE
    assert (place.manifests(), place.pending(), place.files(".arrow"), place.files(".parquet")) == ([], False, [], [])


@pytest.mark.clause("store.reserve.column-namespaces")
def test_a_producer_cannot_fill_the_engines_columns(place: Place) -> None:
    with pytest.raises(StoreReservedColumnName) as refusal:
        place.land(PagedSource([[{"id": 1, "_run_id": "mine"}]]), "r-1")

    assert refusal.value.column == "_run_id"
    assert place.manifests() == []


@pytest.mark.clause("run.journal.opt-out")
def test_an_empty_pull_is_not_recorded(place: Place) -> None:
    source = PagedSource([[], [{"id": 1}]], failures={1: [contextful.Permanent("gone")]})

    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    assert place.rows.select(Select(journal.ENTRY, {}, limit=10)) == []
    assert not place.pending()


@pytest.mark.clause("run.journal.opt-out")
def test_a_source_that_opts_out_has_no_pull_recorded(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]}, journaled=False)
    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 0, 1]


@pytest.mark.clause("run.record.skipped-count")
def test_what_the_source_skipped_is_counted_in_replayed_pulls_too(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]}, skipped={0: 4})
    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    place.land(source, "r-2", pid=2)

    assert place.run_row("r-2").counts.skipped == 4


@pytest.mark.clause("run.own.stage-commit-seq")
def test_the_run_that_commits_first_has_the_lower_sequence(place: Place) -> None:
    other = replace(PLAN, pipeline_id="other")

    class Overtaken(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            if not answer.more:
                place.land(PagedSource([[{"id": 9}]]), "r-c", plan=other, pid=2)
            return answer

    place.land(Overtaken(PAGES), "r-s")

    assert place.select("SELECT DISTINCT _run_id, _commit_seq FROM shop_orders ORDER BY 2") == [("r-c", 1), ("r-s", 2)]


@pytest.mark.clause("connector.source.page-cap")
def test_a_walk_that_reaches_its_cap_commits_as_one_that_has_more(place: Place) -> None:
    source = PagedSource([[{"id": 1}], [{"id": 2}], [{"id": 3}]], pulls_max=2)

    landed = place.land(source, "r-1")

    assert landed.rows == 2
    assert place.cursor().position == P2


@pytest.mark.clause("run.retry.waiting-state")
def test_a_pull_whose_wait_is_long_leaves_the_run_waiting(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.RateLimited("busy", retry_after_ms=900_000)]})
    landings, _ = place.process()

    outcomes = landings.fire(SPEC, lambda *_: source, run_id="r-1")

    assert outcomes == [Waiting("r-1", START_MS + 900_000)]
    assert place.run_row("r-1").status is RunStatus.WAITING
    assert place.pending()
    assert place.files(".arrow") == []


MONOTONIC = replace(SPEC, cursor=CursorKind.MONOTONIC, incremental="at")
(CLOCKED,) = compile.tables(MONOTONIC)
(KEYED,) = compile.tables(replace(MONOTONIC, tables=(TableSpec("orders", primary_key=("id",)),)))


@pytest.mark.clause("run.advance.inclusive-boundary")
@pytest.mark.parametrize(("plan", "count"), [(KEYED, 3), (CLOCKED, 4)], ids=["keyed", "keyless"])
def test_the_boundary_lands_again_and_a_key_absorbs_it(place: Place, plan: TablePlan, count: int) -> None:
    rows = [{"id": clock, "at": clock} for clock in (1, 2, 3)]
    place.land(PagedSource([rows]), "r-1", plan=plan)

    second = PagedSource([rows])
    place.land(second, "r-2", plan=plan, pid=2)

    assert second.floors == [3]
    assert place.cursor().position == advance.watermark("at", 3)
    assert place.select("SELECT count(*) FROM shop_orders", plan) == [(count,)]


@pytest.mark.clause("run.advance.frontier")
def test_an_older_window_takes_no_position_back(place: Place) -> None:
    place.land(PagedSource([[{"id": 1, "at": "2026-03-02T00:00:00Z"}]]), "r-1", plan=CLOCKED)

    place.land(PagedSource([[{"id": 2, "at": "2026-03-01T00:00:00Z"}]]), "r-2", plan=CLOCKED, pid=2)

    assert place.cursor().position == advance.watermark("at", "2026-03-02T00:00:00Z")
    assert place.select("SELECT id FROM shop_orders") == [(1,)]


@pytest.mark.clause("run.advance.field-rename")
def test_another_clock_field_is_refused_before_any_request(place: Place) -> None:
    place.land(PagedSource([[{"id": 1, "at": 1}]]), "r-1", plan=CLOCKED)
    source = PagedSource([[{"id": 1, "at": 1, "updated": 1}]])
    (renamed,) = compile.tables(replace(MONOTONIC, incremental="updated"))

    with pytest.raises(CursorFieldMismatch) as refusal:
        place.land(source, "r-2", plan=renamed, pid=2)

    assert vars(refusal.value) == {"stored": "at", "declared": "updated"}
    assert source.asked == []
    assert place.run_row("r-2").status is RunStatus.FAILED


@pytest.mark.clause("run.advance.walk-position")
def test_a_monotonic_walk_that_stands_still_ends_and_commits_its_frontier(place: Place) -> None:
    class Still(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            return replace(answer, position=ask.position, more=True) if answer.row_count == 0 else answer

    place.land(Still([[{"id": 1, "at": 7}], []]), "r-1", plan=CLOCKED)

    assert place.cursor().position == advance.watermark("at", 7)


TWO = replace(SPEC, tables=(TableSpec("orders"), TableSpec("items")))


def failing_orders(_: object, table: str) -> PagedSource:
    """A source whose first table is gone."""
    return PagedSource(PAGES, failures={0: [contextful.Permanent("gone")]} if table == "orders" else {})


@pytest.mark.clause("run.land.on-table-error")
@pytest.mark.clause("run.land.table-failed")
@pytest.mark.parametrize(
    ("on_table_error", "landed"), [(OnTableError.ABORT, []), (OnTableError.CONTINUE, ["fire.items"])], ids=str
)
def test_a_failed_table_halts_the_fire_or_lets_the_others_land(
    place: Place, on_table_error: OnTableError, landed: list[str]
) -> None:
    landings, _ = place.process()

    with pytest.raises(PipelineTableFailed) as refusal:
        landings.fire(replace(TWO, on_table_error=on_table_error), failing_orders, run_id="fire")

    assert vars(refusal.value) == {"table": "orders", "tag": FailureTag.PERMANENT, "run_id": "fire.orders"}
    assert [manifest.run_id for manifest in place.manifests("shop_items")] == landed


@pytest.mark.clause("store.lay-out.manifest-unreadable")
def test_a_manifest_cut_in_half_fails_the_run_before_any_pull(place: Place) -> None:
    place.land(PagedSource(PAGES), "r-1")
    path = place.root / "tables/shop_orders/data/runs/r-1/node/_manifest.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    source = PagedSource(PAGES)

    with pytest.raises(StoreManifestUnreadable):
        place.land(source, "r-2", pid=2)
    path.write_bytes(whole)

    assert source.asked == []
    assert place.run_row("r-2").error_kind is FailureTag.STORAGE
    assert place.land(source, "r-3", pid=3).rows == 0


SIX = [[{"id": page}] for page in range(6)]


def part_bytes(place: Place) -> int:
    """How many bytes a page of one row stages."""
    stage = place.store().stage(Lot(PLAN.table, "measured", "shop", "here"))
    size = stage.add(land.shape(PLAN.table, SIX[0], stage.schema))
    stage.discard()
    return size


@pytest.fixture
def checkpointed(place: Place) -> Place:
    """A place that commits every two pages of one row."""
    place.checkpoint_bytes = 2 * part_bytes(place)
    return place


@pytest.mark.clause("run.own.checkpoint-commit")
@pytest.mark.clause("run.own.checkpoint-run-id")
def test_a_long_run_commits_at_checkpoints_each_with_its_position(checkpointed: Place) -> None:
    landed = checkpointed.land(PagedSource(SIX), "r-1")

    assert [(manifest.run_id, manifest.position, len(manifest.parts)) for manifest in checkpointed.manifests()] == [
        ("r-1", P2, 2),
        ("r-1.000001", '{"page":4}', 2),
        ("r-1.000002", '{"page":6}', 2),
    ]
    assert (landed.rows, landed.parts, landed.commits) == (6, 6, 3)
    assert checkpointed.run_row("r-1").counts == Counts(6, landed.bytes, batches=6)


@pytest.mark.clause("run.own.checkpoint-resume")
def test_a_run_killed_after_a_checkpoint_goes_on_from_it(checkpointed: Place) -> None:
    crashes = Crashes()
    source = PagedSource(SIX, failures={2: [Crash()]})
    with pytest.raises(Crash):
        checkpointed.land(Dying(source, crashes), "r-1", crashes=crashes)
    recorded = [row["state"] for row in checkpointed.rows.select(Select(journal.ENTRY, {}, limit=10))]
    position, pending = checkpointed.cursor().position, checkpointed.pending()
    checkpointed.now_ms += LEASE_LAPSED_MS

    checkpointed.land(source, "r-2", pid=2)

    assert (position, pending, recorded) == (P2, True, ["pending"])
    assert source.asked == [0, 1, 2, 2, 3, 4, 5]
    assert [manifest.run_id for manifest in checkpointed.manifests()] == ["r-1", "r-2", "r-2.000001"]
    assert checkpointed.run_row("r-1").execution_id == checkpointed.run_row("r-2").execution_id


@pytest.mark.clause("run.own.checkpoint-landed")
def test_a_run_that_fails_after_a_checkpoint_counts_what_landed(checkpointed: Place) -> None:
    with pytest.raises(StepFailed):
        checkpointed.land(PagedSource(SIX, failures={3: [contextful.Permanent("gone")]}), "r-1")

    row = checkpointed.run_row("r-1")
    assert (row.status, row.counts.rows, row.counts.batches) == (RunStatus.FAILED, 2, 2)
    assert checkpointed.select("SELECT count(*) FROM shop_orders") == [(2,)]
    assert checkpointed.files(".arrow") == []


@pytest.mark.clause("run.own.checkpoint-scope")
def test_a_walk_whose_positions_are_not_stable_commits_once(checkpointed: Place) -> None:
    landed = checkpointed.land(PagedSource(SIX, position_addressed=False), "r-1")

    assert (landed.rows, landed.commits) == (6, 1)


@pytest.mark.clause("run.own.checkpoint-id-length")
def test_a_run_whose_checkpoints_cannot_be_named_commits_nothing(checkpointed: Place) -> None:
    with pytest.raises(RunCheckpointIdTooLong):
        checkpointed.land(PagedSource(SIX), "a" * 122)

    assert checkpointed.manifests() == []
    assert not checkpointed.pending()


@pytest.mark.clause("run.own.checkpoint-frontier")
def test_no_instant_has_rows_in_two_commits(checkpointed: Place) -> None:
    clocks = [[1, 1], [1], [2], [2], [3]]
    source = PagedSource([[{"id": 0, "at": at} for at in page] for page in clocks])
    checkpointed.checkpoint_bytes = 1

    checkpointed.land(source, "r-1", plan=CLOCKED)

    assert [manifest.position for manifest in checkpointed.manifests()] == [
        advance.watermark("at", at) for at in (1, 2, 3)
    ]
    assert checkpointed.select('SELECT "at", count(DISTINCT _run_id) FROM shop_orders GROUP BY 1 ORDER BY 1') == [
        (1, 1),
        (2, 1),
        (3, 1),
    ]


@pytest.mark.clause("run.own.checkpoint-resume")
@pytest.mark.clause("run.own.marker-reconciles")
def test_a_checkpointed_run_killed_anywhere_lands_each_row_once(tmp_path: Path) -> None:
    four, checkpoint_bytes = SIX[:4], 2 * part_bytes(Place(tmp_path / "measured"))
    crashes = Crashes()
    counted = Place(tmp_path / "counted", checkpoint_bytes=checkpoint_bytes)
    assert counted.land(PagedSource(four), "r-1", crashes=crashes).commits == 2

    for at in range(crashes.count):
        place = Place(tmp_path / f"killed-{at}", checkpoint_bytes=checkpoint_bytes)
        source = PagedSource(four)
        with pytest.raises(Crash):
            place.land(source, "r-1", crashes=Crashes(at))
        place.now_ms += LEASE_LAPSED_MS
        place.land(source, "r-2", pid=2)

        assert sorted(place.column("id")) == [0, 1, 2, 3], f"killed at operation {at}"
        assert (place.cursor().position, place.pending()) == ('{"page":4}', False)
