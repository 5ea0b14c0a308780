"""store.fold: many small runs become one snapshot, whose parts a later one takes over or merges.

A table without a key loses nothing by it: each row keeps its instant, by which bounded reads go on telling it apart.

    parts of the snapshots    [ 3,200 rows ][ 800 rows ][ 100 rows ]
    50 runs more              [ 3,200 rows ][ 800 rows ][ 200 rows ]     a part no larger than what comes is merged
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from contextful.kernel import instant
from contextful_contract import limits
from contextful_contract.errors import StoreManifestUnreadable

NS = 1_000_000  # in a millisecond


class Part(msgspec.Struct, frozen=True):
    """A file of a snapshot, by its place under the snapshots' folder; and its rows."""

    name: str
    rows: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a fold wrote: its parts, the runs that are in them and still on disk, and up to which commit."""

    snapshot_id: str
    parent: str | None
    table: str
    created_ms: int
    includes_runs: tuple[str, ...]  # <run id>/<node id>
    parts: tuple[Part, ...]
    commit_seq: int
    committed_ms: int


class _Held(msgspec.Struct):
    snapshot_id: str
    table: str
    created_at: str
    includes_runs: list[str]
    parts: list[Part]
    commit_seq: int
    committed_at: str
    parent: str | None = None


_HELD = msgspec.json.Decoder(_Held)


def due(run_count: int, *, since_ms: int | None, now_ms: int) -> bool:
    """Whether so many runs since the last pass, which began then, make another one due."""
    if run_count >= limits.STORE_COMPACTION_RUN_COUNT_RUNS:
        return True
    return run_count > 0 and since_ms is not None and now_ms - since_ms >= limits.STORE_COMPACTION_INTERVAL_MS


def kept(parts: Sequence[Part], rows: int) -> Sequence[Part]:
    """The parts that a fold of so many new rows leaves as they are: each is larger than all that come after it.

    So a row is written again as often as the table has doubled, and reads have few parts to open.
    """
    left = list(parts)
    while left and left[-1].rows <= rows:  # ends: with the parts
        rows += left.pop().rows
    return left


def snapshot_id(now_ms: int, before: str | None) -> str:
    """The id of the next snapshot: its instant, or one more than the id before."""
    after = 0 if before is None else 1 + created_ns(before)
    return f"snapshot-{max(now_ms * NS, after):0{limits.STORE_SNAPSHOT_ID_WIDTH_DIGITS}d}"


def created_ns(snapshot_id: str) -> int:
    """The nanosecond that a snapshot is called by."""
    return int(snapshot_id.removeprefix("snapshot-"))


def to_json(snapshot: Snapshot) -> bytes:
    """The snapshot's manifest."""
    held = {
        "snapshot_id": snapshot.snapshot_id,
        "parent": snapshot.parent,
        "table": snapshot.table,
        "created_at": instant.spell(snapshot.created_ms),
        "includes_runs": list(snapshot.includes_runs),
        "primary_key": [],
        "order_by": [],
        "row_count": sum(part.rows for part in snapshot.parts),
        "parts": [{"name": part.name, "rows": part.rows} for part in snapshot.parts],
        "fence": None,
        "commit_seq": snapshot.commit_seq,
        "committed_at": instant.spell(snapshot.committed_ms),
    }
    return json.dumps(held, indent=1, sort_keys=True).encode() + b"\n"


def from_json(content: bytes, *, path: str) -> Snapshot:
    """The snapshot that a manifest holds."""
    try:
        held = _HELD.decode(content)
        created_ms, committed_ms = instant.read(held.created_at), instant.read(held.committed_at)
        if created_ms is None or committed_ms is None:
            raise ValueError("created_at or committed_at is no instant")
        created_ns(held.snapshot_id)
    except ValueError as error:
        raise StoreManifestUnreadable(path=path, reason=f"{type(error).__name__}: {error}") from None
    return Snapshot(
        held.snapshot_id,
        held.parent,
        held.table,
        created_ms,
        tuple(held.includes_runs),
        tuple(held.parts),
        held.commit_seq,
        committed_ms,
    )
