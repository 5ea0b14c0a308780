"""A project's `[sync]`: which bucket its store is carried to, and when it is pulled and pushed."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from contextful.faces.config import CONFIG, Sync
from contextful.kernel.failure import Failed, Failure
from contextful.ports.bucket import Bucket
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.runner.drain import Marks, Unpushed
from contextful.runner.pull import Pulled, Pulls
from contextful.runner.push import Mended, Pushed, Pushes, standing
from contextful.runner.record import latest
from contextful.store import drain
from contextful.store.push import BucketManifest
from contextful_contract import limits
from contextful_contract.errors import ProfileCapabilityAbsent, StorageCapabilityMissing
from contextful_contract.shapes import FailureTag, StorageProfile

if TYPE_CHECKING:
    from contextful.adapters.parquet import ParquetStore

LOG = logging.getLogger(__name__)
FOLDER = "file:"
SECRET = "env:"


@dataclass(frozen=True, slots=True)
class Bound:
    """What `[sync]` says, and the bucket that it names."""

    sync: Sync
    bucket: Bucket


@dataclass(frozen=True, slots=True)
class Carried:
    """A push that has committed, and the runs that it has found lost."""

    pushed: Pushed
    lost: Sequence[str]


class Unfinished(Failed):
    """Runs of this node are still on its disk alone."""

    def __init__(self, runs: Sequence[str]) -> None:
        said = f"these runs could not be pushed, and are on this disk alone: {', '.join(runs)}"
        super().__init__(Failure(FailureTag.STORAGE, said))


class Carrying:
    """A store and its bucket."""

    def __init__(
        self,
        store: ParquetStore,
        bound: Bound,
        rows: Rows,
        world: World,
        *,
        project: str,
        pipelines: Sequence[str],
        restore: Callable[[], object],
    ) -> None:
        """`restore` lets the record of this node know of the runs that a pull has brought."""
        from contextful.adapters.corpus import StoreCorpus

        def started() -> Mapping[str, tuple[str, int]]:
            runs = {pipeline: latest(rows, pipeline, world.now_ms()) for pipeline in pipelines}
            return {pipeline: (run.run_id, run.started_ms) for pipeline, run in runs.items() if run is not None}

        corpus = StoreCorpus(store)
        self.sync = bound.sync
        self.marks = Marks(rows, world)
        self._bucket = bound.bucket
        self._world = world
        self._node_id = store.node_id
        self._restore = restore
        self.pushes = Pushes(corpus, bound.bucket, world, project=project, started=started)
        self.pulls = Pulls(corpus, bound.bucket, world, project=project, tables=bound.sync.pull_tables)

    def before_run(self) -> Carried | None:
        """Pull, where that is asked for before anything is read, and then push what is marked on this node.

        Raises Unfinished, which names the runs, where they cannot be pushed.
        """
        if not self.sync.pull_before_run:
            return None
        self.pull()  ##= store.pull.before-run
        due = self.due()
        if not due:
            return None
        try:
            return self.push()  ##= store.drain.before-read
        except Exception as error:
            raise Unfinished(due) from error

    def after_run(self) -> Carried | None:
        """Push, where that is asked for once a fire's runs have closed."""
        return self.push() if self.sync.push_after_run else None  ##= store.push.after-run

    def due(self) -> Sequence[str]:
        """The runs of this node that are marked, and are here or have lost their owner."""
        return self.marks.due(self._node_id, self.pushes.held)

    def push(self, *, until_ms: int | None = None) -> Carried:
        """Push now, and settle the marks."""
        pushed = self.pushes.push(until_ms=until_ms)
        return Carried(pushed, self.marks.settle(pushed))

    def drained(self) -> Sequence[str]:
        """Push what is marked on this node, within 15 s; the runs that were not carried in that time."""
        due = self.due()
        if not due:
            return ()
        done, carried = self._world.event(), []

        def work() -> None:
            try:
                carried.append(self.push(until_ms=self._world.now_ms() + limits.DRAIN_DEADLINE_MS))
            except Exception:
                LOG.warning("the push that a stopping process owes has failed", exc_info=True)
            finally:
                done.set()

        self._world.aside("contextful-drain", work)  # it may hang, and this process may not
        self._world.wait(done, limits.DRAIN_DEADLINE_MS)  ##= store.drain.deadline
        return () if carried else due

    def pull(self) -> Pulled:
        """Pull now; the runs that came with it are in this node's history."""
        pulled = self.pulls.pull()
        if pulled.objects:
            self._restore()
        return pulled

    def mended(self) -> Mended:
        """Send anew what the bucket holds otherwise than it lists."""
        return self.pushes.mended()

    def manifest(self) -> BucketManifest:
        """What the bucket lists now."""
        return standing(self._bucket).manifest


def unpushed(store: ParquetStore, profile: StorageProfile | None) -> Unpushed | None:
    """How runs are marked whose commits are on a disk that may go, while the record of them stays."""
    return Unpushed(store.node_id, store.landed) if drain.tracked(profile) else None


def settled(sync: Sync | None, profile: StorageProfile | None) -> Sync | None:
    """What holds of the bucket under the profile: what a disk that may go has on it is pulled and pushed each time."""
    if profile is None:
        return sync
    sync = sync or Sync()
    named = sync.bucket is not None and not sync.bucket.startswith(FOLDER)
    if profile is StorageProfile.POSTGRES and not named:
        raise StorageCapabilityMissing(profile=profile.value, missing=f"bucket in [sync] of {CONFIG}")
    for switch in ("pull_before_run", "push_after_run"):
        if getattr(sync, switch) is False:
            raise StorageCapabilityMissing(profile=profile.value, missing=f"{switch} in [sync] of {CONFIG}")
    return msgspec.structs.replace(sync, pull_before_run=True, push_after_run=True)  ##= run.journal.container-profile


def bucket(sync: Sync, folder: Path, world: World) -> Bucket:
    """The bucket that is named: a folder's path behind `file:`, or the name of one that speaks S3."""
    if not sync.bucket:
        raise Failed(Failure(FailureTag.CONFIG, f"[sync] in {CONFIG} names no bucket"))
    prefix = _prefix(sync)
    if sync.bucket.startswith(FOLDER):
        from contextful.adapters.folder_bucket import FolderBucket

        return FolderBucket(folder / sync.bucket.removeprefix(FOLDER), world, prefix=prefix)
    try:
        from contextful.adapters.s3 import Place, S3Bucket
    except ImportError as error:
        raise ProfileCapabilityAbsent(command="a bucket that speaks S3", capability="s3") from error
    named = ("endpoint", "region", "access_key_id", "secret_access_key", "session_token")
    given = {name: _given(name, getattr(sync, name)) for name in named}
    return S3Bucket(Place(sync.bucket, prefix, **given))


def _prefix(sync: Sync) -> str:
    found = _given("prefix_from", sync.prefix_from) if sync.prefix_from else sync.prefix
    return (found or "").strip("/")


def _given(name: str, value: str | None) -> str | None:
    """A value of the configuration, or what the variable holds that it names as `env:NAME`."""
    if value is None or not value.startswith(SECRET):
        return value
    variable = value.removeprefix(SECRET)
    if variable not in os.environ:
        said = f"the variable {variable}, which {name} in {CONFIG} names, is not set"
        raise Failed(Failure(FailureTag.SECRET_NOT_FOUND, said))
    return os.environ[variable]
