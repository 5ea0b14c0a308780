"""A redo log: edits of many files that happen all or none, whenever the process ends or the power goes.

    append the edits --sync: they are kept--> apply them to their files --> note how far that went
                                                |
                                                +-- the process ends: whoever holds the lock next goes on from the note

The power may go before the disk has the files, so a note holds for one boot of the machine, and in the next one the
whole log is applied. Once the log has grown, the files are synced, and it begins anew. An edit gives a file its whole
content, so to apply it twice is to apply it once.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from posixpath import dirname

import msgspec

from contextful.adapters.files import storing
from contextful.adapters.tree import Tree, above

LOG_BYTES_MAX = 1 << 20
LOCK, LOG, APPLIED, NEXT = "lock", "log", "applied", "next"
FRAME_BYTES = 12  # the record's length and its checksum
NOTE_DIGITS = 20  # always as many, or a part of a note would be read as another
Edits = Mapping[str, bytes | None]  # what each file holds from now on; none: there is no such file
DECODER = msgspec.msgpack.Decoder(dict[str, bytes | None])


class Redo:
    """The log of one tree."""

    def __init__(self, tree: Tree, folder: Path, bytes_max: int) -> None:
        self._tree = tree
        self._folder = folder
        self._bytes_max = bytes_max
        with storing(folder), tree.held(LOCK):
            if tree.size(LOG) is None:
                tree.write(LOG, b"")
            tree.sync("")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the tree, with all that was kept applied."""
        with storing(self._folder), self._tree.held(LOCK):
            applied = self._applied()
            if applied != self._size():
                self._apply_since(applied)
            yield

    def keep(self, edits: Edits) -> None:
        """Make the edits, all or none. The caller holds the tree."""
        size = self._size()
        if size > self._bytes_max:
            self._begin_anew()
            size = 0
        record = _framed(msgspec.msgpack.encode(edits))
        try:
            self._tree.append(LOG, record)
            self._tree.sync(LOG)
        except OSError:
            self._tree.truncate(LOG, size)  # or it would be found, and applied after all
            raise
        self._apply(edits)
        self._note(size + len(record))

    def _apply_since(self, start: int) -> None:
        """Apply what was logged from there on; cut off what was not logged whole."""
        self._tree.sync(LOG)  # by whoever logged it perhaps not, and no file may be on the disk before its record
        for end, edits in self._records(start):
            self._apply(edits)
            start = end
        if start < self._size():
            self._tree.truncate(LOG, start)
        self._note(start)

    def _apply(self, edits: Edits) -> None:
        for path, content in edits.items():
            if content is None:
                self._tree.remove(path)
                self._prune(dirname(path))
            else:
                self._tree.write(NEXT, content)
                try:
                    self._tree.rename(NEXT, path)
                except FileNotFoundError:
                    self._tree.make_folder(dirname(path))
                    self._tree.rename(NEXT, path)

    def _prune(self, folder: str) -> None:
        """Drop the folders that an edit left empty."""
        while folder and self._tree.drop_folder(folder):  # ends: at the first that holds something, or at the root
            folder = dirname(folder)

    def _begin_anew(self) -> None:
        """Have the disk hold what the log holds, and then no log."""
        self._note(0)  # a sync that failed may not fail again: only to write anew what it was asked for is sure to help
        edited = {path for _, edits in self._records(0) for path in edits}
        for synced in sorted(edited | {folder for path in edited for folder in above(path)}):
            self._tree.sync(synced)
        self._tree.truncate(LOG, 0)  # until the next record is synced, the old ones may come back: that changes nothing

    def _records(self, start: int) -> Iterator[tuple[int, Edits]]:
        """Each whole record from there on, with where it ends."""
        log = self._tree.read(LOG) or b""
        while len(log) >= start + FRAME_BYTES:
            end = start + FRAME_BYTES + int.from_bytes(log[start : start + 8])
            content = log[start + FRAME_BYTES : end]
            if not content or len(log) < end or log[start:end] != _framed(content):  # nought is a frame of nothing
                return
            yield end, DECODER.decode(content)
            start = end

    def _size(self) -> int:
        return self._tree.size(LOG) or 0

    def _applied(self) -> int:
        """How far the log is known to be applied, in this boot."""
        boot, _, noted = (self._tree.read(APPLIED) or b"").rpartition(b" ")
        return int(noted) if boot == self._tree.boot() and len(noted) == NOTE_DIGITS else 0

    def _note(self, applied: int) -> None:
        self._tree.write(APPLIED, b"%b %0*d" % (self._tree.boot(), NOTE_DIGITS, applied))


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(8) + zlib.crc32(content).to_bytes(4) + content
