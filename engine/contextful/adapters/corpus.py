"""The files of a Parquet store, as a bucket may have them."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from contextful.adapters import files, fold, parquet
from contextful.adapters.parquet import ParquetStore
from contextful.store import lay_out
from contextful.store.fold import History
from contextful_contract.errors import SyncPushInFlight

GUARD = "push.lock"
POLL_MS = 100


class StoreCorpus:
    """One store's files."""

    def __init__(self, store: ParquetStore) -> None:
        self._store = store
        self._root = store.root
        self._disk = store.disk

    @property
    def node_id(self) -> str:
        """The node."""
        return self._store.node_id

    def tables(self) -> Sequence[str]:
        """The tables that stand here."""
        return self._store.tables()

    def history(self, table: str) -> History:
        """All that the table has kept."""
        return self._store.history(table)

    def paths(self) -> Sequence[str]:
        """The paths of all files."""
        with files.storing(self._root):
            found = [Path(folder, name) for folder, _, names in os.walk(self._root) for name in names]
        return [path.relative_to(self._root).as_posix() for path in found]

    def stands(self, path: str) -> bool:
        """Whether the file is here."""
        return (self._root / path).is_file()

    def read(self, path: str) -> bytes | None:
        """A file's content, if it is here."""
        with files.storing(self._root / path):
            return self._disk.read(self._root / path)

    def take(self, path: str, content: bytes) -> None:
        """The file holds the content, whole, and survives a power loss."""
        at = self._root / path
        with files.storing(at):
            files.make_folders(self._disk, at.parent)
            files.replace(self._disk, at, content)

    def point(self, table: str, snapshot_id: str) -> None:
        """The snapshot is the table's current one."""
        self.take(str(lay_out.table_folder(table) / lay_out.POINTER), lay_out.pointer(snapshot_id))

    @contextmanager
    def turn(self, table: str) -> Iterator[None]:
        """Meanwhile nobody else commits to the table, or folds it."""
        folder = self._root / lay_out.table_folder(table)
        with files.storing(folder):
            files.make_folders(self._disk, folder)
        folding, committing = (files.locked(folder / lock, self._store.world) for lock in (fold.LOCK, parquet.LOCK))
        with folding, committing:
            yield

    @contextmanager
    def pushing(self, *, until_ms: int) -> Iterator[None]:
        """Meanwhile nobody else on this machine pushes. The system lets go for a process that dies."""
        path = self._root / GUARD
        with files.storing(path):
            files.make_folders(self._disk, self._root)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._guard(handle, until_ms)
            yield
        finally:
            os.close(handle)

    def _guard(self, handle: int, until_ms: int) -> None:
        world = self._store.world
        while True:  # ends: with the other push, or at the instant
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES):
                    raise
                if world.now_ms() >= until_ms:
                    holder = os.pread(handle, 100, 0).decode(errors="replace").strip()
                    raise SyncPushInFlight(holder=holder or "another process") from None  ##= store.push.in-flight
                world.wait(world.event(), POLL_MS)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{world.pid()}\n".encode(), 0)
