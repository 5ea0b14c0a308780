"""Blobs as rows, for stores whose one file or one database holds both (run.journal.sqlite-stores)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from contextful.kernel.change import Delete, Insert, Update
from contextful.kernel.table import Kind, Select, Table
from contextful.ports.blobs import Put
from contextful.ports.rows import Rows

CONTENT = Table("blob", key=("sha256",), columns={"sha256": Kind.TEXT, "content": Kind.BYTES})
PUTS = Table(
    "blob_put",
    key=("sha256",),
    columns={"sha256": Kind.TEXT, "put_ms": Kind.INTEGER},
    indexes=(("put_ms",),),
)
ROUNDS_MAX = 8
TABLES = (CONTENT, PUTS)  # apart, so that looking for old blobs reads no content


class RowBlobs:
    """Blobs over `Rows`: a put is one commit, so no partial write can survive."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def put(self, sha256: str, content: bytes, *, now_ms: int) -> None:
        """Keep the content, or note that it was asked for again at `now_ms`."""
        for _ in range(ROUNDS_MAX):
            ##= run.journal.blob-write
            if self._rows.commit(
                Insert(PUTS, {"sha256": sha256, "put_ms": now_ms}),
                Insert(CONTENT, {"sha256": sha256, "content": content}),
            ) or self._rows.commit(Update(PUTS, {"sha256": sha256}, {}, {"put_ms": now_ms})):
                return
        raise AssertionError(f"{ROUNDS_MAX} sweeps in a row took the blob between two commits")

    def get(self, sha256: str) -> bytes | None:
        """The content, or none where nothing holds it."""
        row = self._rows.get(CONTENT, (sha256,))
        if row is None:
            return None
        return cast(bytes, row["content"])

    def older_than(self, instant_ms: int, *, limit: int) -> Sequence[Put]:
        """Blobs last put before the instant, oldest first."""
        old = self._rows.select(Select(PUTS, {}, order="put_ms", before=instant_ms, limit=limit))
        return [Put(cast(str, row["sha256"]), cast(int, row["put_ms"])) for row in old]

    def delete(self, sha256: str, *, put_before_ms: int) -> bool:
        """Drop the blob unless it was put again at or after the instant. True: it is gone."""
        put = self._rows.get(PUTS, (sha256,))
        if put is None or cast(int, put["put_ms"]) >= put_before_ms:
            return False
        return self._rows.commit(
            Delete(PUTS, {"sha256": sha256}, {"put_ms": put["put_ms"]}), Delete(CONTENT, {"sha256": sha256})
        )
