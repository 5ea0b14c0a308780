"""Folds: whatever a table holds reads as it did, whoever dies on the way, and only what is past goes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.fold import Folds
from contextful.adapters.parquet import ParquetStore
from contextful.errors import StoreAsOfUnretained, StoreManifestUnreadable, StoreSchemaIncompatible
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.ports.destination import Lot
from contextful.store.declare import Reading
from contextful.store.schema import Type
from contextful.testing import Crash, Crashes, CrashingDisk, SkippingWorld

DAY_MS = 24 * 3_600_000
KEYED = Reading("orders", ("id",))
Row = dict[str, Any]


class Place:
    """A store of one table, whose clock the test holds."""

    def __init__(self, root: Path, reading: Reading = KEYED) -> None:
        self.world = SkippingWorld()
        self.root = root
        self.reading = reading

    def store(self, disk: Disk | None = None) -> ParquetStore:
        return ParquetStore(self.root, self.world, node_id="node", disk=disk)

    def land(
        self, run_id: str, rows: Sequence[Row], *, position: str = '"p"', types: dict[str, Type] | None = None
    ) -> None:
        """A run of the pipeline, which follows on the one before."""
        self.world.skip(1_000)
        store, destined = self.store(), Destined("orders", self.reading.key, types or {})
        newest = store.newest("orders", "shop")
        stage = store.stage(Lot(destined, run_id, "shop", "here"))
        if rows:
            stage.add(land.shape(destined, rows, stage.schema))
        known = None if newest is None else newest.run_id
        stage.commit(position, known=known, attempts=(run_id,), admit=lambda: None)

    def folds(self, disk: Disk | None = None) -> Folds:
        store = self.store(disk)
        return Folds(store, DuckdbReads(store, [self.reading]))

    def read(self, **bounds: int) -> Sequence[tuple[object, ...]]:
        """Everything that the table reads."""
        sql = "SELECT * FROM orders ORDER BY _commit_seq, _row_seq"
        return DuckdbReads(self.store(), [self.reading]).query(sql, rows_max=100, **bounds).rows


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.clause("store.fold.same-read")
@pytest.mark.parametrize("reading", [KEYED, Reading("orders")], ids=["keyed", "keyless"])
def test_a_fold_of_everything_a_table_went_through_changes_no_read(tmp_path: Path, reading: Reading) -> None:
    place = Place(tmp_path, reading)
    place.land("r-1", [{"id": 1, "v": "[1]", "n": 1}, {"id": 2, "v": None, "n": 2}])
    place.land(
        "r-2", [{"id": 1, "v": [1], "n": 0.5, "at": "2026-03-01T00:00:00.123456789Z"}], types={"at": Type.TIMESTAMP}
    )
    place.land("r-3", [])
    first_ms = place.world.now_ms()
    before, first = place.read(), place.read(as_of_ms=first_ms)

    place.folds().fold(reading)
    place.land("r-4", [{"id": 2, "v": {"a": "é"}, "n": 3}])
    after = place.read()
    place.folds().fold(reading)

    assert [place.read(as_of_ms=first_ms), place.read()] == [first, after]
    assert before == first


@pytest.mark.clause("store.fold.same-read")
def test_a_fold_that_dies_anywhere_changes_no_read_and_is_made_again(tmp_path: Path) -> None:
    counted = Crashes()
    place = Place(tmp_path / "counted")
    place.land("r-1", [{"id": 1}])
    place.folds(CrashingDisk(counted)).fold(KEYED)

    for at in range(counted.count):
        place = Place(tmp_path / str(at))
        place.land("r-1", [{"id": 1}])
        before = place.read()
        with pytest.raises(Crash):
            place.folds(CrashingDisk(Crashes(at))).fold(KEYED)
        assert place.read() == before

        snapshot = place.folds().fold(KEYED)

        assert snapshot is not None
        assert place.read() == before
        kept = place.store().history("orders")
        assert sorted(path.name for path in (place.root / "tables/orders/data/snapshots").iterdir()) == [
            each.snapshot_id for each in kept.snapshots
        ]


@pytest.mark.clause("store.fold.retention")
@pytest.mark.clause("store.bound-time.as-of-unretained")
def test_what_was_folded_long_ago_goes_and_bounds_before_it_are_refused(place: Place) -> None:
    place.land("r-1", [{"id": 1}])
    first_ms = place.world.now_ms()
    place.land("r-2", [{"id": 2}])
    place.folds().fold(KEYED)
    folded_ms = place.world.now_ms()
    place.world.skip(7 * DAY_MS)
    assert place.folds().collect("orders") == []
    place.world.skip(1)
    before = place.read()

    assert [run.run_id for run in place.folds().collect("orders")] == ["r-1", "r-2"]

    assert place.read() == before == place.read(as_of_ms=folded_ms)
    with pytest.raises(StoreAsOfUnretained) as refusal:
        place.read(as_of_ms=first_ms)
    assert (refusal.value.as_of, refusal.value.earliest) == (first_ms, folded_ms)


@pytest.mark.clause("store.fold.retention")
def test_the_position_and_the_sequence_outlive_the_runs(place: Place) -> None:
    place.land("r-1", [{"id": 1}], position='"p1"')
    place.folds().fold(KEYED)
    place.world.skip(8 * DAY_MS)
    place.folds().collect("orders")

    newest = place.store().newest("orders", "shop")
    place.land("r-2", [{"id": 2}], position='"p2"')

    assert newest is not None
    assert (newest.run_id, newest.position) == ("r-1", '"p1"')
    assert [run.commit_seq for run in place.store().manifests("orders")] == [2]


def test_a_promotion_is_held_against_the_rows_of_a_snapshot_too(place: Place) -> None:
    place.land("r-1", [{"id": 1, "n": 9007199254740993}])
    place.folds().fold(KEYED)
    place.world.skip(8 * DAY_MS)
    place.folds().collect("orders")

    with pytest.raises(StoreSchemaIncompatible):
        place.land("r-2", [{"id": 2, "n": 0.5}])


def test_a_key_that_was_declared_after_the_fold_reads_the_runs(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.land("r-1", [{"id": 1}])
    place.land("r-2", [{"id": 1}])
    place.folds().fold(KEYED)
    place.reading = Reading("orders")

    assert len(place.read()) == 2


def test_a_pointer_to_nothing_and_a_snapshot_cut_in_half_are_named(place: Place) -> None:
    place.land("r-1", [{"id": 1}])
    snapshot = place.folds().fold(KEYED)
    assert snapshot is not None
    manifest = place.root / "tables/orders/data/snapshots" / snapshot.snapshot_id / "_manifest.json"
    content = manifest.read_bytes()

    manifest.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreManifestUnreadable, match=r"_manifest\.json"):
        place.read()

    manifest.unlink()
    with pytest.raises(StoreManifestUnreadable, match=r"_pointer\.json"):
        place.read()
