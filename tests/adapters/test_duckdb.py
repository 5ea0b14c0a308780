"""Questions in SQL: what is committed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.errors import (
    ReadStatementRefused,
    StoreColumnMissing,
    StoreManifestUnreadable,
    StoreSchemaIncompatible,
    StoreUnknownTable,
)
from contextful.kernel.failure import StorageFailed
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.ports.destination import Lot
from contextful.ports.read_face import Answer
from contextful.store.declare import Reading
from contextful.testing import SkippingWorld
from contextful_contract.shapes import Grant, GrantAction


@pytest.fixture
def world() -> SkippingWorld:
    return SkippingWorld()


@pytest.fixture
def store(tmp_path: Path, world: SkippingWorld) -> ParquetStore:
    return ParquetStore(tmp_path / "it's [here]", world, node_id="node")


def land_rows(store: ParquetStore, run_id: str, rows: Sequence[dict[str, Any]], table: str = "orders") -> None:
    """A committed run."""
    destined = Destined(table)
    stage = store.stage(Lot(destined, run_id, f"shop-{run_id}", "here"))  # runs of one pipeline follow each other
    if rows:
        stage.add(land.shape(destined, rows, stage.schema))
    stage.commit(None, known=None, attempts=(run_id,), admit=lambda: None)


def ask(store: ParquetStore, sql: str, *readings: Reading, rows_max: int = 100) -> Answer:
    """An answer."""
    return DuckdbReads(store, readings).query(sql, rows_max=rows_max)


@pytest.mark.clause("store.declare.keyless-union")
def test_a_table_without_a_key_reads_every_row_of_every_run(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1, "v": "old"}])
    land_rows(store, "r-2", [{"id": 1, "v": "new"}])

    answer = ask(store, "SELECT id, v FROM orders ORDER BY _commit_seq")

    rows = [(1, "old"), (1, "new")]
    assert answer == Answer(("id", "v"), ("BIGINT", "VARCHAR"), rows, truncated=False, snapshots={"orders": "commit-2"})


@pytest.mark.clause("store.declare.dedup-view")
def test_a_keyed_table_reads_the_row_that_came_last(store: ParquetStore, world: SkippingWorld) -> None:
    land_rows(store, "r-2", [{"id": 1, "v": "old"}, {"id": 2, "v": "only"}])
    world.skip(1)
    land_rows(store, "r-1", [{"id": 1, "v": "new"}])

    answer = ask(store, "SELECT id, v FROM orders ORDER BY id", Reading("orders", ("id",)))

    assert answer.rows == [(1, "new"), (2, "only")]


@pytest.mark.clause("store.declare.dedup-view")
def test_the_later_run_wins_within_the_same_millisecond_and_then_the_later_row(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1, "v": "a"}, {"id": 1, "v": "b"}])
    land_rows(store, "r-2", [{"id": 1, "v": "c"}, {"id": 1, "v": "d"}])

    assert ask(store, "SELECT v FROM orders", Reading("orders", ("id",))).rows == [("d",)]


@pytest.mark.clause("store.declare.dedup-view")
def test_a_declared_order_comes_before_arrival(store: ParquetStore, world: SkippingWorld) -> None:
    land_rows(store, "r-1", [{"id": 1, "version": 2}, {"id": 2, "version": None}])
    world.skip(1)
    land_rows(store, "r-2", [{"id": 1, "version": 1}, {"id": 2, "version": 0}])

    reading = Reading("orders", ("id",), ("version",))

    assert ask(store, "SELECT id, version FROM orders ORDER BY id", reading).rows == [(1, 2), (2, 0)]


@pytest.mark.clause("store.reconcile.additive")
def test_a_column_reads_null_where_it_was_not_yet_known(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"n": 1, "later": None}])
    land_rows(store, "r-2", [{"n": 1.5, "later": True, "m": "x"}])

    answer = ask(store, "SELECT n, later, m FROM orders ORDER BY n")

    assert answer.types == ("DOUBLE", "BOOLEAN", "VARCHAR")
    assert answer.rows == [(1.0, None, None), (1.5, True, "x")]


def test_a_column_that_was_always_null_is_a_column(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1, "never": None}])

    assert ask(store, "SELECT never FROM orders").rows == [(None,)]


@pytest.mark.clause("store.lay-out.uncommitted-run")
def test_what_has_no_manifest_is_not_read(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [{"id": 2}])
    (store.root / "tables/orders/data/runs/r-2/node/_manifest.json").unlink()

    assert ask(store, "SELECT id FROM orders").rows == [(1,)]


@pytest.mark.clause("store.declare.empty-run")
def test_a_run_without_rows_replaces_nothing(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [])

    assert ask(store, "SELECT id FROM orders").rows == [(1,)]


def test_a_table_of_empty_runs_has_no_rows(store: ParquetStore) -> None:
    land_rows(store, "r-1", [])

    assert ask(store, "SELECT count(*) FROM orders").rows == [(0,)]


@pytest.mark.clause("read.respond.row-ceiling")
@pytest.mark.parametrize(("rows_max", "count", "truncated"), [(2, 2, True), (3, 3, False), (4, 3, False)])
def test_an_answer_says_whether_there_was_more(store: ParquetStore, rows_max: int, count: int, truncated: bool) -> None:
    land_rows(store, "r-1", [{"id": 1}, {"id": 2}, {"id": 3}])

    answer = ask(store, "SELECT id FROM orders", rows_max=rows_max)

    assert (len(answer.rows), answer.truncated) == (count, truncated)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('{root}/tables/orders/data/runs/r-2/node/part-00000.parquet')",
        "SELECT * FROM read_blob('{root}/tables/orders/schema.json')",
        "SELECT * FROM store",
    ],
)
def test_nothing_else_of_the_file_system_is_reachable(store: ParquetStore, sql: str) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [{"id": 2}])
    (store.root / "tables/orders/data/runs/r-2/node/_manifest.json").unlink()

    with pytest.raises((ReadStatementRefused, StoreUnknownTable)):
        ask(store, sql.format(root=str(store.root).replace("'", "''")))


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "SELEC 1",
        "SELECT 1; SELECT 2",
        "CREATE TABLE t AS SELECT 1",
        "COPY orders TO '/tmp/stolen.csv'",
        "ATTACH '/tmp/other.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "PRAGMA database_list",
        "DROP VIEW orders",
        "DELETE FROM orders",
        "SELECT nothing FROM orders",
    ],
)
@pytest.mark.clause("read.face.one-select")
def test_a_statement_that_is_no_select_or_cannot_be_read_is_refused(store: ParquetStore, sql: str) -> None:
    land_rows(store, "r-1", [{"id": 1}])

    with pytest.raises(ReadStatementRefused):
        ask(store, sql)

    assert ask(store, "SELECT id FROM orders").rows == [(1,)]


@pytest.mark.clause("store.lay-out.unknown-table")
def test_a_table_that_nobody_landed_is_refused_by_its_name(store: ParquetStore) -> None:
    with pytest.raises(StoreUnknownTable) as refusal:
        ask(store, "SELECT * FROM nowhere")

    assert refusal.value.table == "nowhere"


@pytest.mark.clause("read.respond.face-ceiling")
def test_the_face_answers_no_more_than_its_own_ceiling(store: ParquetStore) -> None:
    answer = ask(store, "SELECT range FROM range(100001)", rows_max=200_000)

    assert (len(answer.rows), answer.truncated) == (100_000, True)


@pytest.mark.clause("store.bound-time.as-of")
def test_a_bounded_read_sees_the_store_as_it_stood(store: ParquetStore, world: SkippingWorld) -> None:
    land_rows(store, "r-1", [{"id": 1, "v": "old"}])
    before_ms = world.now_ms()
    world.skip(1)
    land_rows(store, "r-2", [{"id": 1, "v": "new"}])

    reads = DuckdbReads(store, [Reading("orders", ("id",))])

    assert reads.query("SELECT v FROM orders", rows_max=9, as_of_ms=before_ms).rows == [("old",)]
    assert reads.query("SELECT v FROM orders", rows_max=9, as_of_ms=before_ms - 1).rows == []
    assert reads.query("SELECT v FROM orders", rows_max=9).rows == [("new",)]


def test_folders_that_look_like_partitions_add_no_columns(tmp_path: Path, world: SkippingWorld) -> None:
    store = ParquetStore(tmp_path / "year=2026", world, node_id="node")
    land_rows(store, "r-1", [{"id": 1}])

    assert "year" not in ask(store, "SELECT * FROM orders").columns


@pytest.mark.parametrize("harm", ["manifest", "part", "schema"])
def test_a_table_that_cannot_be_read_is_in_nobody_elses_way(store: ParquetStore, harm: str) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [{"id": 1}], table="items")
    run = store.root / "tables/items/data/runs/r-2/node"
    harmed = {
        "manifest": run / "_manifest.json",
        "part": run / "part-00000.parquet",
        "schema": store.root / "tables/items/schema.json",
    }[harm]
    harmed.write_bytes(b"{")

    assert ask(store, "SELECT id FROM orders").rows == [(1,)]
    with pytest.raises((StoreManifestUnreadable, StorageFailed)) as refusal:
        ask(store, "SELECT id FROM orders JOIN items USING (id)")
    assert harmed.name in str(refusal.value)


@pytest.mark.parametrize("sql", ["SHOW TABLES", "SELECT table_name FROM information_schema.tables ORDER BY 1"])
def test_the_tables_can_be_listed(store: ParquetStore, sql: str) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [{"id": 1}], table="items")

    assert ask(store, sql).rows == [("items",), ("orders",)]


def test_a_key_that_was_declared_after_its_rows_is_refused_by_name(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])

    with pytest.raises(StoreColumnMissing) as refusal:
        ask(store, "SELECT id FROM orders", Reading("orders", ("sku",)))

    assert vars(refusal.value) == {"table": "orders", "column": "sku"}


def test_stray_files_are_no_tables_and_no_runs(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    for folder in ("tables", "tables/orders/data/runs", "tables/orders/data/runs/r-1"):
        (store.root / folder / ".DS_Store").write_bytes(b"")

    assert store.tables() == ["orders"]
    assert ask(store, "SELECT id FROM orders").rows == [(1,)]


def test_a_table_without_rows_has_the_columns_of_the_engine_alone(store: ParquetStore) -> None:
    land_rows(store, "r-1", [])

    assert ask(store, "SELECT * FROM orders").columns == (
        "_ingested_at",
        "_run_id",
        "_batch_seq",
        "_row_seq",
        "_site_id",
        "_commit_seq",
    )


@pytest.mark.clause("store.reserve.commit-instant")
def test_the_row_that_came_later_is_read_though_the_clock_was_put_back(
    store: ParquetStore, world: SkippingWorld
) -> None:
    land_rows(store, "r-2", [{"id": 1, "v": "old"}])
    world.skip(-3_600_000)
    land_rows(store, "r-1", [{"id": 1, "v": "new"}])

    assert ask(store, "SELECT v FROM orders", Reading("orders", ("id",))).rows == [("new",)]


@pytest.mark.clause("store.reconcile.promotion-exact")
def test_an_integer_that_no_float_holds_is_kept_from_becoming_one(store: ParquetStore) -> None:
    wide = (1 << 53) + 1
    land_rows(store, "r-1", [{"n": wide}])

    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land_rows(store, "r-2", [{"n": 0.5}])

    assert vars(refusal.value) == {"table": "orders", "column": "n", "stored": "int64", "arriving": "float64"}
    assert ask(store, "SELECT n FROM orders").rows == [(wide,)]


@pytest.mark.clause("store.reconcile.promotion-exact")
def test_integers_and_floats_of_one_run_are_refused_where_no_float_holds_them(store: ParquetStore) -> None:
    destined = Destined("orders")
    stage = store.stage(Lot(destined, "r-1", "shop", "here"))
    for value in ((1 << 53) + 1, 0.5):
        stage.add(land.shape(destined, [{"n": value}], stage.schema))

    with pytest.raises(StoreSchemaIncompatible):
        stage.commit(None, known=None, attempts=("r-1",), admit=lambda: None)

    assert store.manifests("orders") == []


@pytest.mark.clause("store.reconcile.promotion-exact")
def test_a_text_reads_as_json_once_its_column_is_nested(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"n": "[1]"}, {"n": None}])
    land_rows(store, "r-2", [{"n": [1]}, {"n": "tea"}])
    land_rows(store, "r-3", [{"n": "cake"}])

    rows = ask(store, "SELECT n FROM orders ORDER BY _commit_seq, _row_seq").rows

    assert rows == [('"[1]"',), (None,), ("[1]",), ('"tea"',), ('"cake"',)]


@pytest.mark.clause("read.face.statement-time")
def test_a_statement_ends_in_time(store: ParquetStore) -> None:
    reads = DuckdbReads(store, (), time_ms_max=50)

    with pytest.raises(ReadStatementRefused) as refusal:
        reads.query("SELECT count(*) FROM range(1000000000000)", rows_max=1)

    assert refusal.value.reason == "for it took more than 0.05 s"


@pytest.mark.clause("read.respond.row-ceiling")
@pytest.mark.parametrize("sql", ["SELECT id FROM orders", "SELECT id FROM orders -- show"])
def test_a_grants_ceiling_holds_however_the_table_is_come_by(store: ParquetStore, sql: str) -> None:
    land_rows(store, "r-1", [{"id": 1}, {"id": 2}])
    grants = (Grant(actions=(GrantAction.READ,), tables=("orders",), max_rows=1),)

    answer = DuckdbReads(store, (), grants=grants).query(sql, rows_max=10)

    assert (len(answer.rows), answer.truncated) == (1, True)


@pytest.mark.clause("read.face.covered-relations")
def test_no_listing_names_a_table_that_is_not_covered(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [{"id": 1}], table="items")
    grants = (Grant(actions=(GrantAction.READ,), tables=("orders",)),)

    assert DuckdbReads(store, (), grants=grants).query("SHOW TABLES", rows_max=10).rows == [("orders",)]


@pytest.mark.clause("read.face.snapshot-ids")
@pytest.mark.parametrize(
    "sql", ["SELECT id FROM orders -- show", "DESCRIBE orders", "SELECT * FROM orders, (SHOW TABLES)"]
)
def test_an_answer_tells_of_the_tables_that_it_touched_and_of_none_that_it_lists(store: ParquetStore, sql: str) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    land_rows(store, "r-2", [{"id": 1}], table="items")

    assert ask(store, sql).snapshots == {"orders": "commit-1"}


@pytest.mark.parametrize("sql", ["SELECT '\ud800'", "SELECT '\0'"], ids=["half a pair", "NUL"])
def test_a_statement_that_is_no_text_is_refused(store: ParquetStore, sql: str) -> None:
    with pytest.raises(ReadStatementRefused, match="no text"):
        DuckdbReads(store, []).query(sql, rows_max=1)


def test_a_part_that_breaks_off_in_its_rows_is_named(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    (part,) = store.root.rglob("*.parquet")
    part.write_bytes(b"PAR1" + bytes(60) + part.read_bytes()[64:])

    with pytest.raises(StorageFailed, match="restore it from a backup"):
        ask(store, "SELECT * FROM orders")


@pytest.mark.clause("store.lay-out.manifest-unreadable")
def test_a_manifest_that_was_read_before_is_read_again_once_it_is_another(store: ParquetStore) -> None:
    land_rows(store, "r-1", [{"id": 1}])
    (manifest,) = store.root.rglob("_manifest.json")
    assert ask(store, "SELECT id FROM orders").rows == [(1,)]

    manifest.write_text("{")

    with pytest.raises(StoreManifestUnreadable):
        ask(store, "SELECT id FROM orders")
    manifest.unlink()
    assert ask(store, "SELECT count(*) FROM orders").rows == [(0,)]
