"""Records out of files that only grow: a position is a file and how many bytes of it have been read."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from contextful.kernel.failure import Permanent
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import FileSource
from contextful.store.lay_out import position

JOURNALED = True  # nothing holds a file to only growing, so the record is what replays
FRESH = "land the table afresh, under another pipeline id"
PULLS_MAX = 1_000_000
BATCH_BYTES_MAX = 32 << 20

_ROWS = msgspec.json.Decoder(list[dict[str, Any]])


@dataclass(frozen=True, slots=True)
class Read:
    """Rows of a file as the JSON of a list, how many, the offset after them, and whether the file has more."""

    rows: bytes
    row_count: int
    end: int
    more: bool


class FileRecords:
    """One table's files, in the order of their names."""

    journaled = JOURNALED
    position_addressed = True
    pulls_max = PULLS_MAX

    def __init__(self, spec: FileSource, table: str, folder: Path) -> None:
        self._spec = spec
        self._glob = spec.path.replace("{table}", table)
        self._folder = folder

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:  # noqa: ARG002 (a file is read, not requested)
        """The next rows of the file at the position, or of the first one after it that has any."""
        names = self._names()
        name, offset = self._from(ask.position, names)
        for at in range(names.index(name), len(names)) if names else ():
            read = self._batch(names[at], offset if names[at] == name else 0)
            more = read.more or at + 1 < len(names)
            if read.row_count or not more:
                after = position({"file": names[at], "offset": read.end})
                return pull.packed(read.rows, read.row_count, position=after, more=more)
        return pull.batch([], position=ask.position, more=False)

    def close(self) -> None:
        """Nothing is held open between pulls."""

    def _names(self) -> Sequence[str]:
        found = sorted(path.relative_to(self._folder).as_posix() for path in self._folder.glob(self._glob))
        return [name for name in found if (self._folder / name).is_file()]

    def _from(self, asked: str | None, names: Sequence[str]) -> tuple[str, int]:
        if asked is None:
            return (names[0] if names else ""), 0
        held = json.loads(asked)
        if not isinstance(held, dict) or held.keys() != {"file", "offset"}:
            raise Permanent(f"the stored position {asked} is none of a file source's: {FRESH}")
        if held["file"] not in names:
            raise Permanent(f"{held['file']} is where the last read ended, and {self._glob} has no such file any more")
        return held["file"], held["offset"]

    def _batch(self, name: str, offset: int) -> Read:
        try:
            with _opened(self._folder / name) as handle:
                read = _csv if self._spec.format == "csv" else _ndjson
                return read(name, handle, offset, self._spec.batch_rows)
        except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
            raise Permanent(f"{name} cannot be read: {error}") from error


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _seek(name: str, handle: BinaryIO, offset: int) -> None:
    """Go on at the offset, where a line begins or the last one ended as the file did."""
    if offset == 0:
        return
    handle.seek(offset - 1)
    around = handle.read(2)
    if len(around) == 0 or (len(around) == 2 and b"\n" not in around):
        raise Permanent(f"{name} has no line that begins at byte {offset}: it was changed, and not only added to")
    handle.seek(offset)


def _ndjson(name: str, handle: BinaryIO, offset: int, rows_max: int) -> Read:
    """A row a line. A last line without its end that is no JSON yet is still being written."""
    _seek(name, handle, offset)
    lines: list[bytes] = []
    end, more = offset, False
    for line in handle:
        more = len(lines) == rows_max or end - offset > BATCH_BYTES_MAX
        if more or not (line.endswith(b"\n") or _holds(b"[%b]" % line, 1)):
            break
        end += len(line)
        if not line.isspace():
            lines.append(line)
    rows = b"[%b]" % b",".join(lines)
    if not _holds(rows, len(lines)):
        raise Permanent(f"{name} has no JSON object in the line at byte {_misfit(handle, offset)}")
    return Read(rows, len(lines), end, more)


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


def _csv(name: str, handle: BinaryIO, offset: int, rows_max: int) -> Read:
    """A row a record, under the names of the first. An empty field is null; every other is a text."""
    lines = _Lines(handle)
    header = next(csv.reader(lines), [])
    if offset > lines.end:
        _seek(name, handle, offset)
        lines.end = offset
    rows: list[dict[str, str | None]] = []
    begin = end = lines.end
    more = False
    for fields in csv.reader(lines, strict=True):
        more = len(rows) == rows_max or end - begin > BATCH_BYTES_MAX
        if more:
            break
        end = lines.end
        if len(fields) != len(header):
            raise Permanent(f"{name} has {len(fields)} fields before byte {end}, and its header has {len(header)}")
        rows.append({column: field or None for column, field in zip(header, fields, strict=True)})
    return Read(msgspec.json.encode(rows), len(rows), end, more)


class _Lines:
    """A file's lines as text, and the bytes that they have taken."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self.end = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._handle.readline()
        if not line:
            raise StopIteration
        text = line.decode("utf-8-sig" if self.end == 0 else "utf-8")
        self.end += len(line)
        return text
