"""Files that are read as a whole, JSON and Parquet: rows by the batch, an offset being how many of them are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec

from contextful.kernel.failure import Permanent

_ROWS = msgspec.json.Decoder(list[dict[str, Any]])


@dataclass(frozen=True, slots=True)
class Read:
    """Rows of a file as the JSON of a list, how many, the offset after them, and whether the file has more."""

    rows: bytes
    row_count: int
    end: int
    more: bool


def read(name: str, form: str, handle: BinaryIO, offset: int, rows_max: int) -> Read:
    """The file's next rows."""
    rows, count = (
        _parquet(name, handle, offset, rows_max) if form == "parquet" else _json(name, handle, offset, rows_max)
    )
    return Read(msgspec.json.encode(rows), len(rows), offset + len(rows), more=offset + len(rows) < count)


def _json(name: str, handle: BinaryIO, offset: int, rows_max: int) -> tuple[list[dict[str, Any]], int]:
    """One list of objects."""
    try:
        held = _ROWS.decode(handle.read())
    except (msgspec.DecodeError, RecursionError) as error:
        raise Permanent(f"{name} holds no list of JSON objects: {error}") from None
    return held[offset : offset + rows_max], len(held)


def _parquet(name: str, handle: BinaryIO, offset: int, rows_max: int) -> tuple[list[dict[str, Any]], int]:
    """Rows of as many groups as they are in."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(handle)
        count, begins, rows = file.metadata.num_rows, 0, list[dict[str, Any]]()
        for group in range(file.num_row_groups):
            ends = begins + file.metadata.row_group(group).num_rows
            if ends > offset and len(rows) < rows_max:
                first = max(0, offset - begins)
                held = file.read_row_group(group).slice(first, rows_max - len(rows))
                rows += [msgspec.to_builtins(row) for row in _told(held).to_pylist()]
            begins = ends
    except pa.ArrowException as error:
        raise Permanent(f"{name} is no Parquet file that can be read: {error}") from error
    except (TypeError, ValueError) as error:
        raise Permanent(f"{name} holds what has no JSON: {error}") from error
    return rows, count


def _told(rows: Any) -> Any:
    """The rows with their instants as text, which keeps what is beyond a microsecond."""
    import pyarrow as pa

    for at, field in enumerate(rows.schema):
        if pa.types.is_timestamp(field.type):
            rows = rows.set_column(at, field.name, rows.column(at).cast(pa.string()))
    return rows
