"""store.reserve: names that are the engine's, and the columns that it writes into every row."""

from __future__ import annotations

from collections.abc import Iterable

from contextful_contract.errors import StoreColumnNameInvalid, StoreReservedColumnName, StoreReservedTableName

ITEMS = "_items"
TABLES = ("_runs", ITEMS, "_visibility")
LEDGER_SUFFIX = "__requests"
PRODUCER_COLUMNS = ("_modality", "_lang", "_provenance", "_prompt_hash")

RUN_ID = "_run_id"
BATCH_SEQ = "_batch_seq"
ROW_SEQ = "_row_seq"
SITE_ID = "_site_id"
INGESTED_AT = "_ingested_at"
COMMIT_SEQ = "_commit_seq"
STAGED = (RUN_ID, BATCH_SEQ, ROW_SEQ, SITE_ID)
COMMITTED = (INGESTED_AT, COMMIT_SEQ)  # the commit's own: no staged part carries them
INJECTED = STAGED + COMMITTED


def admit_table(table: str) -> str:
    """The table's name, if it is nobody's yet."""
    if table in TABLES or table.endswith(LEDGER_SUFFIX):
        raise StoreReservedTableName(table=table)  ##= store.reserve.table-namespaces
    return table


def admit_column(column: str) -> str:
    """The column's name, if a producer may fill it."""
    if column.startswith("_") and column not in PRODUCER_COLUMNS:
        raise StoreReservedColumnName(column=column)  ##= store.reserve.column-namespaces
    return column


def admit_beside(table: str, columns: Iterable[str], standing: Iterable[str]) -> None:
    """See that each column has a name, and that SQL can tell it from the table's others."""
    known = {_folded(column): column for column in standing}
    for column in columns:
        twin = known.setdefault(_folded(column), column)
        if twin != column:
            reason = f"it has {twin}, and SQL tells no names apart that differ in case alone"
            raise StoreColumnNameInvalid(table=table, column=column, reason=reason)  ##= store.reserve.column-shape
        if not column or "\0" in column:
            raise StoreColumnNameInvalid(table=table, column=column, reason="that is no name")


def next_commit_seq(committed: Iterable[int]) -> int:
    """One more than every commit there is."""
    return 1 + max(committed, default=0)  ##= store.reserve.commit-seq


def next_commit_ms(committed_ms: Iterable[int], now_ms: int) -> int:
    """The instant of the next commit, after those of all that there are."""
    return max(now_ms, 1 + max(committed_ms, default=0))  ##= store.reserve.commit-instant


def _folded(column: str) -> bytes:
    """The name as SQL compares it: letters beyond ASCII are told apart."""
    return column.encode().lower()
