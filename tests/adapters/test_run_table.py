"""The store's table of runs: what is appended stays as it was, through folds and under bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.run_table import ParquetRunTable
from contextful.kernel.shape import to_json
from contextful.run.record import Counts, Process, Run
from contextful.run.shown import run_row
from contextful.store import lay_out, runs
from contextful.testing import SkippingWorld
from contextful_contract.shapes import Grant, GrantAction, Phase, RunStatus, StopMark
from tests.steps.shop import Unsynced

HOUR_MS = 3_600_000


def shown(run_id: str, *, phase: Phase = Phase.COMMIT, rows: int = 0) -> runs.Record:
    run = Run(
        run_id,
        "exec-1",
        "plan",
        "here",
        RunStatus.SUCCESS if phase is Phase.COMMIT else RunStatus.RUNNING,
        1_000,
        pipeline_id="shop",
        phase=phase,
        counts=Counts(rows=rows),
        process=Process(7, "boot", "holder"),
        stop=StopMark(requested_at=5_000, scope="run", reason="enough"),
    )
    return to_json(run_row(run))


@pytest.fixture
def store(tmp_path: Path) -> ParquetStore:
    return ParquetStore(tmp_path, SkippingWorld(), node_id="node", disk=Unsynced())


@pytest.fixture
def table(store: ParquetStore) -> ParquetRunTable:
    return ParquetRunTable(store, site_id="here")


def ids(table: ParquetRunTable) -> list[str]:
    return [row["run_id"] for batch in table.batches() for row in batch]


@pytest.mark.clause("run.record.record-folds")
def test_folds_lose_no_row_and_keep_their_order(table: ParquetRunTable, store: ParquetStore) -> None:
    appended = [f"r-{number}" for number in range(125)]

    for run_id in appended:
        table.append([shown(run_id)])

    snapshot = store.snapshot(runs.TABLE)
    assert snapshot is not None
    assert [part.rows for part in snapshot.parts] == [100]
    assert ids(table) == appended


@pytest.mark.clause("run.record.time-travel")
def test_a_bounded_read_tells_the_rows_of_a_fold_apart(table: ParquetRunTable, store: ParquetStore) -> None:
    stamps = []
    for number in range(60):
        store.world.wait(store.world.event(), 1_000)
        stamps.append(store.world.now_ms())
        table.append([shown(f"r-{number:02d}")])

    found = table.newest(pipeline="shop", since_ms=None, as_of_ms=stamps[9], limit=100)

    assert [row["run_id"] for row in found] == [f"r-{number:02d}" for number in reversed(range(10))]


def test_a_day_of_few_runs_is_folded_by_the_clock(table: ParquetRunTable, store: ParquetStore) -> None:
    table.append([shown("r-1")])
    store.world.wait(store.world.event(), 6 * HOUR_MS)

    table.append([shown("r-2")])

    snapshot = store.snapshot(runs.TABLE)
    assert snapshot is not None
    assert (ids(table), len(snapshot.includes_runs)) == (["r-1", "r-2"], 2)


def test_folded_commits_and_displaced_snapshots_go_once_nobody_can_be_reading_them(
    table: ParquetRunTable, store: ParquetStore
) -> None:
    folder = store.root / lay_out.table_folder(runs.TABLE)
    for number in range(50):
        table.append([shown(f"r-{number}")])
    store.world.wait(store.world.event(), 7 * HOUR_MS)

    table.append([shown("last")])

    assert len(list((folder / lay_out.RUNS).iterdir())) == 1
    assert len(list((folder / lay_out.SNAPSHOTS).iterdir())) == 2
    assert len(ids(table)) == 51


def test_a_clock_that_goes_back_leaves_the_order_of_appends(table: ParquetRunTable, store: ParquetStore) -> None:
    table.append([shown("r-1", rows=1)])
    store.world.skip(-HOUR_MS)  # type: ignore[attr-defined]

    table.append([shown("r-1", rows=2)])

    (newest,) = table.newest(pipeline=None, since_ms=None, as_of_ms=1 << 50, limit=10)
    assert newest["rows"] == 2


def test_the_row_of_the_close_is_told_before_that_of_the_open(table: ParquetRunTable) -> None:
    table.append([shown("r-1", phase=Phase.COMMIT)])
    table.append([shown("r-1", phase=Phase.PLAN)])

    (newest,) = table.newest(pipeline=None, since_ms=None, as_of_ms=1 << 50, limit=10)

    assert newest["phase"] == "commit"


def test_what_is_read_back_makes_the_run_that_was_appended(table: ParquetRunTable) -> None:
    table.append([shown("r-1", rows=3)])

    ((record,),) = table.batches()
    assert to_json(run_row(runs.run(record))) == shown("r-1", rows=3)


def test_it_is_hidden_from_whoever_may_not_read_every_pipeline(table: ParquetRunTable, store: ParquetStore) -> None:
    table.append([shown("r-1")])
    tables = Grant(actions=(GrantAction.READ,), tables=("*",), pipelines=("shop",))
    every = Grant(actions=(GrantAction.READ,), tables=("*",), pipelines=("*",))

    counted = DuckdbReads(store, (), grants=[every]).query("SELECT count(*) FROM _runs", rows_max=1)

    assert counted.rows == [(1,)]
    with pytest.raises(Exception, match="_runs"):
        DuckdbReads(store, (), grants=[tables]).query("SELECT count(*) FROM _runs", rows_max=1)
