"""Rows in a D1 database.

A commit is one batch, which the database does whole or not at all. A write whose answer is lost may have been done,
and is not repeated: whoever resumes looks at what stands (run.journal.d1-transport).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from contextful.adapters import sql
from contextful.adapters.d1 import worker
from contextful.adapters.d1.worker import PARAMETERS_MAX, VALUE_BYTES_MAX, Worker
from contextful.kernel.change import Change, Insert, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Row, Scalar, Select, Table

GUARD = "commit_guard"
GUARDING = f"CREATE TABLE IF NOT EXISTS {GUARD} (held INTEGER CONSTRAINT as_expected CHECK (held = 1))"
NAMES = sql.Statement("SELECT name FROM sqlite_schema WHERE type = 'table'", [])
NOW_MS = sql.Statement("SELECT CAST(CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS TEXT)", [])


class D1Rows:
    """The rows of one database. Opening it makes no table: `initialize` does."""

    def __init__(self, worker: Worker, tables: Iterable[Table]) -> None:
        self.worker = worker
        self._tables = tuple(tables)

    def missing(self) -> Sequence[str]:
        """The tables that the database does not have."""
        names = {name for (name,) in self.worker.read(NAMES)}
        return [name for name in (*(table.name for table in self._tables), GUARD) if name not in names]

    def initialize(self, *first: Insert) -> None:
        """Make the tables that are missing, and the rows they begin with, all or none."""
        made = [statement for table in self._tables for statement in sql.schema(table, sql.D1)]
        statements = [sql.Statement(statement, []) for statement in (*made, GUARDING)]
        self.worker.initialize([*statements, *(sql.change(insert, sql.D1) for insert in first)])

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""
        found = self.worker.read(sql.Statement(sql.get(table, sql.D1), list(key)))
        return worker.row(table, found[0]) if found else None

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""
        return [worker.row(select.table, found) for found in self.worker.read(sql.select(select, sql.D1))]

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:  # noqa: ARG002
        """Apply every change, or none, in one batch. It survives a power loss, always."""
        for change in changes:
            _check_size(change)
        return self.worker.batch(sql.batch(changes, sql.D1, refusal=GUARD, parameters_max=PARAMETERS_MAX))

    def now_ms(self, local_ms: int) -> int:  # noqa: ARG002 (machines that share a database need not share a clock)
        """The database's instant."""
        ((at_ms,),) = self.worker.read(NOW_MS)
        return int(cast(str, at_ms))

    def close(self) -> None:
        """Close the connections."""
        self.worker.close()


def _check_size(change: Change) -> None:
    """Refuse what D1 would hold here and not there."""
    match change:
        case Insert(table, written) | Update(table, _, _, written):
            size = sum(_bytes(value) for value in written.values())
            if size > VALUE_BYTES_MAX:
                raise StorageFailed(f"D1 holds rows of {VALUE_BYTES_MAX} bytes, and {table.name} is given {size}")


def _bytes(value: Scalar) -> int:
    return (
        len(value.encode(errors="surrogatepass"))
        if isinstance(value, str)
        else len(value)
        if isinstance(value, bytes)
        else 8
    )
