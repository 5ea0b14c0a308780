"""The store's table of items, in Parquet."""

from __future__ import annotations

from collections.abc import Sequence, Set

from contextful.adapters.appended import AppendedTable
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.pipeline.land import Destined
from contextful.store.item_rows import TABLE, TYPES, record
from contextful_contract.shapes import ItemRow

ITEMS = Destined(TABLE, types=TYPES)


class ParquetItemTable:
    """`_items` under a store's root, as one node of one site appends to it."""

    def __init__(self, store: ParquetStore, *, site_id: str) -> None:
        self._store = store
        self._appended = AppendedTable(store, ITEMS, site_id=site_id)

    def append(self, rows: Sequence[ItemRow]) -> None:
        """Append the rows, all or none; they outlast the process."""
        self._appended.append([dict(record(row)) for row in rows])

    def holding(self, execution_ids: Sequence[str]) -> Set[str]:
        """Which of these executions have their row."""
        if TABLE not in self._store.tables() or not execution_ids:
            return frozenset()
        asked = ", ".join("'" + each.replace("'", "''") + "'" for each in execution_ids)
        sql = f"SELECT execution_id FROM {TABLE} WHERE execution_id IN ({asked})"
        answer = DuckdbReads(self._store, ()).query(sql, rows_max=len(execution_ids) + 1)
        return frozenset(str(row[0]) for row in answer.rows)
