"""The Parquet store: the same bytes for the same rows, one commit a run, and nothing lost by what goes wrong."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from contextful.adapters.files import Disk
from contextful.adapters.parquet import ParquetStage, ParquetStore
from contextful.adapters.system import SystemWorld
from contextful.errors import StoreManifestUnreadable, StoreRunConflict, StoreSchemaIncompatible
from contextful.kernel.failure import StorageFailed, Transient
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.ports.destination import Landed, Lot
from contextful.store.schema import Schema, Type
from contextful.testing import SkippingWorld
from contextful.testing.clock import START_MS

ORDERS = Destined("orders")
Batches = Sequence[Sequence[dict[str, Any]]]
ROWS: Batches = ([{"id": 1, "n": None}, {"id": 2, "n": None}], [{"id": 3.5, "n": "x", "tags": ["a"]}])


@pytest.fixture
def store(tmp_path: Path) -> ParquetStore:
    return ParquetStore(tmp_path, SkippingWorld(), node_id="node")


def staged(
    store: ParquetStore, batches: Batches = ROWS, *, run_id: str = "r-1", table: Destined = ORDERS
) -> ParquetStage:
    """A run's staged batches."""
    stage = store.stage(Lot(table, run_id, f"shop-{run_id}", "here"))  # runs of one pipeline follow each other
    for batch in batches:
        stage.add(land.shape(table, batch, stage.schema))
    return stage


def landed(store: ParquetStore, batches: Batches = ROWS, *, run_id: str = "r-1", position: str | None = None) -> Landed:
    """A committed run."""
    return staged(store, batches, run_id=run_id).commit(position, known=None, attempts=(run_id,), admit=lambda: None)


def folder(store: ParquetStore, run_id: str = "r-1") -> Path:
    """A run's own folder."""
    return store.root / "tables/orders/data/runs" / run_id / "node"


def contents(store: ParquetStore, run_id: str = "r-1") -> dict[str, bytes]:
    """The files of a run's folder."""
    return {path.name: path.read_bytes() for path in sorted(folder(store, run_id).iterdir()) if path.is_file()}


def everything(root: Path) -> dict[str, bytes]:
    """Every file there is."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_the_same_rows_at_the_same_instant_are_the_same_bytes(tmp_path: Path) -> None:
    one, other = (ParquetStore(tmp_path / name, SkippingWorld(), node_id="node") for name in ("one", "other"))

    landed(one)
    landed(other)

    assert contents(one) == contents(other)
    assert list(contents(one)) == ["_manifest.json", "part-00000.parquet", "part-00001.parquet"]


def test_parts_of_a_run_have_one_schema_whatever_the_batches_brought(store: ParquetStore) -> None:
    landed(store)

    tables = [pq.read_table(folder(store) / name) for name in ("part-00000.parquet", "part-00001.parquet")]
    assert tables[0].schema == tables[1].schema
    assert [table.select(["id", "n", "tags"]).to_pylist() for table in tables] == [
        [{"id": 1.0, "n": None, "tags": None}, {"id": 2.0, "n": None, "tags": None}],
        [{"id": 3.5, "n": "x", "tags": '["a"]'}],
    ]


def test_texts_that_turn_out_nested_become_nested_in_every_part(store: ParquetStore) -> None:
    landed(store, ([{"v": "a"}, {"v": None}], [{"v": {"b": 1}}]))

    parts = [
        pq.read_table(folder(store) / name)["v"].to_pylist() for name in ("part-00000.parquet", "part-00001.parquet")
    ]
    assert parts == [['"a"', None], ['{"b":1}']]


@pytest.mark.clause("store.reserve.injected")
def test_the_engines_columns_have_their_types_and_no_nulls(store: ParquetStore) -> None:
    landed(store)

    schema = pq.read_schema(folder(store) / "part-00000.parquet")
    injected = {field.name: (str(field.type), field.nullable) for field in schema if field.name.startswith("_")}
    assert injected == {
        "_ingested_at": ("timestamp[ns, tz=UTC]", False),
        "_run_id": ("string", False),
        "_batch_seq": ("int32", False),
        "_row_seq": ("int64", False),
        "_site_id": ("string", False),
        "_commit_seq": ("int64", False),
    }


@pytest.mark.clause("run.own.stage-commit-seq")
@pytest.mark.clause("run.own.stage-instant")
def test_a_staged_part_knows_neither_its_sequence_nor_its_instant(store: ParquetStore) -> None:
    staged(store)

    content = b"".join(path.read_bytes() for path in folder(store).rglob("*.arrow"))
    assert b"_commit_seq" not in content
    assert b"_ingested_at" not in content


@pytest.mark.clause("store.declare.empty-run")
def test_a_run_without_rows_commits_a_manifest_without_parts(store: ParquetStore) -> None:
    result = landed(store, (), position='{"page":1}')

    assert (result.rows, result.bytes, result.manifest.parts) == (0, 0, ())
    assert store.newest("orders", "shop-r-1") == result.manifest
    assert list(contents(store)) == ["_manifest.json"]


@pytest.mark.clause("store.declare.empty-replacement")
@pytest.mark.parametrize(
    ("complete", "replaces", "marked"), [(True, True, True), (False, True, False), (True, False, False)]
)
def test_only_a_complete_run_of_no_rows_on_a_replacing_table_is_a_frontier(
    store: ParquetStore, complete: bool, replaces: bool, marked: bool
) -> None:
    stage = store.stage(Lot(ORDERS, "r-1", "shop", "here", replaces=replaces))

    manifest = stage.commit(None, known=None, attempts=("r-1",), admit=lambda: None, complete=complete).manifest

    assert (manifest.complete, manifest.replacement_frontier) == (complete, marked)
    assert store.manifests("orders") == [manifest]


@pytest.mark.clause("run.advance.concurrency-by-kind")
def test_a_position_that_somebody_else_has_moved_is_not_moved_again(store: ParquetStore) -> None:
    for run_id, known in (("r-1", None), ("r-2", "r-1")):
        store.stage(Lot(ORDERS, run_id, "shop", "here")).commit(
            f'"{run_id}"', known=known, attempts=(run_id,), admit=lambda: None
        )
    late = staged(store, run_id="r-3")
    before = everything(store.root)

    with pytest.raises(Transient):
        store.stage(Lot(ORDERS, "r-3", "shop", "here")).commit(
            '"r-3"', known="r-1", attempts=("r-3",), admit=lambda: None
        )

    assert everything(store.root) == before
    late.discard()


def test_rows_without_columns_are_rows(store: ParquetStore) -> None:
    assert landed(store, ([{}, {}],)).rows == 2


@pytest.mark.clause("store.lay-out.uncommitted-run")
def test_what_is_staged_is_no_commit(store: ParquetStore) -> None:
    staged(store)

    assert store.manifests("orders") == []


@pytest.mark.clause("store.lay-out.run-replay")
def test_landing_a_run_again_writes_nothing_and_answers_its_manifest(store: ParquetStore) -> None:
    first = landed(store, position='{"page":2}')
    before = everything(store.root)

    again = landed(store, position='{"page":2}')

    assert again == first
    assert everything(store.root) == before


@pytest.mark.clause("store.lay-out.run-conflict")
@pytest.mark.parametrize(
    ("batches", "position"),
    [
        (([{"id": 9, "n": None}, {"id": 2, "n": None}], ROWS[1]), '{"page":2}'),
        (ROWS[:1], '{"page":2}'),
        (ROWS, '{"page":3}'),
    ],
    ids=["other rows", "fewer parts", "another position"],
)
def test_landing_anything_else_under_its_id_is_refused(store: ParquetStore, batches: Batches, position: str) -> None:
    landed(store, position='{"page":2}')
    before = everything(store.root)
    stage = staged(store, batches)

    with pytest.raises(StoreRunConflict) as refusal:
        stage.commit(position, known=None, attempts=("r-1",), admit=lambda: None)
    stage.discard()

    assert vars(refusal.value) == {"table": "orders", "run_id": "r-1"}
    assert everything(store.root) == before


@pytest.mark.clause("store.reserve.commit-order")
def test_commits_at_once_take_turns_and_count_on(tmp_path: Path) -> None:
    def land_one(run_id: str) -> None:
        landed(ParquetStore(tmp_path, SystemWorld(now_ms=START_MS), node_id="node"), run_id=run_id)

    threads = [threading.Thread(target=land_one, args=(f"r-{at}",)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    manifests = ParquetStore(tmp_path, SkippingWorld(), node_id="node").manifests("orders")
    assert sorted(manifest.commit_seq for manifest in manifests) == list(range(1, 9))


@pytest.mark.clause("store.lay-out.manifest-unreadable")
def test_a_manifest_cut_in_half_stops_reads_and_commits_and_loses_nothing(store: ParquetStore) -> None:
    landed(store)
    path = folder(store) / "_manifest.json"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    stage = staged(store, run_id="r-2")

    with pytest.raises(StoreManifestUnreadable) as refusal:
        stage.commit(None, known=None, attempts=("r-2",), admit=lambda: None)

    assert refusal.value.path == str(path)
    path.write_bytes(whole)
    assert [manifest.run_id for manifest in store.manifests("orders")] == ["r-1"]
    assert stage.commit(None, known=None, attempts=("r-2",), admit=lambda: None).manifest.commit_seq == 2


@pytest.mark.clause("run.own.stage-schema")
def test_only_a_commit_decides_the_schema(store: ParquetStore) -> None:
    staged(store, ([{"ts": "text"}],), run_id="r-s").discard()

    landed(store, ([{"ts": 1}],), run_id="r-t")

    assert store.schema("orders") == Schema({"ts": Type.INT64})


@pytest.mark.clause("run.own.stage-schema")
def test_a_batch_that_does_not_fit_an_earlier_one_is_not_staged(store: ParquetStore) -> None:
    stage = staged(store, ([{"ts": "text"}],))

    with pytest.raises(StoreSchemaIncompatible):
        stage.add(land.shape(ORDERS, [{"ts": 1}], store.schema("orders")))

    assert stage.commit(None, known=None, attempts=("r-1",), admit=lambda: None).rows == 1


@pytest.mark.clause("run.own.stage-schema")
def test_a_stage_that_another_commit_has_overtaken_is_refused(store: ParquetStore) -> None:
    stage = staged(store, ([{"ts": "text"}],), run_id="r-s")
    landed(store, ([{"ts": 1}],), run_id="r-t")

    with pytest.raises(StoreSchemaIncompatible):
        stage.commit(None, known=None, attempts=("r-s",), admit=lambda: None)

    assert [manifest.run_id for manifest in store.manifests("orders")] == ["r-t"]


@pytest.mark.clause("run.own.stage-discard")
@pytest.mark.parametrize("stood", [False, True], ids=["the first commit", "a later commit"])
def test_a_commit_that_fails_before_its_manifest_leaves_nothing(store: ParquetStore, stood: bool) -> None:
    if stood:
        landed(store, ([{"other": 1}],), run_id="r-0")
    before = everything(store.root)
    stage = staged(store)

    with pytest.raises(StorageFailed):
        stage.commit(None, known=None, attempts=("r-1",), admit=refuse)
    stage.discard()

    assert everything(store.root) | {"tables/orders/commit.lock": b""} == before | {"tables/orders/commit.lock": b""}


def refuse() -> None:
    """The disk is full."""
    raise StorageFailed("no space left")


class Unwritable(Disk):
    """A disk that takes nothing under a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, path: Path, content: bytes) -> None:
        if self._name in path.name:
            raise PermissionError(13, "Permission denied", str(path))
        super().write(path, content)


@pytest.mark.parametrize("name", ["arrow", "parquet", "schema.json", "_manifest.json"])
def test_a_disk_that_refuses_is_a_failure_of_storage_with_the_path(tmp_path: Path, name: str) -> None:
    store = ParquetStore(tmp_path, SkippingWorld(), node_id="node", disk=Unwritable(name))

    with pytest.raises(StorageFailed) as refusal:
        landed(store)

    assert name in refusal.value.failure.message
    assert refusal.value.failure.message.endswith("Permission denied")
    assert store.manifests("orders") == []


def test_a_schema_that_does_not_parse_is_refused(store: ParquetStore) -> None:
    landed(store)
    (store.root / "tables/orders/schema.json").write_text("{")

    with pytest.raises(StoreManifestUnreadable) as refusal:
        store.schema("orders")

    assert refusal.value.path.endswith("schema.json")


def test_the_schema_file_is_arrows_json(store: ParquetStore) -> None:
    landed(store, ([{"at": 1}],))

    assert json.loads((store.root / "tables/orders/schema.json").read_text()) == {
        "fields": [
            {
                "name": "at",
                "nullable": True,
                "type": {"name": "int", "bitWidth": 64, "isSigned": True},
                "children": [],
                "metadata": [{"key": "contextful.type", "value": "int64"}],
            }
        ]
    }


@pytest.mark.clause("run.own.stage-instant")
def test_rows_carry_the_instant_of_their_commit(tmp_path: Path) -> None:
    world = SkippingWorld()
    store = ParquetStore(tmp_path, world, node_id="node")
    stage = staged(store)
    world.skip(60_000)

    manifest = stage.commit(None, known=None, attempts=("r-1",), admit=lambda: None).manifest

    instants = pq.read_table(folder(store) / "part-00000.parquet")["_ingested_at"].cast("int64").to_pylist()
    assert manifest.committed_ms == START_MS + 60_000
    assert set(instants) == {manifest.committed_ms * 1_000_000}


@pytest.mark.clause("store.lay-out.manifest-unreadable")
def test_a_copy_of_a_run_is_no_run_of_its_own(store: ParquetStore) -> None:
    landed(store)
    run = folder(store).parent
    shutil.copytree(run, run.with_name("r-1-copy"))

    with pytest.raises(StoreManifestUnreadable) as refusal:
        store.manifests("orders")

    assert "r-1-copy" in refusal.value.path
    assert refusal.value.reason == "it is of run r-1 of table orders, and was put elsewhere"
