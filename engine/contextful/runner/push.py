"""Performs store.push and store.merge: this node's commits go to the bucket."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from contextful.kernel import digest
from contextful.ports.bucket import Bucket
from contextful.ports.corpus import Corpus
from contextful.ports.world import World
from contextful.store import fold, lay_out, merge, push, reconcile, schema
from contextful.store.fold import History
from contextful.store.push import BucketManifest, Entry, Kind, Pointer, RunState
from contextful_contract import limits
from contextful_contract.errors import SyncManifestRebaseExhausted

LOG = logging.getLogger(__name__)
Started = Callable[[], Mapping[str, tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class Pushed:
    """A push that has committed: the generation it made, how many objects it sent, and what it knew as it began.

    `held` are the paths that stood here then, `listed` those that the bucket lists of the project now.
    """

    generation: int
    objects: int
    held: Sequence[str]
    listed: Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Mended:
    """The keys of objects that were not as the bucket lists them: those sent anew, and those that this node lacks."""

    sent: Sequence[str]
    missing: Sequence[str]


@dataclass(frozen=True, slots=True)
class Standing:
    """The bucket's manifest, and the version that it is; none where there is none yet."""

    manifest: BucketManifest
    version: str | None


def standing(bucket: Bucket) -> Standing:
    """The bucket's manifest as it is now."""
    found = bucket.get(push.MANIFEST)
    return Standing(BucketManifest(), None) if found is None else Standing(push.from_json(found.content), found.version)


class Pushes:
    """Pushes of one store."""

    def __init__(self, corpus: Corpus, bucket: Bucket, world: World, *, project: str, started: Started) -> None:
        self._corpus = corpus
        self._bucket = bucket
        self._world = world
        self._project = project
        self._started = started

    def held(self) -> Sequence[str]:
        """The paths that stand here, and that a push sends."""
        return push.sent(self._corpus.paths())

    def push(self, *, until_ms: int | None = None) -> Pushed:
        """Send what is committed here. Raises SyncPushInFlight where another push goes on up to the instant given."""
        with self._corpus.pushing(until_ms=self._world.now_ms() if until_ms is None else until_ms):
            held = self.held()
            state = self._state()
            sent: dict[str, Entry] = {}
            for _ in range(limits.STORE_PUSH_RETRIES_ATTEMPTS):
                pushed = self._attempt(held, state, sent)
                if pushed is not None:
                    return pushed
            raise SyncManifestRebaseExhausted(attempts=limits.STORE_PUSH_RETRIES_ATTEMPTS)  ##= store.merge.exhausted

    def mended(self) -> Mended:
        """Hold every object that the bucket lists to its digest, and send anew what is not as it was sent."""
        sent, missing = [], []
        for path, entry in push.of_project(standing(self._bucket).manifest, self._project).items():
            key = push.object_key(self._key(path), entry)
            found = self._bucket.get(key)
            if found is not None and digest.of_bytes(found.content) == entry.sha256:
                continue
            content = self._corpus.read(path)
            if content is None or digest.of_bytes(content) != entry.sha256:
                missing.append(key)
            else:
                self._bucket.put(key, content, over=None if found is None else found.version)
                sent.append(key)
        return Mended(sent, missing)

    def _attempt(self, held: Sequence[str], state: bytes, sent: dict[str, Entry]) -> Pushed | None:
        """Send what the bucket lacks, and replace its manifest; none where another did so first. `sent` remembers."""
        before = standing(self._bucket)
        listed = push.of_project(before.manifest, self._project)
        ours: dict[str, Entry] = {}
        for path in [*held, push.state_path(self._corpus.node_id)]:
            if path in listed and not (push.rewritten(path) and push.ours(path, listed[path], self._corpus.node_id)):
                continue
            if path not in sent or push.rewritten(path):
                content = self._content(path, state, listed.get(path))
                if content is None:  # it was collected since we began
                    continue
                sent[path] = self._sent(path, content, listed.get(path))
            if sent[path] != listed.get(path):
                ours[path] = sent[path]
        pointers = self._pointers(before.manifest)
        gone = self._gone(listed, {**before.manifest.pointers, **pointers})
        changes = merge.Ours({self._key(path): entry for path, entry in ours.items()}, pointers, gone)
        after = merge.rebased(before.manifest, changes, self._corpus.node_id, self._world.now_ms())
        version = self._bucket.put(
            push.MANIFEST, push.to_json(after), over=before.version
        )  ##= store.push.bucket-manifest
        if version is None:
            return None
        self._drop(before.manifest, after)
        return Pushed(after.generation, len(ours), held, push.of_project(after, self._project))

    def _sent(self, path: str, content: bytes, listed: Entry | None) -> Entry:
        """The entry of a file once its object stands."""
        entry = Entry(digest.of_bytes(content), len(content), self._corpus.node_id)
        if listed is not None and listed.sha256 == entry.sha256:
            return listed
        key = push.object_key(self._key(path), entry)
        if self._bucket.put(key, content) is None:  # from a push that died
            found = self._bucket.get(key)
            if found is None or found.content != content:
                self._bucket.put(key, content, over=None if found is None else found.version)
        return entry

    def _content(self, path: str, state: bytes, listed: Entry | None) -> bytes | None:
        """What of the file goes into the bucket: of a schema, with the columns that others have put there."""
        content = state if push.kind(path) is Kind.STATE else self._corpus.read(path)
        if (
            content is None
            or push.kind(path) is not Kind.SCHEMA
            or listed is None
            or listed.sha256 == digest.of_bytes(content)
        ):
            return content
        found = self._bucket.get(push.object_key(self._key(path), listed))
        table = push.table(path)
        assert table is not None, "a schema is a table's"
        return content if found is None else merged_schema(table, found.content, content)

    def _pointers(self, manifest: BucketManifest) -> Mapping[str, Pointer]:
        """The snapshots that are current once we have pushed, where they are others than before."""
        found = {}
        for table in self._corpus.tables():
            history = self._corpus.history(table)
            known = {snapshot.snapshot_id: snapshot for snapshot in history.snapshots}
            key = self._key(str(lay_out.table_folder(table) / lay_out.POINTER))
            theirs = manifest.pointers.get(key)
            if history.current is None or (theirs is not None and theirs.snapshot_id not in known):
                continue
            runs = [fold.run_name(run) for run in history.runs]
            current = merge.current(history.current, None if theirs is None else known[theirs.snapshot_id], known, runs)
            if theirs is None or theirs.snapshot_id != current:
                found[key] = Pointer(current)
        return found

    def _gone(self, listed: Mapping[str, Entry], pointers: Mapping[str, Pointer]) -> Sequence[str]:
        """The keys of what nobody may ask for any more, and is not here any more."""
        past = past_in(self._corpus, push.pointed(pointers, self._project), self._world.now_ms())
        return [self._key(path) for path in listed if past(path) and not self._corpus.stands(path)]

    def _drop(self, before: BucketManifest, after: BucketManifest) -> None:
        """Delete the objects that no entry names any more. What stays where this fails is in nobody's way."""
        named = {push.object_key(key, entry) for key, entry in after.entries.items()}
        unnamed = {push.object_key(key, entry) for key, entry in before.entries.items()} - named
        try:
            for key in sorted(unnamed):
                self._bucket.delete(key)
        except Exception:
            LOG.warning("objects that nothing names were left in the bucket", exc_info=True)

    def _state(self) -> bytes:
        """This node's run state."""
        cursors = [
            marker
            for table in self._corpus.tables()
            for marker in fold.markers(self._corpus.history(table))
            if marker.pipeline_id
        ]
        return push.state_to_json(RunState(self._started(), cursors))

    def _key(self, path: str) -> str:
        return f"{self._project}/{path}"


def past_in(corpus: Corpus, pointers: Mapping[str, str], now_ms: int) -> Callable[[str], bool]:
    """Tells of a path whether nobody may ask for it any more: in tables whose snapshot comes after the bucket's."""
    histories = {table: corpus.history(table) for table in corpus.tables()}
    agreed = {table: history for table, history in histories.items() if fold.after(history, pointers.get(table))}
    return lambda path: push.past(path, agreed.get(push.table(path) or "", History()), now_ms)


def merged_schema(table: str, one: bytes, other: bytes) -> bytes:
    """A schema with the columns of both."""
    stood, arriving = schema.from_json(one), schema.from_json(other)
    return schema.to_json(reconcile.joined(table, stood, arriving))
