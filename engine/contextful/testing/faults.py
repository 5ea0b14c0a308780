"""Crashes at an operation that the test names: as SIGKILL, nothing runs after it in the process that it hits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contextful.adapters.files import Disk
from contextful.kernel.change import Change, Survives
from contextful.kernel.table import Row, Scalar, Select, Table
from contextful.ports.blobs import Blobs, Put
from contextful.ports.rows import Rows


class Crash(BaseException):
    """The process is gone. No body and no `finally` may act on it: every later operation raises it again."""


class Crashes:
    """Counts the storage operations of one process, and ends it at the one asked for."""

    def __init__(self, at: int | None = None) -> None:
        self.count = 0
        self._at = at
        self._dead = False

    def die(self) -> None:
        """The process ends here."""
        self._dead = True
        raise Crash

    def die_at_next(self) -> None:
        """The process ends at its next operation."""
        self._at = self.count

    def pass_by(self) -> None:
        """Go on, or crash: one instant at which a process may die."""
        if self._dead or self.count == self._at:
            self.die()
        self.count += 1


class CrashingRows:
    """Rows whose process may die before each operation, and after each commit."""

    def __init__(self, rows: Rows, crashes: Crashes) -> None:
        self._rows = rows
        self._crashes = crashes

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """As the rows beneath."""
        self._crashes.pass_by()
        return self._rows.get(table, key)

    def select(self, select: Select) -> Sequence[Row]:
        """As the rows beneath."""
        self._crashes.pass_by()
        return self._rows.select(select)

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """As the rows beneath; the answer may be lost with the process."""
        self._crashes.pass_by()
        applied = self._rows.commit(*changes, survives=survives)
        self._crashes.pass_by()
        return applied

    def now_ms(self, local_ms: int) -> int:
        """As the rows beneath."""
        return self._rows.now_ms(local_ms)

    def close(self) -> None:
        """As the rows beneath."""
        self._rows.close()


class CrashingBlobs:
    """Blobs whose process may die before each operation, and after each put."""

    def __init__(self, blobs: Blobs, crashes: Crashes) -> None:
        self._blobs = blobs
        self._crashes = crashes

    def put(self, sha256: str, content: bytes, *, now_ms: int) -> None:
        """As the blobs beneath; the answer may be lost with the process."""
        self._crashes.pass_by()
        self._blobs.put(sha256, content, now_ms=now_ms)
        self._crashes.pass_by()

    def get(self, sha256: str) -> bytes | None:
        """As the blobs beneath."""
        self._crashes.pass_by()
        return self._blobs.get(sha256)

    def older_than(self, instant_ms: int, *, limit: int) -> Sequence[Put]:
        """As the blobs beneath."""
        self._crashes.pass_by()
        return self._blobs.older_than(instant_ms, limit=limit)

    def delete(self, sha256: str, *, put_before_ms: int) -> bool:
        """As the blobs beneath."""
        self._crashes.pass_by()
        return self._blobs.delete(sha256, put_before_ms=put_before_ms)


class CrashingDisk(Disk):
    """A disk whose process may die before each operation, after each change, and halfway through a write."""

    def __init__(self, crashes: Crashes) -> None:
        self._crashes = crashes

    def make_folder(self, folder: Path) -> None:
        """As the disk beneath."""
        self._crashes.pass_by()
        super().make_folder(folder)

    def write(self, path: Path, content: bytes) -> None:
        """As the disk beneath, with half of the content before the whole."""
        self._crashes.pass_by()
        super().write(path, content[: len(content) // 2])
        self._crashes.pass_by()
        super().write(path, content)

    def sync(self, path: Path) -> None:  # noqa: ARG002 (as the disk has it)
        """Nothing to wait for: the process dies, and the machine goes on."""
        self._crashes.pass_by()

    def link(self, source: Path, target: Path) -> None:
        """As the disk beneath; the answer may be lost with the process."""
        self._crashes.pass_by()
        super().link(source, target)
        self._crashes.pass_by()

    def rename(self, source: Path, target: Path) -> None:
        """As the disk beneath; the answer may be lost with the process."""
        self._crashes.pass_by()
        super().rename(source, target)
        self._crashes.pass_by()

    def remove(self, path: Path) -> None:
        """As the disk beneath."""
        self._crashes.pass_by()
        super().remove(path)

    def remove_folder(self, folder: Path) -> None:
        """As the disk beneath."""
        self._crashes.pass_by()
        super().remove_folder(folder)
