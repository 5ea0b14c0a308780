"""Rows in this process's memory: they end with it. The reference that every other store agrees with."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from typing import Any, cast

from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Survives, Update
from contextful.kernel.table import Row, Scalar, Select, Table
from contextful.ports.bucket import Object


class MemoryRows:
    """Rows in dicts, behind one lock."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[tuple[Scalar, ...], Row]] = {}
        self._lock = threading.Lock()

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""
        with self._lock:
            return self._rows(table).get(tuple(key))

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""
        with self._lock:
            rows = [row for row in self._rows(select.table).values() if _selected(row, select)]
        rows.sort(key=lambda row: [cast(Any, row[name]) for name in select.ordering()], reverse=select.descending)
        return rows[: select.limit]

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:  # noqa: ARG002
        """Apply every change, or none. Memory survives neither its process nor the power."""
        named = [named for named in map(_named, changes) if named is not None]
        assert len(named) == len(set(named)), "no two changes of a commit meet in one row"
        with self._lock:
            before = {change.table.name: dict(self._rows(change.table)) for change in changes}
            for change in changes:
                if not self._apply(change):
                    self._tables |= before
                    return False
            return True

    def now_ms(self, local_ms: int) -> int:
        """The caller's instant: there is no other process."""
        return local_ms

    def close(self) -> None:
        """Nothing is held open."""

    def _rows(self, table: Table) -> dict[tuple[Scalar, ...], Row]:
        return self._tables.setdefault(table.name, {})

    def _apply(self, change: Change) -> bool:
        rows = self._rows(change.table)
        match change:
            case Insert(table, row):
                if table.key_of(row) in rows:
                    return False
                rows[table.key_of(row)] = {column: row.get(column) for column in table.columns}
            case Clear(_, prefix):
                for key in [key for key, row in rows.items() if _holds(row, prefix)]:
                    del rows[key]
            case Update(table, key, expect) | Delete(table, key, expect) | Require(table, key, expect):
                standing = rows.get(table.key_of(key))
                if standing is None or not _holds(standing, expect):
                    return False
                if isinstance(change, Update):
                    rows[table.key_of(key)] = {**standing, **change.set}
                if isinstance(change, Delete):
                    del rows[table.key_of(key)]
        return True


class MemoryBucket:
    """Objects in a dict, behind one lock."""

    def __init__(self) -> None:
        self._objects: dict[str, Object] = {}
        self._versions = itertools.count(1)
        self._lock = threading.Lock()

    def get(self, key: str) -> Object | None:
        """The object under the key."""
        with self._lock:
            return self._objects.get(key)

    def put(self, key: str, content: bytes, *, over: str | None = None) -> str | None:
        """Write where no object stands, or over the version given; the version it has now, none if another stands."""
        with self._lock:
            standing = self._objects.get(key)
            if over != (None if standing is None else standing.version):
                return None
            written = self._objects[key] = Object(bytes(content), str(next(self._versions)))
            return written.version

    def keys(self, prefix: str, *, after: str = "", limit: int = 1_000) -> Sequence[str]:
        """The keys that begin so and come after that one, in the order of their code points."""
        with self._lock:
            return sorted(key for key in self._objects if key.startswith(prefix) and key > after)[:limit]

    def delete(self, key: str) -> None:
        """Drop the object, if there is one."""
        with self._lock:
            self._objects.pop(key, None)


def _named(change: Change) -> tuple[str, tuple[Scalar, ...]] | None:
    """The one row that the change is about, if it is one."""
    match change:
        case Insert(table, row) | Update(table, row) | Delete(table, row) | Require(table, row):
            return table.name, table.key_of(row)
        case Clear():
            return None


def _holds(row: Row, expected: Row) -> bool:
    return all(row[column] == value for column, value in expected.items())


def _selected(row: Row, select: Select) -> bool:
    if not _holds(row, select.equal):
        return False
    if select.order is None:
        return True
    value: Any = row[select.order]
    if value is None or (select.since is not None and value < select.since):
        return False
    return select.before is None or value < select.before
