"""SQL over exactly the parts that manifests make visible, and nothing else of the file system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import duckdb

from contextful.adapters.parquet import ParquetStore
from contextful.ports.read_face import Answer
from contextful.store import bound_time, declare, lay_out
from contextful.store.declare import Reading
from contextful.store.schema import Type
from contextful_contract import limits
from contextful_contract.base import ContextfulError
from contextful_contract.errors import ReadStatementRefused, StoreUnknownTable

UNKNOWN_TABLE = re.compile(r"Table with name (.+?) does not exist")
MEMORY_MAX = "1GB"
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


class DuckdbReads:
    """One question at a time, each over the commits that stand as it is asked."""

    def __init__(self, store: ParquetStore, readings: Iterable[Reading]) -> None:
        self._store = store
        self._readings = {reading.table: reading for reading in readings}

    def query(self, sql: str, *, rows_max: int, as_of_ms: int | None = None) -> Answer:
        """What one SELECT answers, up to a ceiling of rows, of the store as it stood at the instant."""
        ceiling = min(rows_max, limits.FACE_ROW_CEILING_ROWS)  ##= read.respond.face-ceiling
        connection = duckdb.connect(":memory:")
        try:
            self._expose(connection, as_of_ms)
            statements = connection.extract_statements(sql)
            if len(statements) != 1 or statements[0].type is not duckdb.StatementType.SELECT:
                raise ReadStatementRefused(reason="for it is no single SELECT")  ##= read.face.one-select
            found = connection.execute(statements[0])
            rows = found.fetchmany(ceiling + limits.ROW_OVER_FETCH_ROWS)  ##= read.respond.row-ceiling
            columns = found.description or ()
        except duckdb.Error as error:
            raise _refusal(error) from None
        finally:
            connection.close()
        names, types = (tuple(str(column[at]) for column in columns) for at in (0, 1))
        return Answer(names, types, rows[:ceiling], truncated=len(rows) > ceiling)

    def _expose(self, connection: duckdb.DuckDBPyConnection, as_of_ms: int | None) -> None:
        """A view a table; then the doors close."""
        parts = {table: self._parts(table, as_of_ms) for table in self._store.tables()}
        connection.execute("SET allowed_paths = ?", [[path for paths in parts.values() for path in paths]])
        for setting in SETTINGS:
            connection.execute(setting)
        for table, paths in parts.items():
            connection.execute(f"CREATE VIEW {_name(table)} AS {self._select(table, paths)}")

    def _parts(self, table: str, as_of_ms: int | None) -> Sequence[str]:
        return [
            str(self._store.root / lay_out.run_folder(table, manifest.run_id, manifest.node_id) / part)
            for manifest in bound_time.visible(self._store.manifests(table), as_of_ms)
            for part in manifest.parts
        ]

    def _select(self, table: str, paths: Sequence[str]) -> str:
        """All rows of the table's parts; of a keyed table, one a key."""
        types = self._store.schema(table).types
        columns = ", ".join(f"NULL::{SQL[kind]} AS {_name(name)}" for name, kind in types.items())
        empty = f"SELECT {columns or 'NULL AS _'} WHERE false"  # what no part holds yet is null in every row
        if not paths:
            return empty
        listed = ", ".join(_text(path) for path in paths)
        union = f"SELECT * FROM ({empty} UNION ALL BY NAME FROM read_parquet([{listed}], union_by_name = true))"
        reading = self._readings.get(table, Reading(table))
        if not reading.key:
            return union  ##= store.declare.keyless-union
        key = ", ".join(map(_name, reading.key))
        ranked = ", ".join(f"{_name(column)} DESC NULLS LAST" for column in declare.ranking(reading))
        return f"{union} QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY {ranked}) = 1"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _refusal(error: duckdb.Error) -> ContextfulError:
    """What the engine beneath says, as the contract's refusal."""
    unknown = UNKNOWN_TABLE.search(str(error)) if isinstance(error, duckdb.CatalogException) else None
    if unknown is not None:
        return StoreUnknownTable(table=unknown[1])  ##= store.lay-out.unknown-table
    return ReadStatementRefused(reason=f"for {str(error).strip()}")
