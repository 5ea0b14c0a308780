"""Rows in one SQLite file in write-ahead-log mode over one connection (run.journal.sqlite-stores).

A commit is written to the log under `synchronous = NORMAL`. One that has to survive a power loss then waits for a
sync of the log file, which is all that `FULL` would add; apart from the transaction, so that while the disk works
the connection serves others, and one sync makes every commit before it durable.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from contextful.adapters import sql
from contextful.adapters.together import Together
from contextful.kernel.change import Change, Survives
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Row, Scalar, Select, Table

BUSY_MS = 30_000  # how long another process may hold the file before a statement of ours fails
LOG_BYTES_MAX = 64 << 20
CACHE_KIB = 16 << 10  # a replay reads its rows in their order, and the file has them in another
UNBINDABLE = (OverflowError, UnicodeError, sqlite3.InterfaceError, sqlite3.ProgrammingError, sqlite3.DataError)
CLOSED = -1  # no descriptor: a number that was closed once may be another file's by now


def missing(path: Path, tables: Iterable[Table]) -> list[str]:
    """The tables that the file does not have. It is looked at, and nothing is made."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_MS / 1_000)
        with closing(connection):
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise StorageFailed(f"{path} cannot be read: {error}") from error
    return [table.name for table in tables if table.name not in names]


class _Request:
    """One commit: its statements, whether they were applied, and why they can't be."""

    __slots__ = ("applied", "error", "statements", "survives")

    def __init__(self, changes: Sequence[Change], survives: Survives) -> None:
        self.survives = survives
        self.statements = sql.commit(changes, sql.SQLITE)
        self.applied = False
        self.error: Exception | None = None


def _lasts(request: _Request) -> bool:
    return request.applied and request.survives is Survives.POWER_LOSS


class SqliteRows:
    """The rows of one file. Several processes may open it; each has one connection."""

    def __init__(
        self,
        path: Path,
        tables: Iterable[Table],
        *,
        sync: Callable[[int], None] = os.fdatasync,
        clock_ms: Callable[[], int] | None = None,
    ) -> None:
        self._path = path
        self._clock_ms = clock_ms
        self._sync_log = sync
        self._unsynced: OSError | None = None
        self._turn = threading.Lock()  # the connection's: held for one read, or for one group of commits
        self._log_turn = threading.Lock()  # the log's: held for one sync
        self._commits = Together(self._write, lasts=_lasts, last=self._sync)
        try:
            self._connection = sqlite3.connect(
                path, timeout=BUSY_MS / 1_000, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            self._connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES_MAX}")
            self._connection.execute("BEGIN IMMEDIATE")
            for table in tables:
                self._make(table)
            self._connection.execute("COMMIT")
            self._log = os.open(f"{path}-wal", os.O_RDWR)
            self._inodes = {each: os.stat(each).st_ino for each in (path.absolute(), Path(f"{path}-wal").absolute())}
        except (sqlite3.Error, OSError) as error:
            raise StorageFailed(f"{path} cannot be opened: {error}") from error
        self._sync()

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""
        found = self._read(sql.get(table, sql.SQLITE), key)
        return dict(zip(table.columns, found[0], strict=True)) if found else None

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""
        asked = sql.select(select, sql.SQLITE)
        found = self._read(asked.sql, asked.parameters)
        return [dict(zip(select.table.columns, row, strict=True)) for row in found]

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """Apply every change, or none, in one immediate transaction that others may share."""
        self._check_synced()
        request = _Request(changes, survives)
        self._commits.do(request)
        if request.error is not None:
            raise StorageFailed(f"{self._path} cannot hold what it was given: {request.error}") from request.error
        return request.applied

    def now_ms(self, local_ms: int) -> int:
        """The instant of the machine's clock, where the caller's may be another; else the caller's, which is that."""
        return local_ms if self._clock_ms is None else self._clock_ms()

    def close(self) -> None:
        """Close the file. Whoever holds the connection or waits for the disk is served first."""
        with self._log_turn, self._turn:
            self._connection.close()
            log, self._log = self._log, CLOSED
            if log != CLOSED:
                os.close(log)

    def _make(self, table: Table) -> None:
        """Make the table and its indexes where they are missing, and columns that an older file has not."""
        created, *indexes = sql.schema(table, sql.SQLITE)
        self._connection.execute(created)
        held = {name for _, name, *_ in self._connection.execute(f"PRAGMA table_info({table.name})")}
        for column, kind in table.columns.items():
            if column not in held:
                self._connection.execute(f"ALTER TABLE {table.name} ADD COLUMN {column} {sql.SQLITE.kinds[kind]}")
        for index in indexes:
            self._connection.execute(index)

    def _read(self, statement: str, parameters: Sequence[Scalar]) -> list[tuple[Scalar, ...]]:
        try:
            with self._turn:
                self._check_open()
                return self._connection.execute(statement, parameters).fetchall()
        except (sqlite3.Error, *UNBINDABLE) as error:
            raise StorageFailed(f"{self._path} cannot be read: {error}") from error

    def _write(self, group: Sequence[_Request]) -> None:
        """Commit the group in one immediate transaction; all of it fails where the file does."""
        with self._turn:
            self._check_open()
            try:
                if len(group) == 1 and len(group[0].statements) == 1:
                    self._apply(group[0])  # a write on its own is such a transaction
                    return
                self._connection.execute("BEGIN IMMEDIATE")  ##= run.journal.sqlite-write-lock
                for request in group:
                    self._apply(request)
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise StorageFailed(f"{self._path} cannot be written: {error}") from error
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _apply(self, request: _Request) -> None:
        """Apply one request inside the group, or leave no trace of it: what misses its row has changed nothing."""
        several = len(request.statements) > 1
        if several:
            self._connection.execute("SAVEPOINT request")
        try:
            request.applied = all(map(self._hits, request.statements))
        except UNBINDABLE as error:
            request.error = error
        if several:
            if not request.applied:
                self._connection.execute("ROLLBACK TO request")
            self._connection.execute("RELEASE request")

    def _hits(self, write: sql.Statement) -> bool:
        touched = self._connection.execute(write.sql, write.parameters).rowcount
        return touched == 1 or not write.exact

    def _sync(self) -> None:
        """Wait for the disk. A claim needs no such wait: after a power loss nobody holds it."""
        try:
            with self._log_turn:
                self._sync_log(self._log)
                self._check_there()
        except OSError as error:
            self._unsynced = error
        self._check_synced()

    def _check_open(self) -> None:
        if self._log == CLOSED:
            raise StorageFailed(f"{self._path} is closed")

    def _check_there(self) -> None:
        """Keep nothing in a file that was moved or deleted: whoever opens its path next would find none of it."""
        for path, inode in self._inodes.items():
            if os.stat(path).st_ino != inode:
                raise OSError(f"another file has come to {path}")

    def _check_synced(self) -> None:
        """Write no more after a sync that failed: the next may succeed without what this one lost."""
        if self._unsynced is not None:
            raise StorageFailed(f"{self._path} cannot be written: {self._unsynced}") from self._unsynced
