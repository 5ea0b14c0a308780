"""SQL over exactly the parts that manifests make visible, and nothing else of the file system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from contextful.adapters import requests
from contextful.adapters.masked import Masked
from contextful.adapters.parquet import ParquetStore
from contextful.authority import grant
from contextful.authority.mask import Mask
from contextful.kernel import text
from contextful.kernel.failure import StorageFailed
from contextful.ports.read_face import NONE, Answer
from contextful.store import bound_time, declare, fold, ledger, reserve, respond
from contextful.store.declare import Reading
from contextful.store.schema import Schema, Type
from contextful_contract import limits
from contextful_contract.base import ContextfulError
from contextful_contract.errors import ReadStatementRefused, StoreColumnMissing, StoreUnknownTable
from contextful_contract.shapes import Grant, GrantAction

CATALOG = re.compile(r"(?i)\b(?:show|information_schema|duckdb_\w+|pg_\w+|sqlite_master)\b")
UNKNOWN_TABLE = re.compile(r"Table with name (.+?) does not exist")
MEMORY_MAX = "1GB"
SCAN_ROWS = 100_000
SETTINGS = (
    "SET TimeZone = 'UTC'",
    f"SET memory_limit = '{MEMORY_MAX}'",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
SQL = {
    Type.NULL: "VARCHAR",
    Type.BOOLEAN: "BOOLEAN",
    Type.INT64: "BIGINT",
    Type.FLOAT64: "DOUBLE",
    Type.UTF8: "VARCHAR",
    Type.TIMESTAMP: "TIMESTAMPTZ",
    Type.VARIANT: "VARCHAR",
}
INJECTED = {
    reserve.INGESTED_AT: "TIMESTAMPTZ",
    reserve.RUN_ID: "VARCHAR",
    reserve.BATCH_SEQ: "INTEGER",
    reserve.ROW_SEQ: "BIGINT",
    reserve.SITE_ID: "VARCHAR",
    reserve.COMMIT_SEQ: "BIGINT",
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a question is bounded by."""

    as_of_ms: int | None
    available_as_of_ms: int | None
    tables_as_of_ms: Mapping[str, int] = field(default_factory=lambda: NONE)

    def of(self, table: str) -> Bounds:
        """What the table is bounded by."""
        return replace(self, as_of_ms=self.tables_as_of_ms.get(table, self.as_of_ms))


UNBOUND = Bounds(None, None)


@dataclass(frozen=True, slots=True)
class View:
    """A table as a question sees it: the files that it reads, the statement over them, and what masks its columns."""

    parts: Sequence[Path]
    sql: str
    snapshot_id: str
    masks: Mapping[str, Mask] = field(default_factory=dict)


class DuckdbReads:
    """One question at a time, each over the commits that stand as it is asked."""

    def __init__(
        self,
        store: ParquetStore,
        readings: Iterable[Reading],
        *,
        grants: Sequence[Grant] | None = None,
        pepper: bytes | None = None,
        time_ms_max: int = limits.STATEMENT_TIME_MS,
    ) -> None:
        """Without `grants` whoever asks may read every table, each as its policy lets it be seen."""
        self._grants = grants
        self._pepper = pepper
        self._store = store
        self._time_ms_max = time_ms_max
        self.readings = {reading.table: reading for reading in readings}

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """What one SELECT answers, up to a ceiling of rows, of what had been landed and could be known by then."""
        if not text.storable(sql):
            raise ReadStatementRefused(reason="for it holds NUL or a lone surrogate, and so is no text")
        declared = [reading.table for reading in self.readings.values() if reading.columns]
        tables = sorted({*self._store.tables(), *declared})
        named = (*tables, *(f"{table}{reserve.LEDGER_SUFFIX}" for table in tables))
        standing = {table.lower(): table for table in named if self._covered(table)}
        bounds = Bounds(as_of_ms, available_as_of_ms, tables_as_of_ms)
        views: dict[str, View] = {}
        answer = self._over(views, sql, standing, bounds, rows_max)
        if not CATALOG.search(sql):
            return answer
        views |= {table: self._select(table, bounds) for table in standing.values() if self._listed(table)}
        listing = self._over(views, sql, standing, bounds, rows_max)
        return replace(listing, snapshots=answer.snapshots)  ##= read.face.snapshot-ids

    def _over(
        self, views: dict[str, View], sql: str, standing: dict[str, str], bounds: Bounds, rows_max: int
    ) -> Answer:
        """What the statement answers over the views, to which each table comes that it names, from those that stand."""
        while True:  # ends: each round names another table of the store
            try:
                return self._answer(sql, views, self._ceiling(rows_max, views))
            except duckdb.Error as error:
                unknown = _unknown(error)
                table = standing.pop(unknown.lower(), None)
                if table is None:
                    raise self._refusal(error, unknown) from None
                views[table] = self._select(table, bounds)

    def _listed(self, table: str) -> bool:
        """Whether somebody who lists the tables, and so names none, is shown this one."""
        of = ledger.table_of(table)
        return of is None or bool(requests.paths(self._store.root, of, self._store.disk))

    def _ceiling(self, rows_max: int, tables: Iterable[str]) -> int:
        """The least of what the request, the face and the grants about each of the tables let through."""
        granted = (grant.max_rows(self._grants or (), table) for table in tables)
        return respond.ceiling(rows_max, *granted)  ##= read.respond.face-ceiling

    def _covered(self, table: str) -> bool:
        """Whether the table exists to whoever asks."""
        if self._grants is None:
            return True
        if table in reserve.TABLES and not grant.may(self._grants, GrantAction.READ, pipeline=grant.EVERY):
            return False  # it tells of the runs and the items of all of them
        return grant.may(self._grants, GrantAction.READ, table=table)  ##= read.face.covered-relations

    def _answer(self, sql: str, tables: Mapping[str, View], ceiling: int) -> Answer:
        """What the statement answers where there are these tables, and no others."""
        with duckdb.connect(":memory:") as connection:
            failed = self._expose(connection, tables)
            statements = connection.extract_statements(sql)
            if len(statements) != 1 or statements[0].type is not duckdb.StatementType.SELECT:
                raise ReadStatementRefused(reason="for it is no single SELECT")  ##= read.face.one-select
            try:
                found = connection.execute(statements[0])
                rows = found.fetchmany(ceiling + limits.ROW_OVER_FETCH_ROWS)  ##= read.respond.row-ceiling
            except duckdb.Error as error:
                raise failed[0] if failed else error from None
            columns = found.description or ()
        names, types = (tuple(str(column[at]) for column in columns) for at in (0, 1))
        snapshots = {table: view.snapshot_id for table, view in tables.items()}
        return Answer(names, types, rows[:ceiling], truncated=len(rows) > ceiling, snapshots=snapshots)

    def _expose(self, connection: duckdb.DuckDBPyConnection, tables: Mapping[str, View]) -> Sequence[duckdb.Error]:
        """A view a table; the doors are closed before that, and those to the files of a masked table stay so.

        What goes wrong behind a mask is told by what is answered, once it has.
        """
        failed: list[duckdb.Error] = []
        self._close(connection, [path for view in tables.values() if not view.masks for path in view.parts])
        for table, view in tables.items():
            if view.masks:
                connection.register(table, self._masked(view, failed))  ##= read.face.enforced
            else:
                connection.execute(f"CREATE VIEW {_name(table)} AS {view.sql}")
        return failed

    def _close(self, connection: duckdb.DuckDBPyConnection, parts: Iterable[Path]) -> None:
        """Close the doors to all but these files, and set how long a statement has."""
        connection.execute("SET allowed_paths = ?", [[str(path) for path in parts]])
        connection.execute(f"SET max_execution_time = {self._time_ms_max}")  ##= read.face.statement-time
        for setting in SETTINGS:
            connection.execute(setting)

    def _masked(self, view: View, failed: list[duckdb.Error]) -> Masked:
        """The table for a connection that has none of its files."""
        with duckdb.connect(":memory:") as connection:
            self._close(connection, view.parts)
            schema = connection.sql(view.sql).limit(0).to_arrow_table().schema
        return Masked(schema, partial(self._scan, view, failed), view.masks, self._pepper)

    def _scan(self, view: View, failed: list[duckdb.Error]) -> Iterator[pa.RecordBatch]:
        """The table as it stands in its files, over a connection that is nobody else's; why it ended early is kept."""
        try:
            with duckdb.connect(":memory:") as connection:
                self._close(connection, view.parts)
                yield from connection.sql(view.sql).to_arrow_reader(SCAN_ROWS)
        except duckdb.Error as error:
            failed.append(error)  # the stream that it breaks off would tell of it as text
            raise

    def _refusal(self, error: duckdb.Error, unknown: str) -> ContextfulError | StorageFailed:
        """What the engine beneath says, as the contract's refusal."""
        if unknown:
            return StoreUnknownTable(table=unknown)  ##= store.lay-out.unknown-table
        if isinstance(error, duckdb.InterruptException):
            return ReadStatementRefused(reason=f"for it took more than {self._time_ms_max / 1_000:g} s")
        ours = str(self._store.root) in str(error) or type(error) is duckdb.Error  # the bare kind: of a part's bytes
        if ours and not isinstance(error, duckdb.PermissionException):
            said = str(error).strip().partition("\n")[0]
            return StorageFailed(f"a part cannot be read, restore it from a backup: {said}")
        return ReadStatementRefused(reason=f"for {str(error).strip()}")

    def _select(self, table: str, bounds: Bounds) -> View:
        """The table as it is read under the bounds. A ledger is read whole."""
        if (of := ledger.table_of(table)) is not None:
            paths = requests.paths(self._store.root, of, self._store.disk)
            return View(paths, f"SELECT * FROM {_files(paths)}" if paths else requests.empty(), f"ledger-{len(paths)}")
        reading = self.readings.get(table, Reading(table))
        bounds = bounds.of(table)
        reads = fold.reads(self._store.history(table), reading, bounds.as_of_ms)
        parts = self._parts(reads)
        return View(parts, self._sql(reading, parts, bounds), fold.resolved(reads), self._masks(reading))

    def _masks(self, reading: Reading) -> Mapping[str, Mask]:
        """What masks the table's columns, of those about which no grant says that its holder reads them as they are."""
        types = {name.lower(): kind for name, kind in self._store.schema(reading.table).types.items()}
        required = {column.lower() for column in reading.key}
        return {
            column: Mask(policy.strategy, required=column in required, nested=types.get(column) is Type.VARIANT)
            for column, policy in reading.policy.items()
            if not grant.unmasked(self._grants or (), reading.table, policy.class_)
        }

    def _parts(self, reads: fold.Reads) -> Sequence[Path]:
        runs = [path for run in reads.runs for path in self._store.parts(run)]
        return [*self._store.snapshot_parts(reads.snapshot), *runs]

    def snapshots(
        self, tables: Iterable[str], *, as_of_ms: int | None, tables_as_of_ms: Mapping[str, int] = NONE
    ) -> Mapping[str, str]:
        """Which of its snapshots, or else of its commits, is the newest of each table."""
        readings = [self.readings.get(table, Reading(table)) for table in tables]
        bounds = Bounds(as_of_ms, None, tables_as_of_ms)
        return {
            each.table: fold.resolved(fold.reads(self._store.history(each.table), each, bounds.of(each.table).as_of_ms))
            for each in readings
        }

    def winners(self, reading: Reading, reads: fold.Reads) -> pa.Table | None:
        """Of a keyed table the rows that its read returns, each by its commit and its place there; else none.

        A table that says when its rows could be known has need of all of them.
        """
        if not reading.key or reading.available_time is not None:
            return None
        parts = self._parts(reads)
        with duckdb.connect(":memory:") as connection:
            self._expose(
                connection, {reading.table: View(parts, self._sql(reading, parts, UNBOUND), fold.resolved(reads))}
            )
            rows = f"SELECT {reserve.COMMIT_SEQ}, {reserve.ROW_SEQ} FROM {_name(reading.table)}"
            return connection.sql(rows).to_arrow_table()

    def _sql(self, reading: Reading, paths: Sequence[Path], bounds: Bounds) -> str:
        """All rows of the table's parts; of a keyed table, one a key."""
        table = reading.table
        schema = self._store.schema(table)
        columns = {name: SQL[kind] for name, kind in ({**reading.columns, **schema.types}).items()} | INJECTED
        nulls = ", ".join(f"NULL::{kind} AS {_name(name)}" for name, kind in columns.items())
        empty = f"SELECT {nulls} WHERE false"  # what no part holds yet is null in every row
        if not paths:
            return empty
        union = f"SELECT *{_spelled(schema)} FROM ({empty} UNION ALL BY NAME FROM {_files(paths)})"
        dated = () if reading.available_time is None else (reading.available_time,)
        for column in (*dated, *((*reading.key, *reading.order_by) if reading.key else ())):
            if column not in columns:
                raise StoreColumnMissing(table=table, column=column)  # it was landed before that was declared
        within = []
        if bounds.as_of_ms is not None:
            within.append(f"epoch_ms({reserve.INGESTED_AT}::TIMESTAMPTZ) <= {bounds.as_of_ms}")
        if bounds.available_as_of_ms is not None and reading.available_time is not None:
            ##= store.bound-time.bounds-together
            within.append(bound_time.available(_name(reading.available_time), bounds.available_as_of_ms))
        if within:
            union += f" WHERE {' AND '.join(within)}"
        if not reading.key:
            return union  ##= store.declare.keyless-union
        key = ", ".join(map(_name, reading.key))
        ranked = ", ".join(f"{_name(column)} DESC NULLS LAST" for column in declare.ranking(reading))
        return f"{union} QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY {ranked}) = 1"


def _files(paths: Sequence[Path]) -> str:
    """The rows of these files."""
    listed = ", ".join(_text(str(path)) for path in paths)
    return f"read_parquet([{listed}], union_by_name = true, hive_partitioning = false)"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _spelled(schema: Schema) -> str:
    """The texts of commits from before their column became a variant, as JSON."""
    columns = [
        f"CASE WHEN _commit_seq < {seq} THEN to_json({_name(name)})::VARCHAR ELSE {_name(name)} END AS {_name(name)}"
        for name, seq in schema.text_before.items()
    ]
    return f" REPLACE ({', '.join(columns)})" if columns else ""


def _unknown(error: duckdb.Error) -> str:
    """The table that the engine beneath does not know, if that is what it says."""
    found = UNKNOWN_TABLE.search(str(error)) if isinstance(error, duckdb.CatalogException) else None
    return "" if found is None else str(found[1])
