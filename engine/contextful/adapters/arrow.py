"""Batches as Arrow, and Arrow as Parquet: the same rows at the same instant are the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from contextful.kernel.failure import StorageFailed
from contextful.pipeline.land import Shaped
from contextful.store import reserve
from contextful.store.schema import Schema, Type

ARROW: Mapping[Type, pa.DataType] = {
    Type.NULL: pa.null(),
    Type.BOOLEAN: pa.bool_(),
    Type.INT64: pa.int64(),
    Type.FLOAT64: pa.float64(),
    Type.UTF8: pa.utf8(),
    Type.TIMESTAMP: pa.timestamp("ns", "UTC"),
    Type.VARIANT: pa.utf8(),
}
ROW_GROUP_ROWS = 1 << 17


class Inexact(Exception):
    """A column holds a value that the type it is to become does not."""

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.column = column


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the engine writes into every row of a part."""

    run_id: str
    site_id: str
    batch_seq: int
    first_row_seq: int
    committed_ms: int
    commit_seq: int


def staged(batch: Shaped) -> bytes:
    """The batch in the form that is cheap to finish."""
    arrays = [pa.array(column.values, ARROW[column.type]) for column in batch.columns]
    fields = [pa.field(c.name, ARROW[c.type], metadata={"type": c.type.value}) for c in batch.columns]
    sink = pa.BufferOutputStream()
    rows = pa.record_batch(arrays, schema=pa.schema(fields)) if arrays else _without_columns(batch.row_count)
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_batch(rows)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def finished(part: bytes, schema: Schema, stamp: Stamp) -> tuple[bytes, int]:
    """A staged part as Parquet in the final schema, stamped; and its rows. A column of nulls only is left out."""
    rows = pa.ipc.open_stream(part).read_all()
    count = rows.num_rows
    ##= store.reserve.injected
    stamps = [
        (reserve.INGESTED_AT, _constant(stamp.committed_ms * 1_000_000, pa.timestamp("ns", "UTC"), count)),
        (reserve.RUN_ID, _constant(stamp.run_id, pa.utf8(), count)),
        (reserve.BATCH_SEQ, _constant(stamp.batch_seq, pa.int32(), count)),
        (reserve.ROW_SEQ, pa.array(range(stamp.first_row_seq, stamp.first_row_seq + count), pa.int64())),
        (reserve.SITE_ID, _constant(stamp.site_id, pa.utf8(), count)),  ##= run.record.writing-site
        (reserve.COMMIT_SEQ, _constant(stamp.commit_seq, pa.int64(), count)),
    ]
    typed = {name: kind for name, kind in schema.types.items() if kind is not Type.NULL}
    fields = [pa.field(name, ARROW[kind]) for name, kind in typed.items()]
    fields += [pa.field(name, array.type, nullable=False) for name, array in stamps]
    columns = [_widened(rows, name, kind) for name, kind in typed.items()]
    table = pa.table([*columns, *(array for _, array in stamps)], schema=pa.schema(fields))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, row_group_size=ROW_GROUP_ROWS, compression="zstd", version="2.6")
    content: bytes = sink.getvalue().to_pybytes()
    return content, count


INJECTED = pa.schema(
    [
        pa.field(reserve.INGESTED_AT, pa.timestamp("ns", "UTC"), nullable=False),
        pa.field(reserve.RUN_ID, pa.utf8(), nullable=False),
        pa.field(reserve.BATCH_SEQ, pa.int32(), nullable=False),
        pa.field(reserve.ROW_SEQ, pa.int64(), nullable=False),
        pa.field(reserve.SITE_ID, pa.utf8(), nullable=False),
        pa.field(reserve.COMMIT_SEQ, pa.int64(), nullable=False),
    ]
)


def committed_fields(schema: Schema) -> pa.Schema:
    """The columns of committed parts, as the table has them now."""
    typed = [pa.field(name, ARROW[kind]) for name, kind in schema.types.items() if kind is not Type.NULL]
    return pa.schema([*typed, *INJECTED])


def aligned(path: Path, fields: pa.Schema) -> pa.Table:
    """The rows of a committed part under these columns; null where it was written before one was seen."""
    with _committed(path) as part:
        rows = part.read()
    columns = [
        rows.column(field.name).cast(field.type)
        if field.name in rows.schema.names
        else pa.nulls(rows.num_rows, field.type)
        for field in fields
    ]
    return pa.table(columns, schema=fields)


def _widened(rows: pa.Table, name: str, kind: Type) -> pa.Array:
    """A staged column as its final type; nulls where the part was staged before the column was seen."""
    at = rows.schema.get_field_index(name)
    if at < 0:
        return pa.nulls(rows.num_rows, ARROW[kind])
    if kind is Type.VARIANT and rows.schema.field(at).metadata[b"type"] == Type.UTF8.value.encode():
        texts = rows.column(at).to_pylist()
        return pa.array([None if text is None else msgspec.json.encode(text).decode() for text in texts], pa.utf8())
    return _cast(rows.column(at), name, kind)


def exact(path: Path, name: str, kind: Type) -> None:
    """Raise Inexact where the column of a committed part holds what its new type does not."""
    with _committed(path) as part:
        if name in part.schema_arrow.names:
            _cast(part.read([name]).column(0), name, kind)


def row_count(path: Path) -> int:
    """How many rows a committed part has."""
    with _committed(path) as part:
        return int(part.metadata.num_rows)


def merged(paths: Iterable[Path], target: Path) -> int:
    """Write the rows of committed parts into one, in their order, so many at a time; how many there are."""
    found = list(paths)
    schema = pa.unify_schemas([_schema(path) for path in found], promote_options="permissive")
    count = 0
    with pq.ParquetWriter(target, schema, compression="zstd", version="2.6") as writer:
        for rows in _gathered(_batches(found, schema)):
            writer.write_table(rows, row_group_size=ROW_GROUP_ROWS)
            count += rows.num_rows
    return count


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The batches, small ones together: a row group of a row or two is read no faster than one of thousands."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= ROW_GROUP_ROWS // 2:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)


def records(paths: Iterable[Path], rows_max: int) -> Iterator[list[dict[str, object]]]:
    """The rows of committed parts, so many at a time. Timestamps are nanoseconds."""
    for path in paths:
        with _committed(path) as part:
            for rows in part.iter_batches(rows_max):
                names = rows.schema.names
                columns = [_plain(column).to_pylist() for column in rows.columns]
                yield [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _schema(path: Path) -> pa.Schema:
    with _committed(path) as part:
        return part.schema_arrow


def _batches(paths: Iterable[Path], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of the parts in one schema; nulls where a part lacks a column."""
    for path in paths:
        with _committed(path) as part:
            for rows in part.iter_batches(use_threads=False):  # most parts are small, and threads cost more
                held = set(rows.schema.names)
                columns = [
                    rows.column(field.name).cast(field.type)
                    if field.name in held
                    else pa.nulls(rows.num_rows, field.type)
                    for field in schema
                ]
                yield pa.record_batch(columns, schema=schema)


def _plain(column: pa.Array) -> pa.Array:
    return column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column


@contextmanager
def _committed(path: Path) -> Iterator[pq.ParquetFile]:
    """A committed part; one that is damaged is a failure of storage."""
    try:
        with pq.ParquetFile(path) as part:
            yield part
    except (pa.ArrowException, OSError) as error:
        raise StorageFailed(f"{path} cannot be read, restore it from a backup: {error}") from error


def _cast(values: pa.ChunkedArray, name: str, kind: Type) -> pa.ChunkedArray:
    try:
        return values.cast(ARROW[kind])
    except pa.ArrowInvalid:
        raise Inexact(name) from None


def _constant(value: object, kind: pa.DataType, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), count)


def _without_columns(count: int) -> pa.RecordBatch:
    """Rows that hold nothing are still rows: a batch of `{}` has its count from a column that no one reads."""
    return pa.record_batch([pa.nulls(count)], names=[""])
