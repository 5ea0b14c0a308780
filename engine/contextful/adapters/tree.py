"""Files under one folder, one operation a method, so that a test may stop between any two."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from posixpath import dirname
from typing import Protocol

from contextful.adapters.system import BOOT_ID

BUSY_MS = 30_000  # how long another process may hold the tree before an operation of ours fails
GONE = (FileNotFoundError, NotADirectoryError)


class Tree(Protocol):
    """Files under one folder, by their paths within it. What is synced outlives a power loss."""

    def boot(self) -> bytes:
        """The boot of the machine: another one after the power was gone."""

    def held(self, path: str) -> AbstractContextManager[None]:
        """Hold the lock of this file, which nobody holds any more whose process has ended."""

    def read(self, path: str) -> bytes | None:
        """The file's content, or none where there is no file."""

    def size(self, path: str) -> int | None:
        """The file's size, or none where there is no file."""

    def names(self, folder: str) -> list[str]:
        """What a folder holds, if there is one."""

    def write(self, path: str, content: bytes) -> None:
        """Make the file hold this content, at once or not."""

    def append(self, path: str, content: bytes) -> None:
        """Add to the end of the file."""

    def truncate(self, path: str, size: int) -> None:
        """Cut the end of the file off."""

    def sync(self, path: str) -> None:
        """Wait until the disk has the file's content, or the folder's names, if they are still there."""

    def rename(self, source: str, target: str) -> None:
        """Put a file in the place of another, at once."""

    def remove(self, path: str) -> None:
        """Drop the file, if it is there."""

    def make_folder(self, path: str) -> None:
        """Make the folder and those above it, where they are missing."""

    def drop_folder(self, path: str) -> bool:
        """Drop the folder if it is empty. True: it is gone."""

    def date(self, path: str, at_ms: int) -> None:
        """Say when the file was last put."""

    def dated_ms(self, path: str) -> int | None:
        """When the file was last put, or none where there is no file."""


class SystemTree:
    """The machine's own tree."""

    def __init__(self, folder: Path) -> None:
        self._root = str(folder)
        self._boot = BOOT_ID.read_bytes().strip() if BOOT_ID.exists() else b"process-%d" % os.getpid()
        self._turn = threading.Lock()  # threads of one process queue here, and then one of them for the file
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            self.sync("..")

    def boot(self) -> bytes:
        """The kernel's boot id, or where there is none, one for each process."""
        return self._boot

    @contextmanager
    def held(self, path: str) -> Iterator[None]:
        """Hold the lock of this file: the kernel takes it from a process that ends."""
        with self._turn:
            file = os.open(self._at(path), os.O_RDWR | os.O_CREAT, 0o666)
            try:
                self._lock(file)
                yield
            finally:
                os.close(file)

    def read(self, path: str) -> bytes | None:
        """The file's content, or none where there is no file."""
        try:
            with open(self._at(path), "rb", buffering=0) as file:
                return file.readall()
        except GONE:
            return None

    def size(self, path: str) -> int | None:
        """The file's size, or none where there is no file."""
        try:
            return os.stat(self._at(path)).st_size
        except GONE:
            return None

    def names(self, folder: str) -> list[str]:
        """What a folder holds, if there is one."""
        try:
            return os.listdir(self._at(folder))
        except GONE:
            return []

    def write(self, path: str, content: bytes) -> None:
        """Make the file hold this content."""
        self._write(path, content, os.O_TRUNC)

    def append(self, path: str, content: bytes) -> None:
        """Add to the end of the file."""
        self._write(path, content, os.O_APPEND)

    def truncate(self, path: str, size: int) -> None:
        """Cut the end of the file off."""
        os.truncate(self._at(path), size)

    def sync(self, path: str) -> None:
        """Wait until the disk has the file's content, or the folder's names, if they are still there."""
        try:
            file = os.open(self._at(path), os.O_RDONLY)
        except GONE:
            return
        try:
            os.fsync(file)
        finally:
            os.close(file)

    def rename(self, source: str, target: str) -> None:
        """Put a file in the place of another, at once."""
        os.replace(self._at(source), self._at(target))

    def remove(self, path: str) -> None:
        """Drop the file, if it is there."""
        try:
            os.unlink(self._at(path))
        except GONE:
            return

    def make_folder(self, path: str) -> None:
        """Make the folder and those above it, where they are missing."""
        os.makedirs(self._at(path), exist_ok=True)

    def drop_folder(self, path: str) -> bool:
        """Drop the folder if it is empty. True: it is gone."""
        try:
            os.rmdir(self._at(path))
        except GONE:
            return True
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                return False
            raise
        return True

    def date(self, path: str, at_ms: int) -> None:
        """Say when the file was last put."""
        os.utime(self._at(path), ns=(at_ms * 1_000_000, at_ms * 1_000_000))

    def dated_ms(self, path: str) -> int | None:
        """When the file was last put, or none where there is no file."""
        try:
            return os.stat(self._at(path)).st_mtime_ns // 1_000_000
        except GONE:
            return None

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}"

    def _write(self, path: str, content: bytes, how: int) -> None:
        file = os.open(self._at(path), os.O_WRONLY | os.O_CREAT | how, 0o666)
        try:
            rest = memoryview(content)
            while rest:  # ends: each write takes a part, or raises
                rest = rest[os.write(file, rest) :]
        finally:
            os.close(file)

    def _lock(self, file: int) -> None:
        for _ in range(BUSY_MS):
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                threading.Event().wait(0.001)
        raise TimeoutError(errno.ETIMEDOUT, f"another process has held it for {BUSY_MS} ms", self._root)


def above(path: str) -> Iterator[str]:
    """The folders that hold the path, the nearest first, up to the root, which is nameless."""
    while path:  # ends: each is shorter
        path = dirname(path)
        yield path
