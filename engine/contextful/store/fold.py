"""store.fold: what the current read returns, written into one snapshot, and for how long what it took in stays.

runs r-1 … r-50 --fold--> snapshot s, the pointer at it --7 d--> r-1 … r-50 gone, and bounds before s refused
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import msgspec

from contextful.kernel import instant
from contextful.store import bound_time, declare, lay_out
from contextful.store.declare import Reading
from contextful.store.lay_out import Manifest
from contextful_contract import limits
from contextful_contract.errors import StoreAsOfUnretained, StoreManifestUnreadable

POINTER = "_pointer.json"
SNAPSHOTS = PurePosixPath("data", "snapshots")
NS = 1_000_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The rows of a table's runs, in parts of its own. `markers` are the newest commits of the pipelines it took in."""

    snapshot_id: str
    table: str
    parent: str | None
    created_ms: int
    runs: tuple[str, ...]
    key: tuple[str, ...]
    order_by: tuple[str, ...]
    row_count: int
    parts: tuple[str, ...]
    commit_seq: int
    committed_ms: int
    replacement_frontier: bool = False
    markers: tuple[Manifest, ...] = ()


class _Held(msgspec.Struct):
    snapshot_id: str
    table: str
    created_at: str
    includes_runs: list[str]
    parts: list[str]
    commit_seq: int
    committed_at: str
    parent: str | None = None
    primary_key: list[str] = msgspec.field(default_factory=list)
    order_by: list[str] = msgspec.field(default_factory=list)
    row_count: int = 0
    replacement_frontier: bool = False
    markers: list[dict[str, object]] = msgspec.field(default_factory=list)


class _Pointer(msgspec.Struct):
    snapshot_id: str


_HELD = msgspec.json.Decoder(_Held)
_POINTER = msgspec.json.Decoder(_Pointer)


@dataclass(frozen=True, slots=True)
class History:
    """All that a table has kept: its snapshots from the oldest, which of them is current, and the runs on disk."""

    snapshots: Sequence[Snapshot] = ()
    current: Snapshot | None = None
    runs: Sequence[Manifest] = field(default=())


def snapshot_id(now_ms: int, before: str | None) -> str:
    """The id of a snapshot that is made at the instant, after the one before it."""
    last = -1 if before is None else int(before.removeprefix("snapshot-"))
    ##= store.lay-out.snapshot-id
    return f"snapshot-{max(now_ms * NS, last + 1):0{limits.STORE_SNAPSHOT_ID_WIDTH_DIGITS}d}"


def run_name(run: Manifest) -> str:
    """A run as a snapshot names it."""
    return f"{run.run_id}/{run.node_id}"


@dataclass(frozen=True, slots=True)
class Reads:
    """What a read takes in: a snapshot, where it begins with one, and runs."""

    snapshot: Snapshot | None
    runs: Sequence[Manifest]


def reads(history: History, reading: Reading, as_of_ms: int | None) -> Reads:
    """What a read under the bound takes in."""
    snapshot = chosen(history, reading, as_of_ms)
    runs = bound_time.visible(left_out(history, snapshot), as_of_ms)
    if reading.replaces and any(declare.begins(run) for run in runs):
        snapshot = None
    return Reads(snapshot, declare.current(reading, runs))


def left_out(history: History, snapshot: Snapshot | None) -> Sequence[Manifest]:
    """The runs that the snapshot has not taken in, in the order of their commits."""
    taken = frozenset(() if snapshot is None else snapshot.runs)
    return sorted((run for run in history.runs if run_name(run) not in taken), key=lambda run: run.commit_seq)


def due(history: History, now_ms: int) -> bool:
    """Whether the table is due for a fold pass."""
    since = left_out(history, history.current)
    if not since:
        return False
    began_ms = since[0].committed_ms if history.current is None else history.current.created_ms
    ##= store.fold.triggers
    return (
        len(since) >= limits.STORE_COMPACTION_RUN_COUNT_RUNS or now_ms - began_ms >= limits.STORE_COMPACTION_INTERVAL_MS
    )


def chosen(history: History, reading: Reading, as_of_ms: int | None) -> Snapshot | None:
    """The snapshot that a read begins with, under its bound; none where the runs themselves have to do."""
    if as_of_ms is None:
        found = history.current
    else:
        _retained(history, reading.table, as_of_ms)
        within = [snapshot for snapshot in history.snapshots if snapshot.created_ms <= as_of_ms]
        found = within[-1] if within else None
    if found is None or (found.key, found.order_by) == (reading.key, reading.order_by):
        return found
    # its rows were chosen by another declaration: where the runs are still there, they are read
    return found if _missing(history, found.runs) else None


def collectable(history: History, now_ms: int, retain_ms: int = limits.STORE_RUN_RETENTION_MS) -> Sequence[Manifest]:
    """The runs that a snapshot took in so long ago that nobody may ask for them any more."""
    ##= store.fold.retention
    old = [snapshot for snapshot in history.snapshots if now_ms - snapshot.created_ms > retain_ms]
    taken = frozenset(name for snapshot in old for name in snapshot.runs)
    return [run for run in history.runs if run_name(run) in taken]


def superseded(history: History, now_ms: int, retain_ms: int = limits.STORE_RUN_RETENTION_MS) -> Sequence[Snapshot]:
    """The snapshots whose successor is so old, and which are not current."""
    pairs = zip(history.snapshots, history.snapshots[1:], strict=False)
    return [old for old, new in pairs if now_ms - new.created_ms > retain_ms and old != history.current]


def markers(history: History) -> Sequence[Manifest]:
    """The newest commit of each pipeline: of the runs on disk, or of those that a snapshot remembers."""
    newest: dict[str, Manifest] = {}
    remembered = () if history.current is None else history.current.markers
    for commit in (*remembered, *history.runs):
        held = newest.get(commit.pipeline_id)
        if held is None or held.commit_seq < commit.commit_seq:
            newest[commit.pipeline_id] = commit
    return [newest[name] for name in sorted(newest)]


def to_json(snapshot: Snapshot) -> bytes:
    """The manifest's file."""
    held: dict[str, object] = {
        "snapshot_id": snapshot.snapshot_id,
        "parent": snapshot.parent,
        "table": snapshot.table,
        "created_at": instant.spell(snapshot.created_ms),
        "includes_runs": list(snapshot.runs),
        "primary_key": list(snapshot.key),
        "order_by": list(snapshot.order_by),
        "row_count": snapshot.row_count,
        "parts": list(snapshot.parts),
        "commit_seq": snapshot.commit_seq,
        "committed_at": instant.spell(snapshot.committed_ms),
        "markers": [json.loads(lay_out.to_json(marker)) for marker in snapshot.markers],
        "fence": None,
    }
    held |= {"replacement_frontier": True} if snapshot.replacement_frontier else {}  ##= store.fold.frontier-kept
    return json.dumps(held, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def from_json(content: bytes, *, path: str) -> Snapshot:
    """The snapshot that a file holds."""
    try:
        held = _HELD.decode(content)
        return Snapshot(
            snapshot_id=held.snapshot_id,
            table=held.table,
            parent=held.parent,
            created_ms=_instant(held.created_at),
            runs=tuple(held.includes_runs),
            key=tuple(held.primary_key),
            order_by=tuple(held.order_by),
            row_count=held.row_count,
            parts=tuple(held.parts),
            commit_seq=held.commit_seq,
            committed_ms=_instant(held.committed_at),
            replacement_frontier=held.replacement_frontier,
            markers=tuple(lay_out.from_json(msgspec.json.encode(marker), path=path) for marker in held.markers),
        )
    except (ValueError, RecursionError) as error:
        raise StoreManifestUnreadable(path=path, reason=f"{type(error).__name__}: {error}") from None


def pointer(snapshot_id: str) -> bytes:
    """The file that says which snapshot is current."""
    return json.dumps({"snapshot_id": snapshot_id, "fence": None}, sort_keys=True).encode() + b"\n"


def pointed(content: bytes, *, path: str) -> str:
    """The snapshot that the file says is current."""
    try:
        return _POINTER.decode(content).snapshot_id
    except ValueError as error:
        raise StoreManifestUnreadable(path=path, reason=f"{type(error).__name__}: {error}") from None


def _retained(history: History, table: str, as_of_ms: int) -> None:
    """See that everything which had been committed by the bound is still there."""
    taken = {name for snapshot in history.snapshots for name in snapshot.runs}
    if not _missing(history, taken):
        return
    whole = [each for each in history.snapshots if not _missing(history, taken.difference(each.runs))]
    if as_of_ms < whole[0].created_ms:
        ##= store.bound-time.as-of-unretained
        raise StoreAsOfUnretained(table=table, as_of=as_of_ms, earliest=whole[0].created_ms)


def _missing(history: History, names: Collection[str]) -> bool:
    standing = {run_name(run) for run in history.runs}
    return any(name not in standing for name in names)


def _instant(text: str) -> int:
    read_ms = instant.read(text)
    if read_ms is None:
        raise ValueError(f"{text!r} is no instant")
    return read_ms
