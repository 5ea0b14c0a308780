"""The store's table of runs, in Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from contextful.adapters import arrow
from contextful.adapters.appended import AppendedTable
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.pipeline.land import Destined
from contextful.store import fold
from contextful.store.runs import TABLE, TYPES, Record
from contextful.store.schema import Type

RUNS = Destined(TABLE, types=TYPES)
BATCH_ROWS = 10_000


class ParquetRunTable:
    """`_runs` under a store's root, as one node of one site appends to it."""

    def __init__(self, store: ParquetStore, *, site_id: str) -> None:
        self._store = store
        self._appended = AppendedTable(store, RUNS, site_id=site_id)

    def append(self, records: Sequence[Record]) -> None:
        """Append the rows, all or none; they outlast the process."""
        self._appended.append(records)

    def batches(self) -> Iterator[Sequence[Record]]:
        """All rows, in the order in which they were appended, so many at a time."""
        for rows in arrow.records(self._appended.paths(), BATCH_ROWS):
            yield [_record(row) for row in rows]

    def newest(self, *, pipeline: str | None, since_ms: int | None, as_of_ms: int, limit: int) -> Sequence[Record]:
        """Of each run the row that tells most as of the instant; those that started last come first."""
        if TABLE not in self._store.tables():
            return []
        sql = _newest(pipeline, since_ms, limit)
        ##= run.record.time-travel
        answer = DuckdbReads(self._store, ()).query(sql, rows_max=limit, as_of_ms=as_of_ms)
        return [_record(dict(zip(answer.columns, row, strict=True))) for row in answer.rows]


def _record(row: dict[str, object]) -> Record:
    """A row as the shape has it: instants in milliseconds, nested values out of their text."""
    return {name: _value(row.get(name), kind) for name, kind in TYPES.items()}


def _value(value: object, kind: Type) -> object:
    if kind is Type.TIMESTAMP and isinstance(value, int):
        return value // fold.NS
    return json.loads(value) if kind is Type.VARIANT and isinstance(value, str) else value


def _newest(pipeline: str | None, since_ms: int | None, limit: int) -> str:
    instants = [name for name, kind in TYPES.items() if kind is Type.TIMESTAMP]
    spelled = ", ".join(f"epoch_ns({name}::TIMESTAMPTZ) AS {name}" for name in instants)
    bounds = [f"epoch_ms(started_at::TIMESTAMPTZ) >= {since_ms or 0}"]
    if pipeline is not None:
        bounds.append("pipeline_id = '" + pipeline.replace("'", "''") + "'")
    ranked = "phase = 'commit' DESC, _commit_seq DESC, _row_seq DESC"
    latest = f"row_number() OVER (PARTITION BY run_id ORDER BY {ranked}) = 1"
    found = f"SELECT * FROM {TABLE} WHERE {' AND '.join(bounds)} QUALIFY {latest}"
    return f"SELECT * REPLACE ({spelled}) FROM ({found}) ORDER BY started_at DESC, run_id DESC LIMIT {limit}"
