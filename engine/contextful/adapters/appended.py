"""A table of the store's own, in Parquet: each append is a commit, and many of those are folded into one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from contextful.adapters import arrow, files
from contextful.adapters.arrow import Stamp
from contextful.adapters.parquet import LOCK, ParquetStore
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.pipeline.pull import Record
from contextful.store import fold, lay_out, reconcile, reserve
from contextful.store.fold import Part, Snapshot
from contextful.store.lay_out import Manifest
from contextful.store.schema import Schema, to_json
from contextful_contract import limits

LOG = logging.getLogger(__name__)
RETAINED_MS = 3_600_000  # folded commits of a table without a key are kept for readers that are at work on them alone
APPEND = "append-"


class AppendedTable:
    """A table under a store's root, as one node of one site appends to it.

    Where the store is carried to a bucket, what a fold took in stays for as long as in any other table, and is named
    for good: it may come back from there, and another node may have folded without it.
    """

    def __init__(self, store: ParquetStore, table: Destined, *, site_id: str) -> None:
        self._store = store
        self._destined = table
        self._table = table.table
        self._disk = store.disk
        self._site_id = site_id
        self._retained_ms = limits.STORE_RUN_RETENTION_MS if store.carried else RETAINED_MS
        self._folder = store.root / lay_out.table_folder(self._table)

    def append(self, records: Sequence[Record]) -> None:
        """Append the rows, all or none; they outlast the process."""
        with files.storing(self._folder):
            files.make_folders(self._disk, self._folder / lay_out.RUNS)
            with files.locked(self._folder / LOCK, self._store.world):
                snapshot, standing = self._store.snapshot(self._table), self._store.manifests(self._table)
                standing = [*standing, self._commit(records, snapshot, standing)]
                self._try_fold(snapshot, standing)

    def paths(self) -> Sequence[Path]:
        """Its parts, in the order in which they were appended."""
        snapshot = self._store.snapshot(self._table)
        folded = () if snapshot is None else self._store.snapshot_parts(snapshot)
        standing = sorted(self._store.manifests(self._table), key=lambda manifest: manifest.commit_seq)
        return [*folded, *(path for manifest in standing for path in self._store.parts(manifest))]

    def _commit(self, records: Sequence[Record], snapshot: Snapshot | None, standing: Sequence[Manifest]) -> Manifest:
        stood = self._store.schema(self._table)
        shaped = land.shape(self._destined, records, stood)
        schema = reconcile.merge(self._table, stood, Schema(self._destined.types))
        since = () if snapshot is None else (snapshot,)
        committed_ms = reserve.next_commit_ms(
            (each.committed_ms for each in (*since, *standing)), self._store.world.now_ms()
        )
        manifest = Manifest(
            run_id=f"{APPEND}{committed_ms:015d}-{self._store.world.draw(32):08x}",
            table=self._table,
            node_id=self._store.node_id,
            parts=(lay_out.part_name(0),),
            committed_ms=committed_ms,
            commit_seq=reserve.next_commit_seq(each.commit_seq for each in (*since, *standing)),
            pipeline_id="",
            position=None,
        )
        stamp = Stamp(manifest.run_id, self._site_id, 0, 0, committed_ms, manifest.commit_seq)
        content, _ = arrow.finished(arrow.staged(shaped), schema, stamp)
        folder = self._store.root / lay_out.run_folder(self._table, manifest.run_id, manifest.node_id)
        files.make_folders(self._disk, folder)
        self._disk.write(folder / manifest.parts[0], content)
        self._disk.sync(folder / manifest.parts[0])
        if schema != stood:
            files.replace(self._disk, self._folder / lay_out.SCHEMA, to_json(schema))
        files.create(self._disk, folder / lay_out.MANIFEST, lay_out.to_json(manifest))
        return manifest

    def _try_fold(self, snapshot: Snapshot | None, standing: Sequence[Manifest]) -> None:
        """Fold where that is due. What fails has lost nothing: the rows are appended, and the next append tries."""
        now_ms = self._store.world.now_ms()
        since_ms = min(each.committed_ms for each in standing) if snapshot is None else snapshot.created_ms
        if not fold.due(len(standing), since_ms=since_ms, now_ms=now_ms):
            return
        try:
            ordered = sorted(standing, key=lambda each: each.commit_seq)
            self._fold(snapshot, ordered, now_ms)  ##= run.record.record-folds
        except Exception:
            LOG.warning("table %s was not folded; its next append tries again", self._table, exc_info=True)

    def _fold(self, snapshot: Snapshot | None, standing: Sequence[Manifest], now_ms: int) -> None:
        """Write the snapshot's new part, then its manifest, then point to it."""
        paths = [path for manifest in standing for path in self._store.parts(manifest)]
        before = () if snapshot is None else snapshot.parts
        kept = fold.kept(before, sum(map(arrow.row_count, paths)))
        parent = None if snapshot is None else snapshot.snapshot_id
        snapshot_id = fold.snapshot_id(now_ms, parent)
        snapshots = self._folder / lay_out.SNAPSHOTS
        files.make_folders(self._disk, snapshots / snapshot_id)
        part = f"{snapshot_id}/{lay_out.part_name(0)}"
        taken = [snapshots / each.name for each in before[len(kept) :]]
        rows = arrow.merged([*taken, *paths], snapshots / part)
        self._disk.sync(snapshots / part)
        taken_in = () if snapshot is None else snapshot.includes_runs
        collected = {run for run in taken_in if self._collected(run, now_ms)}
        included = [run for run in taken_in if self._store.carried or run not in collected]
        included += [f"{manifest.run_id}/{manifest.node_id}" for manifest in standing]
        folded = Snapshot(
            snapshot_id,
            parent,
            self._table,
            fold.created_ns(snapshot_id) // fold.NS,
            tuple(included),
            (*kept, Part(part, rows)),
            max(manifest.commit_seq for manifest in standing),
            max(manifest.committed_ms for manifest in standing),
        )
        files.replace(self._disk, snapshots / snapshot_id / lay_out.MANIFEST, fold.to_json(folded))
        files.replace(self._disk, self._folder / lay_out.POINTER, lay_out.pointer(snapshot_id))
        self._collect(folded, now_ms)

    def _collected(self, run: str, now_ms: int) -> bool:
        """Remove a folded commit that no reader can be at work on any more; whether it is gone."""
        run_id = run.partition("/")[0]
        old = int(run_id.removeprefix(APPEND).partition("-")[0]) < now_ms - self._retained_ms
        if old:
            self._disk.remove_folder(self._folder / lay_out.RUNS / run_id)
        return old

    def _collect(self, snapshot: Snapshot, now_ms: int) -> None:
        """Remove the snapshots that nothing names and that are as old."""
        named = {snapshot.snapshot_id, *(part.name.partition("/")[0] for part in snapshot.parts)}
        for name in self._disk.names(self._folder / lay_out.SNAPSHOTS):
            if name not in named and fold.created_ns(name) < (now_ms - self._retained_ms) * fold.NS:
                self._disk.remove_folder(self._folder / lay_out.SNAPSHOTS / name)
