"""Performs store.fold on a store of Parquet parts.

    the parts that are read --> the snapshot's parts --> its manifest --> the pointer --7 d--> the runs' folders gone

What a death leaves before the manifest is no snapshot, and goes with the next fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from contextful.adapters import arrow, files
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.store import fold, lay_out, reserve
from contextful.store.declare import Reading
from contextful.store.fold import History, Part, Reads, Snapshot
from contextful.store.lay_out import Manifest

LOCK = "fold.lock"
PART_BYTES = 128 << 20
ROW_BITS = 40  # of a row's number, the bits for its place within its commit


class Folds:
    """Folds over one store. Where it is carried to a bucket, a snapshot names all runs that it and those before it took
    in, whether they are still on disk or not: another node may bring one back.
    """

    def __init__(self, store: ParquetStore, reads: DuckdbReads) -> None:
        self._store = store
        self._disk = store.disk
        self._reads = reads

    def due(self, table: str) -> bool:
        """Whether the table is due for a fold pass."""
        return fold.pass_due(self._store.history(table), self._store.world.now_ms())

    def fold(self, reading: Reading) -> Snapshot | None:
        """Write what the table's current read returns into one snapshot; none where nothing was ever landed."""
        folder = self._store.root / lay_out.table_folder(reading.table)
        if not folder.is_dir():
            return None
        with files.storing(folder), files.locked(folder / LOCK, self._store.world):
            history = self._store.history(reading.table)
            if not history.runs and history.current is None:
                return None
            self._sweep(folder / lay_out.SNAPSHOTS, history)
            snapshot = self._written(folder / lay_out.SNAPSHOTS, reading, history)
            files.replace(self._disk, folder / lay_out.POINTER, lay_out.pointer(snapshot.snapshot_id))
        return snapshot

    def collect(self, table: str) -> Sequence[Manifest]:
        """Remove the runs and the snapshots that no read may ask for any more; the runs."""
        folder = self._store.root / lay_out.table_folder(table)
        if not folder.is_dir():
            return ()
        now_ms = self._store.world.now_ms()
        with files.storing(folder), files.locked(folder / LOCK, self._store.world):
            history = self._store.history(table)
            gone = fold.collectable(history, now_ms)
            for run in gone:
                self._remove(self._store.root / lay_out.run_folder(table, run.run_id, run.node_id))
            for snapshot in fold.superseded(history, now_ms):
                self._remove(folder / lay_out.SNAPSHOTS / snapshot.snapshot_id)
        return gone

    def _written(self, snapshots: Path, reading: Reading, history: History) -> Snapshot:
        reads = fold.reads(history, reading, None)
        before = history.snapshots[-1].snapshot_id if history.snapshots else None
        markers = fold.markers(history)
        committed_ms = max(marker.committed_ms for marker in markers)
        created_ms = max(self._store.world.now_ms(), committed_ms)
        snapshot_id = fold.snapshot_id(created_ms, before)
        files.make_folders(self._disk, snapshots / snapshot_id)
        parts: list[Part] = []
        for content, rows in self._contents(reading, reads):
            parts.append(Part(f"{snapshot_id}/{lay_out.part_name(len(parts))}", rows))
            self._disk.write(snapshots / parts[-1].name, content)
            self._disk.sync(snapshots / parts[-1].name)
        snapshot = Snapshot(
            snapshot_id=snapshot_id,
            table=reading.table,
            parent=before,
            created_ms=created_ms,
            includes_runs=tuple(sorted({*map(fold.run_name, history.runs), *self._remembered(history)})),
            key=reading.key,
            order_by=reading.order_by,
            parts=tuple(parts),
            commit_seq=max(marker.commit_seq for marker in markers),
            committed_ms=committed_ms,
            replacement_frontier=reading.replaces and not parts,
            markers=tuple(markers),
        )
        files.create(self._disk, snapshots / snapshot_id / lay_out.MANIFEST, fold.to_json(snapshot))
        return snapshot

    def _remembered(self, history: History) -> Sequence[str]:
        return history.current.includes_runs if self._store.carried and history.current is not None else ()

    def _contents(self, reading: Reading, reads: Reads) -> Iterator[tuple[bytes, int]]:
        """The parts of the snapshot and their rows, each a few of those before put together."""
        winners = self._reads.winners(reading, reads)
        ##= store.fold.same-read
        numbers = None if winners is None else _numbers(winners).combine_chunks()
        fields = arrow.committed_fields(self._store.schema(reading.table))
        sink, rows = pa.BufferOutputStream(), 0
        writer = pq.ParquetWriter(sink, fields, compression="zstd", version="2.6")
        for path in [*self._store.snapshot_parts(reads.snapshot), *_run_parts(self._store, reads)]:
            part = arrow.aligned(path, fields)
            if numbers is not None:
                part = part.filter(pc.is_in(_numbers(part), value_set=numbers))
            if part.num_rows:
                writer.write_table(part, row_group_size=arrow.ROW_GROUP_ROWS)
                rows += part.num_rows
            if sink.tell() > PART_BYTES:
                writer.close()
                yield sink.getvalue().to_pybytes(), rows
                sink, rows = pa.BufferOutputStream(), 0
                writer = pq.ParquetWriter(sink, fields, compression="zstd", version="2.6")
        writer.close()
        if rows:
            yield sink.getvalue().to_pybytes(), rows

    def _sweep(self, snapshots: Path, history: History) -> None:
        """What a fold left that died before its manifest."""
        known = {snapshot.snapshot_id for snapshot in history.snapshots}
        for name in self._disk.names(snapshots):
            if name not in known and self._disk.read(snapshots / name / lay_out.MANIFEST) is None:
                self._disk.remove_folder(snapshots / name)

    def _remove(self, folder: Path) -> None:
        """The manifest goes first, and with it what it made readable."""
        self._disk.remove(folder / lay_out.MANIFEST)
        self._disk.sync(folder)
        self._disk.remove_folder(folder)


def _run_parts(store: ParquetStore, reads: Reads) -> Sequence[Path]:
    return [path for run in reads.runs for path in store.parts(run)]


def _numbers(rows: pa.Table) -> pa.ChunkedArray:
    """A number for each row of a table that no other has."""
    commits = pc.shift_left(rows.column(reserve.COMMIT_SEQ), ROW_BITS)
    return pc.bit_wise_or(commits, rows.column(reserve.ROW_SEQ))
