"""store.merge: a push that came second puts its own entries into the manifest that came first.

standing --ours--> committed        standing --another was faster--> read again --ours--> committed, 5 attempts in all
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from contextful.kernel import instant
from contextful.store import fold
from contextful.store.fold import Snapshot
from contextful.store.push import BucketManifest, Entry, Pointer, Tombstone

TOMBSTONE_MS = 30 * 86_400_000


@dataclass(frozen=True, slots=True)
class Ours:
    """What a push changes in the manifest: entries that it has put, pointers, and objects of its own that are gone."""

    entries: Mapping[str, Entry]
    pointers: Mapping[str, Pointer] = field(default_factory=dict)
    gone: Collection[str] = ()


def rebased(standing: BucketManifest, ours: Ours, node_id: str, now_ms: int) -> BucketManifest:
    """The manifest with our changes in it, and all that other nodes have put there."""
    gone = {
        key: Tombstone(node_id, instant.spell(now_ms))
        for key in ours.gone
        if key in standing.entries and standing.entries[key].owner == node_id
    }
    kept = {key: entry for key, entry in standing.entries.items() if key not in gone}
    since_ms = now_ms - TOMBSTONE_MS
    remembered = {key: each for key, each in standing.tombstones.items() if _later(each, since_ms)}
    return BucketManifest(
        generation=standing.generation + 1,
        entries={**kept, **ours.entries},  ##= store.merge.rebase
        tombstones={**remembered, **gone},
        pointers={**standing.pointers, **ours.pointers},
    )


def current(
    ours: Snapshot | None, theirs: Snapshot | None, known: Mapping[str, Snapshot], runs: Collection[str]
) -> str:
    """Which of two nodes' snapshots of a table is current: the one that comes after the other.

    Where they were folded apart, it is theirs, for what ours has taken in is on disk as runs; and ours where some of
    that is not any more. `known` are all snapshots by id, `runs` what is on disk.
    """
    assert ours is not None or theirs is not None, "one of them stands"
    if ours is None or theirs is None:
        found = ours or theirs
        assert found is not None
        return found.snapshot_id
    if _descends(ours, theirs.snapshot_id, known):
        return ours.snapshot_id
    if _descends(theirs, ours.snapshot_id, known):
        return theirs.snapshot_id
    lost = set(ours.includes_runs).difference(runs, *(each.includes_runs for each in fold.line(theirs, known)))
    return ours.snapshot_id if lost else theirs.snapshot_id


def _descends(snapshot: Snapshot, ancestor: str, known: Mapping[str, Snapshot]) -> bool:
    return any(ancestor in (each.snapshot_id, each.parent) for each in fold.line(snapshot, known))


def _later(tombstone: Tombstone, since_ms: int) -> bool:
    at_ms = instant.read(tombstone.deleted_at)
    return at_ms is not None and at_ms >= since_ms
