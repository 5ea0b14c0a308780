"""store.fold: many small runs become one snapshot, whose parts a later one takes over or merges.

A table without a key loses nothing by it: each row keeps its instant, by which bounded reads go on telling it apart.
Of a table with one, a snapshot has the rows that were current then, and the runs stay for as long as bounds may ask.

    parts of the snapshots    [ 3,200 rows ][ 800 rows ][ 100 rows ]
    50 runs more              [ 3,200 rows ][ 800 rows ][ 200 rows ]     a part no larger than what comes is merged
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from contextful.kernel import instant
from contextful.store import bound_time, declare, lay_out
from contextful.store.declare import Reading
from contextful.store.lay_out import Manifest
from contextful_contract import limits
from contextful_contract.errors import StoreAsOfUnretained, StoreManifestUnreadable

NS = 1_000_000  # in a millisecond


class Part(msgspec.Struct, frozen=True):
    """A file of a snapshot, by its place under the snapshots' folder; and its rows."""

    name: str
    rows: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a fold wrote: its parts, the runs that are in them and were still on disk, and up to which commit.

    `markers` are the newest commits of the pipelines that it took in.
    """

    snapshot_id: str
    parent: str | None
    table: str
    created_ms: int
    includes_runs: tuple[str, ...]  # <run id>/<node id>
    parts: tuple[Part, ...]
    commit_seq: int
    committed_ms: int
    key: tuple[str, ...] = ()
    order_by: tuple[str, ...] = ()
    replacement_frontier: bool = False
    markers: tuple[Manifest, ...] = ()


class _Held(msgspec.Struct):
    snapshot_id: str
    table: str
    created_at: str
    includes_runs: list[str]
    parts: list[Part]
    commit_seq: int
    committed_at: str
    parent: str | None = None
    primary_key: list[str] = msgspec.field(default_factory=list)
    order_by: list[str] = msgspec.field(default_factory=list)
    replacement_frontier: bool = False
    markers: list[dict[str, object]] = msgspec.field(default_factory=list)


_HELD = msgspec.json.Decoder(_Held)


@dataclass(frozen=True, slots=True)
class History:
    """All that a table has kept: its snapshots from the oldest, which of them is current, and the runs on disk."""

    snapshots: Sequence[Snapshot] = ()
    current: Snapshot | None = None
    runs: Sequence[Manifest] = ()


def due(run_count: int, *, since_ms: int | None, now_ms: int) -> bool:
    """Whether so many runs since the last pass, which began then, make another one due."""
    ##= store.fold.triggers
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
    ##= store.lay-out.snapshot-id
    after = 0 if before is None else 1 + created_ns(before)
    return f"snapshot-{max(now_ms * NS, after):0{limits.STORE_SNAPSHOT_ID_WIDTH_DIGITS}d}"


def created_ns(snapshot_id: str) -> int:
    """The nanosecond that a snapshot is called by."""
    return int(snapshot_id.removeprefix("snapshot-"))


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


def resolved(reads: Reads) -> str:
    """The state of the table that a read resolved to, which no other has: a snapshot, or one and the commits since."""
    if not reads.runs and reads.snapshot is not None:
        return reads.snapshot.snapshot_id
    return f"commit-{max((run.commit_seq for run in reads.runs), default=0)}"


def left_out(history: History, snapshot: Snapshot | None) -> Sequence[Manifest]:
    """The runs that the snapshot has not taken in, in the order of their commits."""
    taken = frozenset(() if snapshot is None else snapshot.includes_runs)
    return sorted((run for run in history.runs if run_name(run) not in taken), key=lambda run: run.commit_seq)


def pass_due(history: History, now_ms: int) -> bool:
    """Whether the table is due for a fold pass."""
    since = left_out(history, history.current)
    if not since:
        return False
    began_ms = since[0].committed_ms if history.current is None else history.current.created_ms
    return due(len(since), since_ms=began_ms, now_ms=now_ms)


def chosen(history: History, reading: Reading, as_of_ms: int | None) -> Snapshot | None:
    """The snapshot that a read begins with, under its bound; none where the runs themselves have to do."""
    if as_of_ms is None or not (reading.key or reading.replaces):
        found = history.current  # every row is in it, and says since when
    else:
        _retained(history, reading.table, as_of_ms)
        within = [snapshot for snapshot in history.snapshots if snapshot.created_ms <= as_of_ms]
        found = within[-1] if within else None
    same = found is not None and found.key == reading.key and (not reading.key or found.order_by == reading.order_by)
    if found is None or same:
        return found
    # its rows were chosen by another declaration: where the runs are still there, they are read
    return found if _missing(history, found.includes_runs) else None


def collectable(history: History, now_ms: int, retain_ms: int = limits.STORE_RUN_RETENTION_MS) -> Sequence[Manifest]:
    """The runs that a snapshot took in so long ago that nobody may ask for them any more."""
    taken = past(history, now_ms, retain_ms)
    return [run for run in history.runs if run_name(run) in taken]


def past(history: History, now_ms: int, retain_ms: int = limits.STORE_RUN_RETENTION_MS) -> frozenset[str]:
    """The names of those runs, and of the ones that have been collected already.

    What a snapshot took in that the current one does not come after is in no read: another node's was chosen instead.
    """
    ##= store.fold.retention
    old = [snapshot for snapshot in _come_after(history) if now_ms - snapshot.created_ms > retain_ms]
    return frozenset(name for snapshot in old for name in snapshot.includes_runs)


def after(history: History, snapshot_id: str | None) -> bool:
    """Whether the table's current snapshot is this one, or comes after it."""
    return any(each.snapshot_id == snapshot_id for each in _come_after(history))


def line(snapshot: Snapshot, known: Mapping[str, Snapshot]) -> Sequence[Snapshot]:
    """The snapshot and those that it comes after, as far as they are known."""
    found = [snapshot]
    while (parent := known.get(found[-1].parent or "")) is not None and parent not in found:  # ends: each is older
        found.append(parent)
    return found


def superseded(history: History, now_ms: int, retain_ms: int = limits.STORE_RUN_RETENTION_MS) -> Sequence[Snapshot]:
    """The snapshots whose successor is so old, and which are not current."""
    pairs = zip(history.snapshots, history.snapshots[1:], strict=False)
    return [old for old, new in pairs if now_ms - new.created_ms > retain_ms and old != history.current]


def outlived(history: History, snapshot_id: str, now_ms: int, retain_ms: int = limits.STORE_RUN_RETENTION_MS) -> bool:
    """Whether a snapshot has gone, or is about to: its successor is so old, and no snapshot has parts in its folder."""
    named = {
        part.name.partition("/")[0]
        for each in history.snapshots
        for part in each.parts
        if each.snapshot_id != snapshot_id
    }
    later = [each for each in history.snapshots if each.snapshot_id > snapshot_id]
    return snapshot_id not in named and any(now_ms - each.created_ms > retain_ms for each in later)


def markers(history: History) -> Sequence[Manifest]:
    """The newest commit of each pipeline: of the runs on disk, or of those that a snapshot remembers."""
    remembered = () if history.current is None else history.current.markers
    return newest([*remembered, *history.runs])


def newest(commits: Sequence[Manifest]) -> Sequence[Manifest]:
    """Of the commits the newest of each pipeline."""
    found: dict[str, Manifest] = {}
    for commit in commits:
        held = found.get(commit.pipeline_id)
        if held is None or held.commit_seq < commit.commit_seq:
            found[commit.pipeline_id] = commit
    return [found[name] for name in sorted(found)]


def to_json(snapshot: Snapshot) -> bytes:
    """The snapshot's manifest."""
    held: dict[str, object] = {
        "snapshot_id": snapshot.snapshot_id,
        "parent": snapshot.parent,
        "table": snapshot.table,
        "created_at": instant.spell(snapshot.created_ms),
        "includes_runs": list(snapshot.includes_runs),
        "primary_key": list(snapshot.key),
        "order_by": list(snapshot.order_by),
        "row_count": sum(part.rows for part in snapshot.parts),
        "parts": [{"name": part.name, "rows": part.rows} for part in snapshot.parts],
        "fence": None,
        "commit_seq": snapshot.commit_seq,
        "committed_at": instant.spell(snapshot.committed_ms),
        "markers": [json.loads(lay_out.to_json(marker)) for marker in snapshot.markers],
    }
    held |= {"replacement_frontier": True} if snapshot.replacement_frontier else {}  ##= store.fold.frontier-kept
    return json.dumps(held, indent=1, sort_keys=True).encode() + b"\n"


def from_json(content: bytes, *, path: str) -> Snapshot:
    """The snapshot that a manifest holds."""
    try:
        held = _HELD.decode(content)
        created_ms, committed_ms = instant.read(held.created_at), instant.read(held.committed_at)
        if created_ms is None or committed_ms is None:
            raise ValueError("created_at or committed_at is no instant")
        created_ns(held.snapshot_id)
        markers = tuple(lay_out.from_json(msgspec.json.encode(marker), path=path) for marker in held.markers)
    except (ValueError, RecursionError) as error:
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
        tuple(held.primary_key),
        tuple(held.order_by),
        held.replacement_frontier,
        markers,
    )


def _come_after(history: History) -> Sequence[Snapshot]:
    """The current snapshot and those before it."""
    known = {snapshot.snapshot_id: snapshot for snapshot in history.snapshots}
    return () if history.current is None else line(history.current, known)


def _retained(history: History, table: str, as_of_ms: int) -> None:
    """See that everything which had been committed by the bound is still there."""
    snapshots = history.snapshots
    later = [{name for each in snapshots[at:] for name in each.includes_runs} for at in range(len(snapshots) + 1)]
    if not snapshots or (snapshots[0].parent is None and not _missing(history, later[0])):
        return
    whole = [
        each for at, each in enumerate(snapshots) if not _missing(history, later[at + 1].difference(each.includes_runs))
    ]
    if as_of_ms < whole[0].created_ms:
        ##= store.bound-time.as-of-unretained
        raise StoreAsOfUnretained(table=table, as_of=as_of_ms, earliest=whole[0].created_ms)


def _missing(history: History, names: Collection[str]) -> bool:
    standing = {run_name(run) for run in history.runs}
    return any(name not in standing for name in names)
