"""Rows that a query returns: those at the watermark or after it, a batch that ends with a clock value, or all of them.

SELECT * FROM (query) WHERE clock >= floor ORDER BY clock       a poll's first pull
SELECT * FROM (query) WHERE clock > last ORDER BY clock         each that follows: no value is on both sides
… AND clock < until                                             a chunk of a backfill
SELECT * FROM (query)                                           a snapshot, under one cursor to its end
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Protocol

import msgspec

from contextful.kernel.failure import Permanent, Transient
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import SqlSource
from contextful.store.lay_out import position

JOURNALED = True  # the rows behind a watermark change under it, so only the record can replay them
WHOLE_JOURNALED = False  # a position counts the rows of a query that is over: a walk that was cut off begins anew
PULLS_MAX = 1_000_000
FETCHED = 1_000
Row = Mapping[str, Any]


class Database(Protocol):
    """A database that is only read."""

    @property
    def host(self) -> str | None:
        """Whom queries go to; none where that is a file."""

    @property
    def mark(self) -> str:
        """What stands for a parameter."""

    def rows(self, sql: str, parameters: Sequence[object]) -> Iterator[Row]:
        """The rows of a query, as they are asked for."""

    def close(self) -> None:
        """Close the connection."""


class SqlRows:
    """One table's rows out of a query."""

    pulls_max = PULLS_MAX

    def __init__(self, spec: SqlSource, table: str, database: Database) -> None:
        self._query = spec.query.replace("{table}", table)
        self._clock = spec.clock
        self._batch_rows = spec.batch_rows
        self._database = database
        self._open: Iterator[Row] | None = None
        self._told = 0
        self.host = database.host
        self.journaled = WHOLE_JOURNALED if self._clock is None else JOURNALED
        self.position_addressed = self._clock is not None

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:  # noqa: ARG002 (a query has no key to go by)
        """The next rows."""
        if self._clock is None:
            return self._next(ask)
        sql, parameters = self._since(ask, self._clock)
        rows: list[Row] = []
        groups = groupby(self._database.rows(sql, parameters), key=lambda row: row.get(str(self._clock)))
        for _, same in groups:
            if len(rows) >= self._batch_rows:
                return _batch(rows, position({"after": _plain(rows[-1][self._clock])}), more=True)
            rows += same
        if rows and self._clock not in rows[0]:
            raise Permanent(f"the query returns no column {self._clock}, which is its clock")
        after = ask.position if not rows else position({"after": _plain(rows[-1][self._clock])})
        return _batch(rows, after, more=False)

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    def _since(self, ask: Ask, clock: str) -> tuple[str, Sequence[object]]:
        """The query from where a pull begins."""
        quoted = '"' + clock.replace('"', '""') + '"'
        found = f"SELECT * FROM ({self._query}) AS q"
        bounds: dict[str, object] = {}
        if ask.position is not None:
            bounds[">"] = json.loads(ask.position)["after"]
        elif ask.floor is not None:
            bounds[">="] = ask.floor
        if ask.until is not None:
            bounds["<"] = ask.until
        where = " AND ".join(f"{quoted} {bound} {self._database.mark}" for bound in bounds)
        return f"{found}{' WHERE ' if where else ''}{where} ORDER BY {quoted}", tuple(bounds.values())

    def _next(self, ask: Ask) -> Batch:
        """The next rows of a snapshot, which is read under one cursor."""
        held = {} if ask.position is None else json.loads(ask.position)
        if "walk" not in held:
            self._open, self._told = self._database.rows(f"SELECT * FROM ({self._query}) AS q", ()), 0
        elif self._open is None or held["walk"] != self._told:
            raise Permanent("the query was broken off, and its rows cannot be told from where it was: run it again")
        assert self._open is not None
        rows = list(islice(self._open, self._batch_rows))
        self._told += len(rows)
        if len(rows) == self._batch_rows:
            return _batch(rows, position({"walk": self._told}), more=True)
        self._open = None
        return _batch(rows, position({"rows": self._told}), more=False, inventory=Inventory.COMPLETE)


class Sqlite:
    """A SQLite file."""

    host = None
    mark = "?"

    def __init__(self, path: Path) -> None:
        try:
            self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        except sqlite3.Error as error:
            raise Permanent(f"{path} cannot be opened: {error}") from error
        self._connection.row_factory = sqlite3.Row

    def rows(self, sql: str, parameters: Sequence[object]) -> Iterator[Row]:
        """The rows of a query."""
        try:
            cursor = self._connection.execute(sql, tuple(parameters))
            for row in cursor:
                yield dict(zip(row.keys(), row, strict=True))
        except sqlite3.OperationalError as error:
            busy = "locked" in str(error) or "busy" in str(error)
            raise (Transient if busy else Permanent)(f"the query failed: {error}") from error
        except sqlite3.Error as error:
            raise Permanent(f"the query failed: {error}") from error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Postgres:
    """A PostgreSQL database."""

    mark = "%s"

    def __init__(self, address: str) -> None:
        import psycopg
        from psycopg import conninfo

        self.host = str(conninfo.conninfo_to_dict(address).get("host") or "localhost")
        try:
            self._connection = psycopg.connect(address, row_factory=psycopg.rows.dict_row)
            self._connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; SET TimeZone = 'UTC'")
            self._connection.commit()
        except psycopg.OperationalError as error:
            raise Transient(f"{self.host} did not let us in: {error}") from error

    def rows(self, sql: str, parameters: Sequence[object]) -> Iterator[Row]:
        """The rows of a query, fetched a few at a time."""
        import psycopg

        if not parameters:
            sql = sql.replace("%", "%%")
        try:
            with self._connection.cursor(name="contextful") as cursor:
                cursor.itersize = FETCHED
                cursor.execute(sql.encode(), tuple(str(each) for each in parameters))
                yield from cursor
        except psycopg.Error as error:
            self._connection.rollback()
            again = isinstance(error, psycopg.OperationalError)
            raise (Transient if again else Permanent)(f"the query failed: {error}") from error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _batch(rows: Sequence[Row], after: str | None, *, more: bool, inventory: Inventory | None = None) -> Batch:
    return pull.batch([_plain(row) for row in rows], position=after, more=more, inventory=inventory)


def _plain(value: Any) -> Any:
    """The value as JSON has it: instants and decimals as text."""
    try:
        return msgspec.to_builtins(value, str_keys=True)
    except (TypeError, ValueError) as error:
        raise Permanent(f"the query returns {value!r:.80}, which has no JSON: cast it") from error
