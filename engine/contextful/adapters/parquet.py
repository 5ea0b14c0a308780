"""Tables of Parquet parts. A run's manifest, created exclusively, is what makes its parts readable.

add, add, …        part-00000.arrow …            in the run's own staging folder; a crash may lose them
commit, locked     part-00000.parquet …          synced: nothing names them yet
                   schema.json                   its new columns have no rows yet
                   _manifest.json                the commit
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from contextful.adapters import arrow, files
from contextful.adapters.files import Disk, Stamp
from contextful.adapters.requests import ParquetLedger
from contextful.pipeline.land import Shaped
from contextful.ports.destination import Landed, Lot
from contextful.ports.world import World
from contextful.run import advance
from contextful.run.own import staging_and_checkpoints
from contextful.run.own.staging_and_checkpoints import made_by
from contextful.store import fold, lay_out, ledger, push, reconcile, reserve
from contextful.store.fold import History, Snapshot
from contextful.store.lay_out import Manifest
from contextful.store.push import RunState
from contextful.store.schema import EMPTY, Schema, Type, from_json, to_json
from contextful_contract import limits
from contextful_contract.errors import StoreManifestUnreadable, StoreRunConflict, StoreSchemaIncompatible
from contextful_contract.shapes import DowngradeEvent

LOCK = "commit.lock"
READ_MAX = 10_000  # manifests that are kept as they were read


class ParquetStore:
    """The tables under a store's root, as one node writes them."""

    def __init__(
        self,
        root: Path,
        world: World,
        *,
        node_id: str,
        disk: Disk | None = None,
        staged_bytes_max: int = limits.STAGED_BYTES_PER_RUN_BYTES,
        carried: bool = False,
    ) -> None:
        """`carried` to a bucket, from where what went here may come back."""
        self.root = root
        self.node_id = node_id
        self.disk = disk or Disk()
        self.world = world
        self.staged_bytes_max = staged_bytes_max
        self.carried = carried
        self._read: dict[str, tuple[Stamp, Manifest]] = {}
        self._seen: dict[str, dict[str, Sequence[Manifest]]] = {}  # commits, by table and run

    def stage(self, lot: Lot) -> ParquetStage:
        """A stage for a run's rows."""
        return ParquetStage(self, lot)

    def ledger(self, table: str, run_id: str) -> ParquetLedger:
        """The ledger of a run's requests for the table."""
        return ParquetLedger(self.root / ledger.folder(table), run_id, self.node_id, self.disk, self.world)

    def newest(self, table: str, pipeline_id: str) -> Manifest | None:
        """The pipeline's newest commit in the table."""
        return _newest(self.markers(self.history(table), table), pipeline_id)

    def markers(self, history: History, table: str) -> Sequence[Manifest]:
        """The newest commit of each pipeline in the table, here or by what other nodes have said of theirs."""
        said = [cursor for state in self.states() for cursor in state.cursors if cursor.table == table]
        return fold.newest([*said, *fold.markers(history)])  ##= store.pull.run-state

    def landed(self, run_id: str) -> bool:
        """Whether a run has committed anything in any table; its first commit has its own id."""
        runs = [self.root / lay_out.table_folder(table) / lay_out.RUNS / run_id for table in self.tables()]
        return any((run / node / lay_out.MANIFEST).exists() for run in runs for node in self.disk.names(run))

    def states(self) -> Sequence[RunState]:
        """What the nodes have said of their runs, as far as that was pulled."""
        paths = [push.state_path(node) for node in self.disk.names(self.root / push.NODES)]
        found = [(path, self.disk.read(self.root / path)) for path in paths]
        return [push.state_from_json(content, path=path) for path, content in found if content is not None]

    def collect(self, table: str, run_ids: Sequence[str]) -> None:
        """Remove what these runs wrote and never committed, and never will."""
        folder = self.root / lay_out.table_folder(table)
        with files.storing(folder), files.locked(folder / LOCK, self.world):  # so that none of them is at its commit
            for run_id in self.disk.names(folder / lay_out.RUNS):
                wrote = folder / lay_out.RUNS / run_id / self.node_id
                if made_by(run_id, run_ids) and self.disk.read(wrote / lay_out.MANIFEST) is None:
                    self.disk.remove_folder(wrote)

    def manifests(self, table: str) -> Sequence[Manifest]:
        """Every commit of the table that no snapshot has taken in."""
        snapshot = self.snapshot(table)
        return self._commits(table, frozenset(() if snapshot is None else snapshot.includes_runs))

    def _commits(self, table: str, folded: frozenset[str], *, anew: bool = True) -> Sequence[Manifest]:
        """The commits that are on disk and not among these; a run that was seen committed is read again if `anew`."""
        runs = str(self.root / lay_out.table_folder(table) / lay_out.RUNS)  # texts: a poll looks at each of many
        seen = self._seen.setdefault(table, {})
        found: list[Manifest] = []
        for run_id in self.disk.names(runs):
            made = None if anew else seen.get(run_id)
            if made is None:
                made = self._commits_of(runs, table, run_id, folded)
                if made and not self.carried:  # else another node's commit may come to the run
                    seen[run_id] = made
            found += made
        return found

    def _commits_of(self, runs: str, table: str, run_id: str, folded: frozenset[str]) -> Sequence[Manifest]:
        """What a run has committed in the table, a commit a node."""
        found = []
        for node_id in self.disk.names(f"{runs}/{run_id}"):
            if f"{run_id}/{node_id}" in folded:
                continue
            path = f"{runs}/{run_id}/{node_id}/{lay_out.MANIFEST}"
            manifest = self._manifest(path)
            if manifest is None:
                continue  ##= store.lay-out.uncommitted-run
            if (manifest.table, manifest.run_id, manifest.node_id) != (table, run_id, node_id):
                reason = f"it is of run {manifest.run_id} of table {manifest.table}, and was put elsewhere"
                raise StoreManifestUnreadable(path=path, reason=reason)
            found.append(manifest)
        return found

    def _manifest(self, path: str) -> Manifest | None:
        """The manifest of a run, if it has one. One that stands as it was read before is not read again."""
        stamp = self.disk.stamp(path)
        held = self._read.get(path)
        if held is not None and held[0] == stamp:
            return held[1]
        content = None if stamp is None else self.disk.read(path)
        if stamp is None or content is None:
            return None
        manifest = lay_out.from_json(content, path=path)
        if len(self._read) >= READ_MAX:
            self._read.clear()
        self._read[path] = (stamp, manifest)
        return manifest

    def history(self, table: str, *, anew: bool = True) -> History:
        """All that the table has kept. Runs that were seen committed are read again if `anew`."""
        folder = self.root / lay_out.table_folder(table) / lay_out.SNAPSHOTS
        found = [(name, self.disk.read(folder / name / lay_out.MANIFEST)) for name in self.disk.names(folder)]
        held = [fold.from_json(each, path=str(folder / name / lay_out.MANIFEST)) for name, each in found if each]
        return History(held, self.snapshot(table), self._commits(table, frozenset(), anew=anew))

    def schema_diff(self, table: str, run_id: str) -> Sequence[DowngradeEvent]:
        """What a run landed in the table as less than it arrived as, in each of its commits."""
        commits = self._commits(table, frozenset())
        made = [manifest for manifest in commits if made_by(manifest.run_id, (run_id,))]
        return [event for manifest in made for event in manifest.schema_diff]

    def snapshot(self, table: str) -> Snapshot | None:
        """The table's current snapshot; none before its first fold."""
        folder = self.root / lay_out.table_folder(table)
        content = self.disk.read(folder / lay_out.POINTER)
        if content is None:
            return None
        try:
            snapshot_id = json.loads(content)["snapshot_id"]
            path = folder / lay_out.SNAPSHOTS / snapshot_id / lay_out.MANIFEST
            held = self.disk.read(path)
            if held is None:
                raise ValueError(f"{path} is missing")
        except (ValueError, KeyError, TypeError) as error:
            raise StoreManifestUnreadable(path=str(folder / lay_out.POINTER), reason=str(error)) from None
        return fold.from_json(held, path=str(path))

    def snapshot_parts(self, snapshot: Snapshot | None) -> Sequence[Path]:
        """The files of a snapshot's parts, which may stand in the folders of those before it."""
        if snapshot is None:
            return ()
        folder = self.root / lay_out.table_folder(snapshot.table) / lay_out.SNAPSHOTS
        return [folder / part.name for part in snapshot.parts]

    def parts(self, manifest: Manifest) -> Sequence[Path]:
        """The files of a commit's parts."""
        folder = self.root / lay_out.run_folder(manifest.table, manifest.run_id, manifest.node_id)
        return [folder / part for part in manifest.parts]

    def tables(self) -> Sequence[str]:
        """The tables that a run has written to."""
        folder = self.root / "tables"
        return [name for name in self.disk.names(folder) if (folder / name).is_dir()]

    def schema(self, table: str) -> Schema:
        """The table's columns; none before its first commit."""
        path = self.root / lay_out.table_folder(table) / lay_out.SCHEMA
        content = self.disk.read(path)
        try:
            return EMPTY if content is None else from_json(content)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreManifestUnreadable(path=str(path), reason=f"{type(error).__name__}: {error}") from None


class ParquetStage:
    """One run's parts, from its first batch to its commit."""

    def __init__(self, store: ParquetStore, lot: Lot) -> None:
        self._store = store
        self._disk = store.disk
        self._lot = lot
        self._table = store.root / lay_out.table_folder(lot.table.table)
        self._folder = store.root / lay_out.run_folder(lot.table.table, lot.run_id, store.node_id)
        self._staging = (
            self._folder / f"{store.world.draw(32):08x}{lay_out.STAGING}"
        )  # another writer of the run has its own
        self._parts: list[Path] = []
        self._staged_bytes = 0
        self._columns = EMPTY
        self._downgrades: dict[DowngradeEvent, None] = {}
        self.schema = store.schema(lot.table.table)

    def add(self, batch: Shaped) -> int:
        """Stage the batch as one part; its bytes. Nothing is synced: the journal has what a crash loses."""
        name = self._lot.table.table
        arriving = batch.schema()
        schema = reconcile.merge(name, self.schema, arriving, key=self._lot.table.key)
        content = arrow.staged(batch)
        self._staged_bytes = staging_and_checkpoints.within_bound(
            name, self._staged_bytes, len(content), bound_bytes=self._store.staged_bytes_max
        )
        path = self._staging / f"{len(self._parts):05d}.arrow"
        with files.storing(path):
            files.make_folders(self._disk, self._staging)
            self._disk.write(path, content)
        self._parts.append(path)
        self._columns = reconcile.merge(name, self._columns, arriving)
        self._downgrades |= dict.fromkeys(batch.downgrades)
        self.schema = schema  ##= run.own.stage-schema
        return len(content)

    def commit(
        self,
        position: str | None,
        *,
        known: str | None,
        attempts: tuple[str, ...],
        admit: Callable[[], None],
        complete: bool = False,
    ) -> Landed:
        """Publish the staged parts and the position together, or learn that one of the attempts has meanwhile."""
        with files.storing(self._table):
            files.make_folders(self._disk, self._folder)
            with files.locked(self._table / LOCK, self._store.world):  ##= store.reserve.commit-order
                history = self._store.history(self._lot.table.table, anew=False)
                standing = [*self._store.markers(history, self._lot.table.table), *history.runs]
                newest = _newest(standing, self._lot.pipeline_id)
                made = self._made(standing, newest, known, attempts)
                if made is None:
                    at = None if newest is None else newest.position
                    seen = newest is None or newest.run_id == known
                    moved = advance.published(self._lot.cursor, at, position, seen=seen)
                    landed = self._publish(history, self._manifest(standing, moved, complete), admit)
                else:
                    landed = self._again(made, position)
            self._disk.remove_folder(self._staging)
        return landed

    @property
    def staged_bytes(self) -> int:
        """The bytes of the parts staged so far."""
        return self._staged_bytes

    def discard(self) -> None:
        """Remove what was staged."""
        self._disk.remove_folder(self._staging)  ##= run.own.stage-discard

    def _publish(self, history: History, manifest: Manifest, admit: Callable[[], None]) -> Landed:
        """Write the parts, then the schema, then the manifest; or leave nothing of them."""
        name = self._lot.table.table
        stood = self._store.schema(name)
        merged = reconcile.merge(name, stood, self._columns, key=self._lot.table.key)
        self.schema = reconcile.committed(stood, merged, manifest.commit_seq)
        written: list[Path] = []
        try:
            self._keep_exact(history, stood)
            rows = part_bytes = 0
            for ordinal, part in enumerate(manifest.parts):
                content, count = self._finished(ordinal, rows, manifest)
                written.append(self._folder / part)
                self._disk.write(written[-1], content)
                self._disk.sync(written[-1])
                rows, part_bytes = rows + count, part_bytes + len(content)
            if self.schema != stood:
                ##= store.reconcile.first-sight
                files.replace(self._disk, self._table / lay_out.SCHEMA, to_json(self.schema))
            admit()
            ##= store.lay-out.run-manifest
            files.create(self._disk, self._folder / lay_out.MANIFEST, lay_out.to_json(manifest))
        except BaseException as error:
            if not (self._folder / lay_out.MANIFEST).exists():
                self._undo(written, stood)
            if isinstance(error, arrow.Inexact):
                raise self._inexact(error.column) from None
            raise
        return Landed(manifest, rows, part_bytes)

    def _keep_exact(self, history: History, stood: Schema) -> None:
        """See that committed rows hold nothing that their column's new type does not."""
        widened = [
            column
            for column, kind in self.schema.types.items()
            if kind is Type.FLOAT64 and stood.types.get(column) is Type.INT64
        ]
        if not widened:
            return  # as nearly always: a table may have thousands of parts
        paths = [path for manifest in history.runs for path in self._store.parts(manifest)]
        paths += [path for snapshot in history.snapshots for path in self._store.snapshot_parts(snapshot)]
        for column in widened:
            for path in paths:
                arrow.exact(path, column, Type.FLOAT64)

    def _inexact(self, column: str) -> StoreSchemaIncompatible:
        return StoreSchemaIncompatible(
            table=self._lot.table.table, column=column, stored=Type.INT64.value, arriving=Type.FLOAT64.value
        )

    def _made(
        self, standing: Sequence[Manifest], newest: Manifest | None, known: str | None, attempts: tuple[str, ...]
    ) -> Manifest | None:
        """The commit of this stage's rows, where it stands already: under this run id, or as another attempt's."""
        for manifest in standing:
            if (manifest.pipeline_id, manifest.run_id) == (self._lot.pipeline_id, self._lot.run_id):
                return manifest
        if newest is None or newest.run_id == known or not made_by(newest.run_id, attempts):
            return None
        return newest

    def _again(self, made: Manifest, position: str | None) -> Landed:
        """The commit that stands. Another attempt's rows came from the same journal; our own run id's are compared."""
        ours = made.run_id == self._lot.run_id
        if made.position != position or (ours and not self._same(made)):
            raise StoreRunConflict(table=made.table, run_id=made.run_id)  ##= store.lay-out.run-conflict
        paths = self._store.parts(made)
        rows = sum(map(arrow.row_count, paths))
        return Landed(made, rows, sum(path.stat().st_size for path in paths))  ##= store.lay-out.run-replay

    def _same(self, made: Manifest) -> bool:
        if len(made.parts) != len(self._parts):
            return False
        rows = 0
        for ordinal, path in enumerate(self._store.parts(made)):
            content, count = self._finished(ordinal, rows, made)
            if self._disk.read(path) != content:
                return False
            rows += count
        return True

    def _finished(self, ordinal: int, first_row_seq: int, manifest: Manifest) -> tuple[bytes, int]:
        """A part as the manifest's commit writes it, and its rows."""
        content = self._disk.read(self._parts[ordinal])
        assert content is not None, "nobody else writes in a run's own folder"
        types = {name: self.schema.types[name] for name in self._columns.types}
        stamp = arrow.Stamp(
            run_id=manifest.run_id,
            site_id=self._lot.site_id,
            batch_seq=ordinal,
            first_row_seq=first_row_seq,
            committed_ms=manifest.committed_ms,  ##= run.own.stage-instant
            commit_seq=manifest.commit_seq,  ##= run.own.stage-commit-seq
        )
        return arrow.finished(content, Schema(types), stamp)

    def _manifest(self, standing: Sequence[Manifest], position: str | None, complete: bool) -> Manifest:
        return Manifest(
            run_id=self._lot.run_id,
            table=self._lot.table.table,
            node_id=self._store.node_id,
            parts=tuple(lay_out.part_name(ordinal) for ordinal in range(len(self._parts))),
            committed_ms=reserve.next_commit_ms((m.committed_ms for m in standing), self._store.world.now_ms()),
            commit_seq=reserve.next_commit_seq(m.commit_seq for m in standing),
            pipeline_id=self._lot.pipeline_id,
            position=position,
            complete=complete,
            replacement_frontier=complete and self._lot.replaces and not self._parts,
            schema_diff=tuple(self._downgrades),
        )

    def _undo(self, written: Sequence[Path], stood: Schema) -> None:
        """A commit that did not come about leaves nothing."""
        for path in written:
            self._disk.remove(path)
        path = self._table / lay_out.SCHEMA
        if stood == EMPTY:
            self._disk.remove(path)
        elif self.schema != stood:
            files.replace(self._disk, path, to_json(stood))


def _newest(commits: Sequence[Manifest], pipeline_id: str) -> Manifest | None:
    own = [manifest for manifest in commits if manifest.pipeline_id == pipeline_id]
    return max(own, key=lambda manifest: manifest.commit_seq, default=None)
