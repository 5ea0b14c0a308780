"""Records out of files that only grow: a position is how many bytes have been read of each of them.

Files are read in the order of their names. One that comes later, or grows later, is read whatever its name is.
"""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from contextful.adapters.sources import file_whole
from contextful.adapters.sources.file_whole import Read
from contextful.kernel.failure import Permanent, Transient
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import FileSource
from contextful.store.lay_out import position

JOURNALED = True  # nothing holds a file to only growing, so the record is what replays
FRESH = "land the table afresh, under another pipeline id"
PULLS_MAX = 1_000_000
BATCH_BYTES_MAX = 32 << 20
LINE_BYTES_MAX = 32 << 20
SUMMED_BYTES = 4_096  # of what is read of a file, so much at its beginning and at its end tells whether it was changed
PACKED = ".gz"
GROWING = ("ndjson", "csv")  # of these an offset counts bytes; files of other formats are read once, by their rows
ALL = -1

csv.field_size_limit(max(csv.field_size_limit(), LINE_BYTES_MAX))  # 128 KiB would be little for a text
_ROWS = msgspec.json.Decoder(list[dict[str, Any]])


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a file is read: the offset, its size when its end was seen, and what is read of it sums up to."""

    offset: int = 0
    size: int = 0  # on the disk; 0 while more is known to follow
    summed: int = 0


UNREAD = Reached()


class FileRecords:
    """One table's files, in the order of their names."""

    journaled = JOURNALED
    position_addressed = True
    pulls_max = PULLS_MAX
    host = None

    def __init__(self, spec: FileSource, table: str, folder: Path, *, whole: bool = False) -> None:
        """Files that are `whole` end with their last row, whether its line has ended or not."""
        self._spec = spec
        self._whole = whole
        self._glob = spec.path.replace("{table}", table)
        self._folder = folder

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:  # noqa: ARG002 (a file is read, not requested)
        """The next rows of the files that have some which are unread, up to a batch."""
        names = self.names()
        reached = self._reached(ask.position, names)
        parts: list[bytes] = []
        row_count = byte_count = 0
        more = False
        for name in names:
            before = reached.get(name, UNREAD)  ##= connector.source.file-growth
            if (self._folder / name).stat().st_size == before.size:
                continue
            more = row_count >= self._spec.batch_rows or byte_count > BATCH_BYTES_MAX
            if more:
                break
            read, reached[name] = self._read(name, before, self._spec.batch_rows - row_count)
            if read.row_count:
                parts.append(read.rows[1:-1])
                row_count += read.row_count
                byte_count += len(read.rows)
            if read.more:
                more = True
                break
        after = _spelled(reached) if reached else None
        return pull.packed(b"[%b]" % b",".join(parts), row_count, position=after, more=more)

    def close(self) -> None:
        """Nothing is held open between pulls."""

    def names(self) -> Sequence[str]:
        """The files that there are, in their order."""
        found = sorted(path.relative_to(self._folder).as_posix() for path in self._folder.glob(self._glob))
        names = [name for name in found if (self._folder / name).is_file()]
        if not names:
            raise Permanent(f"there is no file {self._glob} under {self._folder}")  ##= connector.source.no-file
        for name in names:
            if not name.isprintable():
                raise Permanent(f"{name!r} is no name for a file whose rows are landed: rename it")
        return names

    def _reached(self, asked: str | None, names: Sequence[str]) -> dict[str, Reached]:
        """How far each file is read."""
        if asked is None:
            return {}
        held = json.loads(asked)
        try:
            reached = {name: Reached(*entry) for name, entry in held["files"].items()}
        except (TypeError, KeyError, AttributeError):
            raise Permanent(f"the stored position {asked} is none of a file source's: {FRESH}") from None
        if reached and not reached.keys() & set(names):
            raise Permanent(f"{max(reached)} was read, and {self._glob} has no such file any more, nor any that was")
        return reached

    def _read(self, name: str, before: Reached, rows_max: int) -> tuple[Read, Reached]:
        """The file's next rows, and how far it is read then."""
        path = self._folder / name
        try:
            with _opened(path) as handle:
                size = path.stat().st_size  # first, so that what comes while it is read is seen to be more
                grows = self._spec.format in GROWING
                if before.offset and _summed(handle, before.offset if grows else ALL) != before.summed:
                    raise _changed(name, before.offset)
                handle.seek(0)
                read = self._rows(name, handle, before.offset, rows_max)
                summed = _summed(handle, read.end if grows else ALL)
        except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
            raise Permanent(f"{name} cannot be read: {error}") from error
        return read, Reached(read.end, 0 if read.more else size, summed)

    def _rows(self, name: str, handle: BinaryIO, offset: int, rows_max: int) -> Read:
        if self._spec.format not in GROWING:
            return file_whole.read(name, self._spec.format, handle, offset, rows_max)
        read = _csv if self._spec.format == "csv" else _ndjson
        return read(name, handle, offset, rows_max, whole=self._whole or name.endswith(PACKED))


def _spelled(reached: Mapping[str, Reached]) -> str:
    return position({"files": {name: [at.offset, at.size, at.summed] for name, at in reached.items()}})


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == PACKED else path.open("rb")


def _summed(handle: BinaryIO, offset: int) -> int:
    """What is read of a file sums up to, by its first bytes and its last: a file that has others is another one."""
    offset = handle.seek(0, 2) if offset == ALL else offset
    handle.seek(0)
    begins = zlib.crc32(handle.read(min(offset, SUMMED_BYTES)))
    handle.seek(max(0, offset - SUMMED_BYTES))
    return zlib.crc32(handle.read(min(offset, SUMMED_BYTES)), begins)


def _changed(name: str, offset: int) -> Permanent:
    ##= connector.source.file-changed
    return Permanent(f"{name} was changed before byte {offset}, up to which it is read, and not only added to: {FRESH}")


def _seek(name: str, handle: BinaryIO, offset: int) -> None:
    """Go on at the offset, where a line begins or the last one ended as the file did."""
    handle.seek(offset - 1)
    around = handle.read(2)
    if len(around) == 0 or (len(around) == 2 and b"\n" not in around):
        raise _changed(name, offset)
    handle.seek(offset)


def _ndjson(name: str, handle: BinaryIO, offset: int, rows_max: int, *, whole: bool) -> Read:
    """A row a line. A last line without its end that is no JSON yet is still being written, unless all is there."""
    begin = offset
    if offset > 0:
        _seek(name, handle, offset)
    elif handle.read(len(BOM_UTF8)) == BOM_UTF8:
        begin = len(BOM_UTF8)
    else:
        handle.seek(0)
    lines: list[bytes] = []
    end, more = begin, False
    for line in _lines(name, handle):
        more = len(lines) == rows_max or end - begin > BATCH_BYTES_MAX
        if more or not (whole or line.endswith(b"\n") or _holds(b"[%b]" % line, 1)):
            break
        end += len(line)
        if not line.isspace():
            lines.append(line)
    rows = b"[%b]" % b",".join(lines)
    if not _holds(rows, len(lines)):
        raise Permanent(f"{name} has no JSON object in the line at byte {_misfit(handle, begin)}")
    return Read(rows, len(lines), end if end > begin else offset, more)


def _lines(name: str, handle: BinaryIO) -> Iterator[bytes]:
    """The lines, each with its end if it has one; one that would fill the memory is refused."""
    while line := handle.readline(LINE_BYTES_MAX + 1):  # ends: with the file
        if len(line) > LINE_BYTES_MAX:
            raise Permanent(f"{name} has a line of more than {LINE_BYTES_MAX} bytes")
        yield line


def _holds(rows: bytes, count: int) -> bool:
    """Whether the text is a list of so many objects: what is recorded once has to be readable ever after."""
    try:
        return len(_ROWS.decode(rows)) == count
    except (msgspec.DecodeError, RecursionError):
        return False


def _misfit(handle: BinaryIO, offset: int) -> int:
    """Where the first line begins that is no row."""
    handle.seek(offset)
    for line in handle:
        if not line.isspace() and not _holds(b"[%b]" % line, 1):
            break
        offset += len(line)
    return offset


def _csv(name: str, handle: BinaryIO, offset: int, rows_max: int, *, whole: bool) -> Read:
    """A row a record, under the names of the first. An empty field is null; every other is a text.

    Half a last record may read as a whole one, so it counts once its line has ended, or its file is `whole`.
    """
    lines = _Lines(_lines(name, handle), whole=whole)
    header = _header(name, next(_records(lines), []))
    if offset > lines.end:
        _seek(name, handle, offset)
        lines.end = offset
    rows: list[dict[str, str | None]] = []
    begin = end = lines.end
    for fields in _records(lines):
        if len(rows) == rows_max or end - begin > BATCH_BYTES_MAX:
            return Read(msgspec.json.encode(rows), len(rows), end, more=True)
        end = lines.end
        if len(fields) != len(header):
            raise Permanent(f"{name} has {len(fields)} fields before byte {end}, and its header has {len(header)}")
        rows.append({column: field or None for column, field in zip(header, fields, strict=True)})
    if lines.torn and not rows:  ##= connector.source.file-tail
        raise Transient(f"{name} ends without an end of line, so what is after byte {end} may be half a record: end it")
    return Read(msgspec.json.encode(rows), len(rows), end, more=lines.torn)


def _header(name: str, columns: list[str]) -> list[str]:
    for at, column in enumerate(columns):
        if not column:
            raise Permanent(f"{name} has no name for its column {at + 1}: give it one in the header")
        if column in columns[:at]:
            raise Permanent(f"{name} has two columns {column} in its header, and one of them would be lost")
    return columns


def _records(lines: _Lines) -> Iterator[list[str]]:
    """The records that have ended. A quote that nothing closes yet is still being written."""
    reader = csv.reader(lines, strict=True)
    while True:  # ends: with the lines
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            if lines.whole or not lines.over:
                raise
            lines.torn = True
            return


class _Lines:
    """A file's lines as text, and the bytes that they have taken. A last one without its end is torn."""

    def __init__(self, lines: Iterator[bytes], *, whole: bool) -> None:
        self._lines = lines
        self.whole = whole
        self.end = 0
        self.over = False
        self.torn = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines, b"")
        self.over = not line.endswith(b"\n")
        if line and self.over and not self.whole:
            self.torn = True
        if not line or self.torn:
            raise StopIteration
        text = line.decode("utf-8-sig" if self.end == 0 else "utf-8")
        self.end += len(line)
        return text
