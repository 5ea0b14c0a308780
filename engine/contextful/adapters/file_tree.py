"""Rows and blobs as files under a folder, for people to read and for any tool to copy (run.journal.storage-ports).

    tables/entry/rows/exec-2d1/fetch/9f…            a row, as JSON
    tables/entry/by_blob/ab…/exec-2d1/fetch/9f…     that the row is found there, an empty file
    blobs/ab/ab…                                    a blob, put when the file was last modified
    lock, log, applied, next                        see `redo`

A commit waits for the disk once, for its record in the log, whatever it has to survive: after a power loss half of it
would stand otherwise. A row costs a file for itself and one for each index that holds it; a selection lists the folders
on its way and reads the rows that it returns. All operations take turns at one lock, across processes.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from posixpath import dirname
from typing import assert_never, cast

import msgspec

from contextful.adapters.files import storing
from contextful.adapters.path_text import FIRST, LAST, MORE, is_spelled, parts, spelled
from contextful.adapters.redo import LOCK, LOG_BYTES_MAX, NEXT, Redo
from contextful.adapters.tree import SystemTree, Tree, above
from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Kind, Row, Scalar, Select, Table
from contextful.ports.blobs import Put

SHA256_CHARS = 64
_HELD = msgspec.json.Decoder(dict[str, str | int | None])
Spelling = Mapping[str, str]  # a column's name, and its value as `path_text` spells it


class FileRows:
    """The rows of one tree. Several processes may open it."""

    def __init__(self, folder: Path, *, tree: Tree | None = None, log_bytes_max: int = LOG_BYTES_MAX) -> None:
        with storing(folder):
            self._tree = tree or SystemTree(folder)
        self._redo = Redo(self._tree, folder, log_bytes_max)
        self._folder = folder

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""
        with self._redo.held():
            return self._row(table, dict(zip(table.key, map(spelled, key), strict=True)))

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""
        with self._redo.held():
            rows: list[Row] = []
            for found in self._found(select):
                row = self._row(select.table, found)
                if row is not None:
                    rows.append(row)
                if len(rows) == select.limit:
                    break
            return rows

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:  # noqa: ARG002
        """Apply every change, or none. It survives a power loss, always."""
        edits: dict[str, bytes | None] = {}
        with self._redo.held():
            for change in changes:
                if not self._edit(edits, change):
                    return False
            if edits:
                self._redo.keep(edits)
        return True

    def now_ms(self, local_ms: int) -> int:
        """The caller's instant: its processes share the machine's clock."""
        return local_ms

    def close(self) -> None:
        """Nothing is held open."""

    def _edit(self, edits: dict[str, bytes | None], change: Change) -> bool:
        """Add what the change does to the files. False: it does not find what it expects."""
        match change:
            case Insert(table, row):
                if self._row(table, _spelled(table, row)) is not None:
                    return False
                edits |= _files(table, {column: row.get(column) for column in table.columns})
            case Clear(table, prefix):
                for found in self._found(Select(table, prefix)):
                    standing = self._row(table, found)
                    edits |= dict.fromkeys(_files(table, standing)) if standing is not None else {}
            case Update(table, key, expect) | Delete(table, key, expect) | Require(table, key, expect):
                standing = self._row(table, _spelled(table, key))
                if standing is None or any(standing[column] != value for column, value in expect.items()):
                    return False
                if isinstance(change, Update):
                    edits |= _moved(_files(table, standing), _files(table, {**standing, **change.set}))
                if isinstance(change, Delete):
                    edits |= dict.fromkeys(_files(table, standing))
            case _:
                assert_never(change)
        return True

    def _row(self, table: Table, key: Spelling) -> Row | None:
        path = _path(table, table.key, key)
        content = self._tree.read(path)
        if content is None:
            return None
        try:
            held = _HELD.decode(content)
            return {column: _value(kind, held.get(column)) for column, kind in table.columns.items()}
        except (ValueError, TypeError) as error:
            raise StorageFailed(f"{self._folder / path} holds no row: {error}; restore it from a backup") from None

    def _found(self, select: Select) -> Iterator[Spelling]:
        """The keys of the rows that the selection names, in its order and beyond its limit."""
        table, path = select.table, select.path()
        assert path is not None, "a selection has a path"
        columns = _columns(table, path)
        opening = [spelled(select.equal[column]) for column in columns[: len(select.equal)]]
        since = FIRST if select.since is None else spelled(select.since)
        before = LAST if select.before is None else spelled(select.before)
        folder = "/".join([_folder(table, path), *map(parts, opening)])
        for rest in self._walk(folder, len(columns) - len(opening), since, before, down=select.descending):
            yield dict(zip(columns, [*opening, *rest], strict=True))

    def _walk(self, folder: str, depth: int, since: str, before: str, *, down: bool) -> Iterator[list[str]]:
        """The values on each way down from the folder, in order, the first of them in the range."""
        if depth == 0:
            yield []
            return
        for value, path in self._values(folder, "", down=down):
            if since <= value < before:
                for rest in self._walk(path, depth - 1, FIRST, LAST, down=down):
                    yield [value, *rest]

    def _values(self, folder: str, opening: str, *, down: bool) -> Iterator[tuple[str, str]]:
        """The values that a folder names, in order, and where each leads."""
        for name in sorted(filter(is_spelled, self._tree.names(folder)), reverse=down):
            if name.endswith(MORE):
                yield from self._values(f"{folder}/{name}", opening + name.removesuffix(MORE), down=down)
            else:
                yield opening + name, f"{folder}/{name}"


class FileBlobs:
    """The blobs of one tree, a file each. Only whole ones have their name."""

    def __init__(self, folder: Path, *, tree: Tree | None = None) -> None:
        self._folder = folder
        with storing(self._folder):
            self._tree = tree or SystemTree(folder)

    def put(self, sha256: str, content: bytes, *, now_ms: int) -> None:
        """Keep the content, or note that it was asked for again at `now_ms`."""
        path = _blob(sha256)
        with storing(self._folder), self._tree.held(LOCK):
            if self._tree.size(path) is not None:
                self._tree.date(path, now_ms)
                self._tree.sync(path)
                return
            self._tree.write(NEXT, content)
            self._tree.date(NEXT, now_ms)
            self._tree.sync(NEXT)
            self._tree.make_folder(dirname(path))
            self._tree.rename(NEXT, path)
            for folder in above(path):
                self._tree.sync(folder)

    def get(self, sha256: str) -> bytes | None:
        """The content, or none where nothing holds it."""
        with storing(self._folder):
            return self._tree.read(_blob(sha256))

    def older_than(self, instant_ms: int, *, limit: int) -> Sequence[Put]:
        """Blobs last put before the instant, oldest first. Every blob is looked at, and none is read."""
        with storing(self._folder):
            found = (name for folder in self._tree.names("blobs") for name in self._tree.names(f"blobs/{folder}"))
            names = [name for name in found if len(name) == SHA256_CHARS]
            dated = [(at_ms, sha256) for sha256 in names if (at_ms := self._tree.dated_ms(_blob(sha256))) is not None]
        return [Put(sha256, at_ms) for at_ms, sha256 in sorted(dated) if at_ms < instant_ms][:limit]

    def delete(self, sha256: str, *, put_before_ms: int) -> bool:
        """Drop the blob unless it was put again at or after the instant. True: it is gone."""
        path = _blob(sha256)
        with storing(self._folder), self._tree.held(LOCK):
            put_ms = self._tree.dated_ms(path)
            if put_ms is None or put_ms >= put_before_ms:
                return False
            self._tree.remove(path)
            return True


def _spelled(table: Table, key: Row) -> Spelling:
    return {column: spelled(key[column]) for column in table.key}


def _value(kind: Kind, held: str | int | None) -> Scalar:
    return b64decode(cast(str, held)) if kind is Kind.BYTES and held is not None else held


def _files(table: Table, row: Row) -> dict[str, bytes]:
    """What stands for the row: its own file, and an empty one in each index that holds it."""
    indexes = [index for index in table.indexes if row[index[-1]] is not None]
    named = {column: spelled(row[column]) for path in (table.key, *indexes) for column in path}
    content = msgspec.json.encode({column: value for column, value in row.items() if value is not None})
    return {_path(table, table.key, named): content} | {_path(table, index, named): b"" for index in indexes}


def _moved(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Mapping[str, bytes | None]:
    changed = {path: content for path, content in after.items() if before.get(path) != content}
    return {**dict.fromkeys(path for path in before if path not in after), **changed}


def _columns(table: Table, path: tuple[str, ...]) -> tuple[str, ...]:
    """What is named on the way to a row: the columns of the key or the index, and the rest of the key."""
    return path + tuple(column for column in table.key if column not in path)


def _folder(table: Table, path: tuple[str, ...]) -> str:
    return f"tables/{table.name}/{'rows' if path == table.key else 'by_' + '_'.join(path)}"


def _path(table: Table, path: tuple[str, ...], named: Spelling) -> str:
    return "/".join([_folder(table, path), *(parts(named[column]) for column in _columns(table, path))])


def _blob(sha256: str) -> str:
    return f"blobs/{sha256[:2]}/{sha256}"
