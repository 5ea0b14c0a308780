"""Files that are whole or not there: written aside, synced, and then given their name."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from contextful.kernel.failure import StorageFailed
from contextful.ports.world import World

ASIDE = ".new"
LOCK_POLL_MS = 20
LOCK_POLLS_MAX = 6_000  # two minutes: no commit takes as long


Stamp = tuple[int, int, int]


class Disk:
    """The file system, an operation a method, so that a crash can be played between any two."""

    def make_folder(self, folder: Path) -> None:
        """A folder, under one that stands."""
        folder.mkdir(exist_ok=True)

    def write(self, path: Path, content: bytes) -> None:
        """The file holds the content, perhaps only in the system's memory."""
        path.write_bytes(content)

    def sync(self, path: Path) -> None:
        """What a file or a folder holds survives a power loss."""
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def link(self, source: Path, target: Path) -> None:
        """The file has a second name. Raises FileExistsError where something has that name."""
        os.link(source, target)

    def rename(self, source: Path, target: Path) -> None:
        """The file has another name, whatever had it before."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """The file is gone, if it was there."""
        path.unlink(missing_ok=True)

    def remove_folder(self, folder: Path) -> None:
        """The folder is gone with all it held, if it was there."""
        shutil.rmtree(folder, ignore_errors=True)

    def read(self, path: Path | str) -> bytes | None:
        """The content, or none where there is no such file."""
        try:
            with open(path, "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def stamp(self, path: Path | str) -> Stamp | None:
        """What is another for a file that was written since; none where there is no such file."""
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def names(self, folder: Path | str) -> Sequence[str]:
        """What stands in the folder, in order; nothing where there is no such folder."""
        try:
            return sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return ()


def make_folders(disk: Disk, folder: Path) -> None:
    """The folder and those above it, each entered durably into the one above."""
    if folder.is_dir():
        return
    make_folders(disk, folder.parent)
    disk.make_folder(folder)
    disk.sync(folder.parent)


def create(disk: Disk, path: Path, content: bytes) -> None:
    """The file, durably and all at once. Raises FileExistsError where somebody has created it."""
    aside = path.with_name(path.name + ASIDE)
    disk.write(aside, content)
    disk.sync(aside)
    disk.link(aside, path)
    disk.sync(path.parent)
    disk.remove(aside)


def replace(disk: Disk, path: Path, content: bytes) -> None:
    """The file holds the content, durably and all at once, whatever it held before."""
    aside = path.with_name(path.name + ASIDE)
    disk.write(aside, content)
    disk.sync(aside)
    disk.rename(aside, path)
    disk.sync(path.parent)


@contextmanager
def locked(path: Path, world: World) -> Iterator[None]:
    """One holder at a time, over threads and processes. The system lets go for a process that dies."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        for _ in range(LOCK_POLLS_MAX):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                world.wait(world.event(), LOCK_POLL_MS)
        else:
            raise StorageFailed(f"{path} stayed locked: see which process holds it")
        yield
    finally:
        os.close(handle)


@contextmanager
def storing(what: Path) -> Iterator[None]:
    """What the system refuses is a failure of storage, with the path and the system's reason."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageFailed(f"{error.filename or what}: {reason}") from error
