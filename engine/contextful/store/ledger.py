"""store.reserve.request-ledger: what has been asked of the world outside, a row a request."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from contextful.store import lay_out
from contextful.store.reserve import LEDGER_SUFFIX

FOLDER = "requests"
OK = "ok"


@dataclass(frozen=True, slots=True)
class Request:
    """One request: for which pull, by what, of which host, and what came of it: `ok`, or the tag of its failure."""

    run_id: str
    pull: str
    idempotency_key: str
    connector: str
    method: str
    host: str
    outcome: str
    started_ms: int
    took_ms: int


def folder(table: str) -> PurePosixPath:
    """Where a table's ledger is, within the store."""
    return lay_out.table_folder(table) / FOLDER


def file_name(run_id: str, node_id: str) -> str:
    """The file of a run's requests."""
    return f"{run_id}.{node_id}.parquet"


def table_of(name: str) -> str | None:
    """The table whose ledger is read under the name, if it is a ledger's."""
    return name[: -len(LEDGER_SUFFIX)] if name.endswith(LEDGER_SUFFIX) else None
