"""Blobs in an R2 bucket, under `blobs/<sha256>`, and in D1 a row for each (run.journal.d1-blob).

    none --insert--> arriving --the object is put--> held --nothing refers to it--> leaving --the object goes--> none
                                                     ^  |                            ^   |
                                                     put again                       taken over

No object stands without a row, so that whatever a crash leaves is found by the row's age. Only a row that is held
refers to its object. One that is leaving is of whoever marked it, for a while: the Worker deletes for nobody else, so
that a process which was paused in between cannot take away what was put since.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import cast

from contextful.adapters import sql
from contextful.adapters.d1.worker import Worker
from contextful.kernel import digest
from contextful.kernel.change import Delete, Insert, Require, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Kind, Row, Select, Table
from contextful.ports.blobs import Put
from contextful.ports.rows import Rows

OBJECT = Table(
    "blob_object",
    key=("sha256",),
    columns={"sha256": Kind.TEXT, "state": Kind.TEXT, "put_ms": Kind.INTEGER, "leaving_ms": Kind.INTEGER},
    indexes=(("put_ms",),),
)
ARRIVING, HELD, LEAVING = "arriving", "held", "leaving"
LEAVING_MS = 60_000  # longer than a deletion is asked for: 3 attempts of 15 s
PAUSE_MS = 200
ROUNDS_MAX = LEAVING_MS // PAUSE_MS + 8


class R2Blobs:
    """The blobs of one bucket; `rows` are those of the database beside it."""

    def __init__(self, worker: Worker, rows: Rows) -> None:
        self._worker = worker
        self._rows = rows

    def put(self, sha256: str, content: bytes, *, now_ms: int) -> None:
        """Keep the content, or note that it was asked for again at `now_ms`."""
        for _ in range(ROUNDS_MAX):
            standing = self._rows.get(OBJECT, (sha256,)) or self._announced(sha256, now_ms)
            if standing is None:
                continue
            if standing["state"] == LEAVING:
                if not self._take(standing):
                    threading.Event().wait(PAUSE_MS / 1_000)
                continue
            seen: Row = {"state": HELD}
            if standing["state"] == ARRIVING:
                seen = {"state": ARRIVING, "put_ms": standing["put_ms"]}  # one that comes anew is not there yet
                self._worker.put(sha256, content)  ##= run.journal.d1-blob
            if self._rows.commit(Update(OBJECT, {"sha256": sha256}, seen, {"state": HELD, "put_ms": now_ms})):
                return
        raise StorageFailed(f"R2 object blobs/{sha256} is being deleted, and has been for {LEAVING_MS} ms")

    def get(self, sha256: str) -> bytes | None:
        """The content, or none where nothing holds it."""
        content = self._worker.get(sha256)
        if content is not None and digest.of_bytes(content) != sha256:
            ##= run.journal.d1-blob
            raise StorageFailed(f"R2 object blobs/{sha256} holds other bytes than those: restore it from a backup")
        return content

    def older_than(self, instant_ms: int, *, limit: int) -> Sequence[Put]:
        """Blobs last put before the instant, oldest first."""
        old = self._rows.select(Select(OBJECT, {}, order="put_ms", before=instant_ms, limit=limit))
        return [Put(cast(str, row["sha256"]), cast(int, row["put_ms"])) for row in old]

    def delete(self, sha256: str, *, put_before_ms: int) -> bool:
        """Drop the blob unless it was put again at or after the instant. True: it is gone."""
        standing = self._rows.get(OBJECT, (sha256,))
        if standing is None or cast(int, standing["put_ms"]) >= put_before_ms:
            return False
        return self._take(standing)

    def _announced(self, sha256: str, now_ms: int) -> Row | None:
        """The row of an object that is to come, unless somebody else has made one."""
        row: Row = {"sha256": sha256, "state": ARRIVING, "put_ms": now_ms}
        return row if self._rows.commit(Insert(OBJECT, row)) else None

    def _take(self, standing: Row) -> bool:
        """Delete the object, and then its row, unless somebody else is at that. True: it is gone."""
        key = {"sha256": standing["sha256"]}
        now_ms = self._rows.now_ms(0)
        if standing["state"] == LEAVING and now_ms - cast(int, standing["leaving_ms"]) < LEAVING_MS:
            return False
        ours: Row = {"state": LEAVING, "leaving_ms": now_ms}
        if not self._rows.commit(Update(OBJECT, key, standing, ours)):
            return False
        self._worker.delete(cast(str, standing["sha256"]), sql.change(Require(OBJECT, key, ours), sql.D1))
        return self._rows.commit(Delete(OBJECT, key, ours))
