"""Corpus objects in an R2 bucket, under `corpus/` (run.journal.d1-profile)."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.adapters.d1.worker import Worker
from contextful.ports.bucket import Object

ROOT = "corpus/"


class R2Bucket:
    """The objects of one bucket, beside its blobs."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def get(self, key: str) -> Object | None:
        """The object under the key."""
        return self._worker.object(ROOT + key)

    def put(self, key: str, content: bytes, *, over: str | None = None) -> str | None:
        """Write where no object stands, or over the version given; the version it has now, none if another stands."""
        return self._worker.write(ROOT + key, content, over)

    def keys(self, prefix: str, *, after: str = "", limit: int = 1_000) -> Sequence[str]:
        """The keys that begin so and come after that one, in the order of their code points."""
        return [key.removeprefix(ROOT) for key in self._worker.keys(ROOT + prefix, ROOT + after, limit)]

    def delete(self, key: str) -> None:
        """Drop the object, if there is one."""
        self._worker.drop(ROOT + key)
