"""Performs store.pull: what the bucket lists comes here, or nothing of it becomes readable."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from contextful.kernel import digest
from contextful.ports.bucket import Bucket
from contextful.ports.corpus import Corpus
from contextful.ports.world import World
from contextful.runner.push import Standing, merged_schema, past_in, standing
from contextful.store import fold, merge, pull, push
from contextful.store.push import BucketManifest, Entry, Kind
from contextful_contract import limits
from contextful_contract.errors import SyncObjectDigestMismatch, SyncPullDidNotConverge


@dataclass(frozen=True, slots=True)
class Pulled:
    """A pull that has converged: the generation that is here now, and how many objects came."""

    generation: int
    objects: int


class Pulls:
    """Pulls into one store; of the tables listed, or of all."""

    def __init__(
        self, corpus: Corpus, bucket: Bucket, world: World, *, project: str, tables: Collection[str] | None
    ) -> None:
        self._corpus = corpus
        self._bucket = bucket
        self._world = world
        self._project = project
        self._tables = tables

    def pull(self) -> Pulled:
        """Bring what is here up to what the bucket lists."""
        objects = 0
        for _ in range(limits.STORE_PULL_CONVERGENCE_ATTEMPTS):
            before = standing(self._bucket)
            try:
                objects += self._taken(before.manifest)
            except SyncObjectDigestMismatch:
                if self._stays(before):
                    raise
                continue
            if self._stays(before):
                return Pulled(before.manifest.generation, objects)
        raise SyncPullDidNotConverge(attempts=limits.STORE_PULL_CONVERGENCE_ATTEMPTS)  ##= store.pull.convergence

    def _stays(self, before: Standing) -> bool:
        """Whether the manifest is the one that was seen."""
        return standing(self._bucket).version == before.version

    def _taken(self, manifest: BucketManifest) -> int:
        """Take in every object that is wanted, then the pointers; how many objects came."""
        entries = push.of_project(manifest, self._project)
        pointed = push.pointed(manifest.pointers, self._project)
        wanted = pull.wanted(
            entries,
            tables=self._tables,
            stands=self._stands,
            past=past_in(self._corpus, pointed, self._world.now_ms()),
        )
        for path in wanted:
            self._take(path, entries[path])
        for table, snapshot_id in pointed.items():
            if pull.in_scope(table, self._tables):
                self._point(table, snapshot_id)
        return len(wanted)

    def _stands(self, path: str, entry: Entry) -> bool:
        """Whether the file is here as it is listed; of what this node itself writes again, whether it is here."""
        if not push.rewritten(path) or (entry.owner == self._corpus.node_id and push.kind(path) is not Kind.SCHEMA):
            return self._corpus.stands(path)
        content = self._corpus.read(path)
        return content is not None and digest.of_bytes(content) == entry.sha256

    def _take(self, path: str, entry: Entry) -> None:
        key = push.object_key(f"{self._project}/{path}", entry)
        found = self._bucket.get(key)
        content = pull.checked(key, entry, None if found is None else found.content)
        table = push.table(path)
        if table is None or push.kind(path) in (Kind.PART, Kind.LEDGER):
            self._corpus.take(path, content)
            return
        with self._corpus.turn(table):
            stood = self._corpus.read(path)
            if push.kind(path) is Kind.SCHEMA and stood is not None:
                content = merged_schema(table, stood, content)
            if content != stood:
                self._corpus.take(path, content)

    def _point(self, table: str, theirs: str) -> None:
        """Make the snapshot that is current in the bucket the one here, where it comes after the one here."""
        with self._corpus.turn(table):
            history = self._corpus.history(table)
            known = {snapshot.snapshot_id: snapshot for snapshot in history.snapshots}
            if theirs not in known or (history.current is not None and history.current.snapshot_id == theirs):
                return
            runs = [fold.run_name(run) for run in history.runs]
            self._corpus.point(table, merge.current(history.current, known[theirs], known, runs))
