"""A table as its policy lets it be seen: masked before any statement sees a value of it.

trusted connection --parts--> batches --masks--> stream --scan--> the connection of whoever asks

Whoever asks has neither the files nor the pepper, so that no statement, however it is made, can get behind a mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pyarrow as pa

from contextful.authority.mask import Mask

Scan = Callable[[], Iterator[pa.RecordBatch]]


class Masked:
    """What a connection is given as a table. It reads, and masks, as often as a statement names it."""

    def __init__(self, schema: pa.Schema, scan: Scan, masks: Mapping[str, Mask], pepper: bytes | None) -> None:
        """`masks` are by the column's name in lower case, as SQL compares it."""
        self._scan = scan
        self._masks = {at: masks[name.lower()] for at, name in enumerate(schema.names) if name.lower() in masks}
        self._pepper = pepper
        self._schema = schema
        for at, mask in self._masks.items():
            if mask.text:
                self._schema = self._schema.set(at, schema.field(at).with_type(pa.utf8()))

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        batches = map(self._masked, self._scan())
        return pa.RecordBatchReader.from_batches(self._schema, batches).__arrow_c_stream__(requested_schema)

    def _masked(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = list(batch.columns)
        for at, mask in self._masks.items():
            distinct = columns[at].dictionary_encode()
            then = mask.of(self._pepper)
            left = [None if value is None else then(value) for value in distinct.dictionary.to_pylist()]
            columns[at] = pa.array(left, self._schema.field(at).type).take(distinct.indices)
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)
