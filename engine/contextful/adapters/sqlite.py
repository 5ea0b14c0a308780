"""Rows in one SQLite file in write-ahead-log mode over one connection (run.journal.sqlite-stores).

Commits that arrive together share one durable write. Whoever holds the connection commits for everyone who waits:

    thread a    [ begin · a · commit, the disk syncs ]                  [ …
    thread b        arrives, waits . . . . . . . . . [ begin · b · c · commit ]
    thread c           arrives, waits . . . . . . . . . . . . . . . . .  finds itself done
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

from contextful.adapters import sql
from contextful.kernel.change import Change, Require, Survives
from contextful.kernel.table import Row, Scalar, Select, Table

BUSY_MS = 30_000  # how long another process may hold the file before a statement of ours fails
WAL_BYTES_MAX = 64 << 20
SYNCHRONOUS = {Survives.PROCESS: "NORMAL", Survives.POWER_LOSS: "FULL"}


class _Request:
    """One commit that waits for the connection, and what came of it."""

    __slots__ = ("applied", "done", "error", "requires", "survives", "writes")

    def __init__(self, changes: Iterable[Change], survives: Survives) -> None:
        self.requires = [sql.change(change, sql.SQLITE) for change in changes if isinstance(change, Require)]
        self.writes = [sql.change(change, sql.SQLITE) for change in changes if not isinstance(change, Require)]
        self.survives = survives
        self.done = False
        self.applied = False
        self.error: sqlite3.Error | None = None


class SqliteRows:
    """The rows of one file. Several processes may open it; each has one connection."""

    def __init__(self, path: Path, tables: Iterable[Table]) -> None:
        self._turn = threading.Lock()
        self._waiting: deque[_Request] = deque()
        self._synchronous = Survives.POWER_LOSS
        self._connection = sqlite3.connect(
            path,
            timeout=BUSY_MS / 1_000,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES_MAX}")
        self._connection.execute("BEGIN IMMEDIATE")
        for table in tables:
            for statement in sql.schema(table, sql.SQLITE):
                self._connection.execute(statement)
        self._connection.execute("COMMIT")

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""
        with self._turn:
            found = self._connection.execute(sql.get(table, sql.SQLITE), key).fetchone()
        return None if found is None else dict(zip(table.columns, found, strict=True))

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""
        asked = sql.select(select, sql.SQLITE)
        with self._turn:
            found = self._connection.execute(asked.sql, asked.parameters).fetchall()
        return [dict(zip(select.table.columns, row, strict=True)) for row in found]

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """Apply every change, or none, in one immediate transaction that others may share."""
        request = _Request(changes, survives)
        self._waiting.append(request)
        with self._turn:
            if not request.done:
                self._write()
        if request.error is not None:
            raise request.error
        return request.applied

    def close(self) -> None:
        """Close the file. Whoever waits for the connection is answered first."""
        with self._turn:
            self._connection.close()

    def _write(self) -> None:
        """Commit everything that waits, in one transaction; all of it fails where the file does."""
        group: list[_Request] = []
        while self._waiting:  # ends: a thread waits with one request at most
            group.append(self._waiting.popleft())
        try:
            self._sync(group)
            self._connection.execute("BEGIN IMMEDIATE")  ##= run.journal.sqlite-write-lock
            for request in group:
                request.applied = self._apply(request)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            for request in group:
                request.applied, request.error = False, error
        finally:
            for request in group:
                request.done = True

    def _sync(self, group: Sequence[_Request]) -> None:
        """A claim need not wait for the disk: after a power loss nobody holds it."""
        lasting = any(request.survives is Survives.POWER_LOSS for request in group)
        wanted = Survives.POWER_LOSS if lasting else Survives.PROCESS
        if wanted is not self._synchronous:
            self._connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS[wanted]}")
            self._synchronous = wanted

    def _apply(self, request: _Request) -> bool:
        """Apply one request inside the group, or leave no trace of it."""
        for require in request.requires:
            if self._connection.execute(require.sql, require.parameters).fetchone() is None:
                return False
        if len(request.writes) < 2:  # a write that misses its row leaves nothing to undo
            return all(self._hits(write) for write in request.writes)
        self._connection.execute("SAVEPOINT request")
        applied = all(self._hits(write) for write in request.writes)
        if not applied:
            self._connection.execute("ROLLBACK TO request")
        self._connection.execute("RELEASE request")
        return applied

    def _hits(self, write: sql.Statement) -> bool:
        touched = self._connection.execute(write.sql, write.parameters).rowcount
        return touched == 1 or not write.exact
