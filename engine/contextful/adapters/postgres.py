"""Rows in a PostgreSQL database (run.journal.postgres-stores).

A commit is one transaction in two round trips: everything that it asks, then COMMIT or ROLLBACK. Under READ COMMITTED
the lock of one row settles each race:

    Insert and Insert    the second waits for the key in its index, and then finds the row: refused
    Update and Update    the second waits for the row, and looks again at what the first left: refused if it differs
    Require and Update   FOR SHARE keeps the update out, and the update the share; the second looks again, as above
    Require and Clear    a clear comes last, and its snapshot is taken once the commit holds every other row it names:
                         it sees the rows of whoever held one of those before

Two commits that wait for each other are found by the database, and the one that it ends begins again. Commits share
no transaction, as they do on SQLite, or one that waits for a row would hold up all of them; and the database itself
writes out the log of concurrent commits together.

A connection that is lost inside COMMIT leaves the outcome in doubt. So each commit numbers a mark in its own
transaction, one row a connection. A fresh connection asks for it, and waits for the row until the lost one has ended:

    n - 1 stands --commit n--> lost --ask--> n: it was kept
                                             n - 1: it was not, and is done again
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import psycopg
from psycopg import errors

from contextful.adapters import sql
from contextful.adapters.postgres_lanes import PAUSES_MS, Lane, Lanes, Lost
from contextful.kernel.change import Change, Clear, Insert, Require, Survives
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Kind, Row, Scalar, Select, Table

ROUNDS_MAX = 16  # connections lost and deadlocks met by one call before it fails
MARK = Table(
    "commit_mark",
    key=("slot",),
    columns={"slot": Kind.TEXT, "number": Kind.INTEGER, "marked_ms": Kind.INTEGER},
)
NOW_MS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
MARK_IT = f"""
    INSERT INTO commit_mark (slot, number, marked_ms) VALUES (%s, %s, {NOW_MS})
    ON CONFLICT (slot) DO UPDATE SET number = excluded.number, marked_ms = excluded.marked_ms
"""
MARKED = {
    Survives.POWER_LOSS: MARK_IT.encode(),
    Survives.PROCESS: f"{MARK_IT} RETURNING set_config('synchronous_commit', 'off', true)".encode(),  # this commit only
}
ASKED = f"""
    INSERT INTO commit_mark (slot, number, marked_ms) VALUES (%s, 0, {NOW_MS})
    ON CONFLICT (slot) DO UPDATE SET marked_ms = excluded.marked_ms RETURNING number
""".encode()  # an upsert, for it waits even where the lost commit is the slot's first
COLLECTED = f"DELETE FROM commit_mark WHERE marked_ms < {NOW_MS} - 86400000".encode()
Answer = TypeVar("Answer")


class _Doubt(Exception):
    """The connection was lost inside a COMMIT: whether mark `number` stands in `slot` decides."""

    def __init__(self, slot: str, number: int) -> None:
        super().__init__(slot, number)
        self.slot = slot
        self.number = number


class PostgresRows:
    """The rows of one database. Opening it makes no table: `initialize` does."""

    def __init__(self, address: str, tables: Iterable[Table], *, pauses_ms: Sequence[int] = PAUSES_MS) -> None:
        self._tables = (*tables, MARK)
        self._lanes = Lanes(address, pauses_ms)
        self.name = self._lanes.name

    def missing(self) -> Sequence[str]:
        """The tables that the database does not have."""
        names = [table.name for table in self._tables]
        found = self._read("SELECT name FROM unnest(%s::text[]) AS name WHERE to_regclass(name) IS NULL", [names])
        return [str(name) for (name,) in found]

    def initialize(self, *first: Insert) -> None:
        """Make the tables that are missing, and the rows they begin with, all or none."""

        def make(lane: Lane) -> None:
            with lane.connection.transaction():
                lane.connection.execute("SELECT pg_advisory_xact_lock(hashtext('contextful tables'))")
                for table in self._tables:
                    for statement in sql.schema(table, sql.POSTGRES):
                        lane.connection.execute(statement.encode())
                for insert in first:
                    made = sql.change(insert, sql.POSTGRES)
                    lane.connection.execute(made.sql.encode(), made.parameters)

        self._served(make)

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""
        found = self._read(sql.get(table, sql.POSTGRES), key)
        return dict(zip(table.columns, found[0], strict=True)) if found else None

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""
        asked = sql.select(select, sql.POSTGRES)
        found = self._read(asked.sql, asked.parameters)
        return [dict(zip(select.table.columns, row, strict=True)) for row in found]

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """Apply every change, or none, in one transaction of their own."""
        statements = [sql.change(change, sql.POSTGRES) for change in sorted(changes, key=_turn)]
        for _ in range(ROUNDS_MAX):
            try:
                return self._served(lambda lane: _transact(lane, statements, survives))
            except _Doubt as doubt:
                if self._stands(doubt):
                    return True
        raise StorageFailed(f"{self._lanes.name} was lost in {ROUNDS_MAX} commits in a row")

    def now_ms(self, local_ms: int) -> int:  # noqa: ARG002 (machines that share a database need not share a clock)
        """The database's instant."""
        ((at_ms,),) = self._read(f"SELECT {NOW_MS}", ())
        assert isinstance(at_ms, int), "an instant is a whole number of milliseconds"
        return at_ms

    def close(self) -> None:
        """Close the connections. Whoever holds one is served first."""
        self._lanes.close()

    def _read(self, statement: str, parameters: Sequence[Scalar | list[str]]) -> list[tuple[Scalar, ...]]:
        return self._served(
            lambda lane: lane.connection.execute(statement.encode(), parameters, binary=True).fetchall()
        )

    def _stands(self, doubt: _Doubt) -> bool:
        """Whether the commit in doubt was kept."""
        try:
            mark = self._served(lambda lane: lane.connection.execute(ASKED, (doubt.slot,)).fetchone())
        except StorageFailed as error:
            raise StorageFailed(f"{error}; whether the commit before that was kept is not known") from error
        return mark == (doubt.number,)

    def _served(self, work: Callable[[Lane], Answer]) -> Answer:
        """What the work returns; again where its connection was lost before it decided anything, or was told to."""
        for _ in range(ROUNDS_MAX):
            try:
                with self._lanes.lane() as lane:
                    return work(lane)
            except (Lost, errors.DeadlockDetected, errors.SerializationFailure) as error:
                last = error
            except psycopg.Error as error:
                raise self._lanes.failed("used", error) from error
        raise self._lanes.failed("used", last) from last


def _turn(change: Change) -> int:
    """Requirements first, so that no lock of ours is held in vain; what clears, last."""
    return 0 if isinstance(change, Require) else 2 if isinstance(change, Clear) else 1


def _transact(lane: Lane, statements: Sequence[sql.Statement], survives: Survives) -> bool:
    connection = lane.connection
    lane.begun += 1
    with connection.pipeline():
        connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        asked = [connection.execute(statement.sql.encode(), statement.parameters) for statement in statements]
        connection.execute(MARKED[survives], (lane.slot, lane.begun))
        if lane.begun == 1:
            connection.execute(COLLECTED)
    ##= run.journal.postgres-stores
    applied = all(
        cursor.rowcount == 1 or not statement.exact for cursor, statement in zip(asked, statements, strict=True)
    )
    try:
        connection.execute("COMMIT" if applied else "ROLLBACK", prepare=False)
    except psycopg.Error as error:
        if applied and connection.broken:
            raise _Doubt(lane.slot, lane.begun) from error
        raise
    return applied
