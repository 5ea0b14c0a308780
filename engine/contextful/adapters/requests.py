"""The request ledger as Parquet, a file a run, which is written anew with every row that comes to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from contextful.adapters import files
from contextful.adapters.files import Disk
from contextful.kernel.failure import StorageFailed
from contextful.ports.world import World
from contextful.store import ledger
from contextful.store.ledger import Request

LOCK = "append.lock"
STARTED_AT = "started_at"
COLUMNS = pa.schema(
    [
        pa.field(STARTED_AT, pa.timestamp("ms", "UTC"))
        if each.name == "started_ms"
        else pa.field(each.name, pa.int64() if each.type == "int" else pa.utf8())
        for each in fields(Request)
    ]
)


class ParquetLedger:
    """One run's requests."""

    def __init__(self, folder: Path, run_id: str, node_id: str, disk: Disk, world: World) -> None:
        self._folder = folder
        self._path = folder / ledger.file_name(run_id, node_id)
        self._disk = disk
        self._world = world

    def append(self, request: Request) -> None:
        """Add a row; it survives a power loss when this returns."""
        with files.storing(self._path):
            files.make_folders(self._disk, self._folder)
            with files.locked(self._folder / LOCK, self._world):
                rows = [*self._standing(), astuple(request)]
                columns = [pa.array([row[at] for row in rows], field.type) for at, field in enumerate(COLUMNS)]
                sink = pa.BufferOutputStream()
                pq.write_table(pa.table(columns, schema=COLUMNS), sink, compression="zstd")
                files.replace(self._disk, self._path, sink.getvalue().to_pybytes())  ##= store.reserve.request-ledger

    def _standing(self) -> Sequence[tuple[object, ...]]:
        content = self._disk.read(self._path)
        if content is None:
            return ()
        try:
            read = pq.read_table(pa.BufferReader(content), schema=COLUMNS)
        except pa.ArrowException as error:
            raise StorageFailed(f"{self._path} cannot be read, restore it from a backup: {error}") from error
        return list(zip(*(column.to_pylist() for column in read.columns), strict=True))


def paths(root: Path, table: str, disk: Disk) -> Sequence[Path]:
    """The files of a table's ledger."""
    folder = root / ledger.folder(table)
    return [folder / name for name in disk.names(folder) if name.endswith(".parquet")]


def empty() -> str:
    """The ledger in SQL where there is no file yet."""
    kinds = {"started_at": "TIMESTAMPTZ", "took_ms": "BIGINT"}
    return "SELECT " + ", ".join(f"NULL::{kinds.get(f.name, 'VARCHAR')} AS {f.name}" for f in COLUMNS) + " WHERE false"
