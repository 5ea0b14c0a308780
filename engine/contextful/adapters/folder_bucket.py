"""A folder as a bucket: of one machine, or of several where its file system honors locks.

Each object is a file. Writes take turns at one lock, so that one is made only where none stands, or over the content
that its writer has seen; an object's version is the digest of its content.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contextful.adapters import bucket_keys, files
from contextful.adapters.files import Disk
from contextful.kernel import digest
from contextful.kernel.failure import StorageFailed
from contextful.ports.bucket import Object
from contextful.ports.world import World

LOCK = ".lock"


class FolderBucket:
    """The objects under one folder."""

    def __init__(self, folder: Path, world: World, *, prefix: str = "", disk: Disk | None = None) -> None:
        self._bucket = folder
        self._folder = folder / prefix
        self._world = world
        self._disk = disk or Disk()

    def get(self, key: str) -> Object | None:
        """The object under the key."""
        self._see_that_it_stands()
        with files.storing(self._at(key)):
            content = self._disk.read(self._at(key))
        return None if content is None else Object(content, digest.of_bytes(content))

    def put(self, key: str, content: bytes, *, over: str | None = None) -> str | None:
        """Write where no object stands, or over the version given; the version it has now, none if another stands."""
        self._see_that_it_stands()
        with files.storing(self._folder):
            files.make_folders(self._disk, self._folder)
            with files.locked(self._folder / LOCK, self._world):
                standing = self.get(key)
                if over != (None if standing is None else standing.version):
                    return None
                files.make_folders(self._disk, self._at(key).parent)
                files.replace(self._disk, self._at(key), content)
        return digest.of_bytes(content)

    def keys(self, prefix: str, *, after: str = "", limit: int = 1_000) -> Sequence[str]:
        """The keys that begin so and come after that one, in the order of their code points."""
        found = [
            bucket_keys.read(path.relative_to(self._folder).as_posix())
            for path in self._folder.rglob("*")
            if path.is_file() and path.suffix != files.ASIDE and path.name != LOCK
        ]
        return sorted(key for key in found if key.startswith(prefix) and key > after)[:limit]

    def delete(self, key: str) -> None:
        """Drop the object, if there is one."""
        with files.storing(self._at(key)):
            self._disk.remove(self._at(key))

    def _see_that_it_stands(self) -> None:
        """A bucket is made on purpose: where a folder is missing that is mounted, say, it is not an empty one."""
        if not self._bucket.is_dir():
            raise StorageFailed(f"bucket {self._bucket} is no folder: make it, or mount it")

    def _at(self, key: str) -> Path:
        return self._folder / bucket_keys.spelled(key)
