"""store.push: what a node has committed goes to the bucket, and counts once the bucket's manifest lists it.

    parts, ledgers --> schemas --> manifests of runs and snapshots --> run states --> manifest.json, if it is as it was

A file that is written once has its own key. One that is written again, a schema say, has a key for each content, so
that a push which dies has changed nothing that a manifest lists.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import PurePosixPath

import msgspec

from contextful.kernel import instant
from contextful.store import fold, lay_out, ledger
from contextful.store.fold import History
from contextful.store.lay_out import Manifest
from contextful_contract.errors import StoreManifestUnreadable

MANIFEST = "manifest.json"
STATE = "run-state.json"
NODES = "nodes"
FORMAT = 1
VERSION_CHARS = 16


class Kind(IntEnum):
    """What a file of a store is, in the order in which files are written: what is named comes before what names it."""

    PART = 0
    LEDGER = 1
    SCHEMA = 2
    COMMIT = 3  # a run's manifest, or a snapshot's
    STATE = 4


class Entry(msgspec.Struct, frozen=True):
    """An object: its digest, its size, and the node that put it."""

    sha256: str
    size: int
    owner: str


class Pointer(msgspec.Struct, frozen=True):
    """The snapshot of a table that is current in the bucket."""

    snapshot_id: str
    fence: int | None = None


class Tombstone(msgspec.Struct, frozen=True):
    """An object that its own node has collected."""

    owner: str
    deleted_at: str


class _Held(msgspec.Struct):
    format: int
    generation: int
    entries: dict[str, Entry]
    tombstones: dict[str, Tombstone] = {}
    pointers: dict[str, Pointer] = {}


_HELD = msgspec.json.Decoder(_Held)


@dataclass(frozen=True, slots=True)
class BucketManifest:
    """What is in a bucket, by key: `<project>/<path in the store>`."""

    generation: int = 0
    entries: Mapping[str, Entry] = field(default_factory=dict)
    tombstones: Mapping[str, Tombstone] = field(default_factory=dict)
    pointers: Mapping[str, Pointer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunState:
    """What a node says of its runs: when each pipeline started last, and the newest commit of each in each table."""

    started: Mapping[str, tuple[str, int]] = field(default_factory=dict)  # by pipeline, the run's id and its instant
    cursors: Sequence[Manifest] = ()


def kind(path: str) -> Kind | None:
    """What the file is at this path in a store; none for what is no part of it that others may have."""
    parts = PurePosixPath(path).parts
    name = parts[-1]
    if parts[0] == NODES:
        return Kind.STATE if len(parts) == 3 and name == STATE else None
    if parts[0] != "tables" or len(parts) < 3:
        return None
    if parts[2:] == (lay_out.SCHEMA,):
        return Kind.SCHEMA
    if parts[2] == ledger.FOLDER and len(parts) == 4 and name.endswith(".parquet"):
        return Kind.LEDGER
    if parts[2:4] not in (lay_out.RUNS.parts, lay_out.SNAPSHOTS.parts) or len(parts) > 7:
        return None
    if name == lay_out.MANIFEST:
        return Kind.COMMIT
    return Kind.PART if name.endswith(".parquet") else None


def sent(paths: Collection[str]) -> Sequence[str]:
    """Which of the files of a store a push sends: those that a commit names, and what stands beside commits."""
    stand = frozenset(paths)
    carried = [path for path in paths if kind(path) not in (None, Kind.STATE)]  ##= store.push.left-behind
    return ordered([path for path in carried if kind(path) is not Kind.PART or _manifest(path) in stand])


def ours(path: str, listed: Entry | None, node_id: str) -> bool:
    """Whether this node says what the file holds. A schema is everybody's."""
    return listed is None or listed.owner == node_id or kind(path) is Kind.SCHEMA


def rewritten(path: str) -> bool:
    """Whether the file is written more than once."""
    return kind(path) in (Kind.LEDGER, Kind.SCHEMA, Kind.STATE)


def table(path: str) -> str | None:
    """The table that the file is of."""
    parts = PurePosixPath(path).parts
    return parts[1] if parts[0] == "tables" else None


def run(path: str) -> tuple[str, str] | None:
    """The run and the node of a file in a run's folder."""
    parts = PurePosixPath(path).parts
    inside = len(parts) == 7 and parts[2:4] == lay_out.RUNS.parts
    return (parts[4], parts[5]) if inside else None


def snapshot(path: str) -> str | None:
    """The snapshot of a file in a snapshot's folder."""
    parts = PurePosixPath(path).parts
    return parts[4] if len(parts) == 6 and parts[2:4] == lay_out.SNAPSHOTS.parts else None


def past(path: str, history: History, now_ms: int) -> bool:
    """Whether the file is of a run or a snapshot of the table that nobody may ask for any more."""
    of_run, of_snapshot = run(path), snapshot(path)
    if of_run is not None:
        return "/".join(of_run) in fold.past(history, now_ms)
    return of_snapshot is not None and fold.outlived(history, of_snapshot, now_ms)


def ordered(paths: Sequence[str]) -> Sequence[str]:
    """The paths in the order in which they are written."""
    return sorted(paths, key=lambda path: (kind(path) or Kind.PART, path))


def object_key(key: str, entry: Entry) -> str:
    """Where the object of an entry stands."""
    path = key.partition("/")[2]
    return f"{key}@{entry.sha256[:VERSION_CHARS]}" if rewritten(path) else key  ##= store.push.rewritten


def of_project(manifest: BucketManifest, project: str) -> Mapping[str, Entry]:
    """The entries of a project, by the path in its store."""
    opening = f"{project}/"
    return {
        key.removeprefix(opening): entry
        for key, entry in manifest.entries.items()
        if key.startswith(opening) and kind(key.removeprefix(opening)) is not None
    }


def pointed(pointers: Mapping[str, Pointer], project: str) -> Mapping[str, str]:
    """The snapshots that are current in the bucket, by table of the project."""
    opening, ending = f"{project}/tables/", f"/{lay_out.POINTER}"
    return {
        key.removeprefix(opening).removesuffix(ending): pointer.snapshot_id
        for key, pointer in pointers.items()
        if key.startswith(opening) and key.endswith(ending)
    }


def state_path(node_id: str) -> str:
    """Where a node's run state stands in a store."""
    return f"{NODES}/{node_id}/{STATE}"


def to_json(manifest: BucketManifest) -> bytes:
    """The bucket's manifest as it stands there."""
    held = _Held(
        FORMAT,
        manifest.generation,
        dict(sorted(manifest.entries.items())),
        dict(sorted(manifest.tombstones.items())),
        dict(sorted(manifest.pointers.items())),
    )
    return msgspec.json.format(msgspec.json.encode(held), indent=1) + b"\n"


def from_json(content: bytes) -> BucketManifest:
    """The bucket's manifest that the object holds."""
    try:
        held = _HELD.decode(content)
        if held.format != FORMAT:
            raise ValueError(f"its format is {held.format}, and {FORMAT} can be read")
        for key in held.entries:
            if PurePosixPath(key).is_absolute() or not _plain(key):
                raise ValueError(f"{key!r} is no key of a store's file")
    except (ValueError, RecursionError) as error:
        raise StoreManifestUnreadable(path=MANIFEST, reason=f"{type(error).__name__}: {error}") from None
    return BucketManifest(held.generation, held.entries, held.tombstones, held.pointers)


def state_to_json(state: RunState) -> bytes:
    """A node's run state."""
    runs = {
        pipeline: {"run_id": run_id, "started_at": instant.spell(at_ms)}
        for pipeline, (run_id, at_ms) in sorted(state.started.items())
    }
    cursors = [json.loads(lay_out.to_json(cursor)) for cursor in state.cursors]  ##= store.push.run-state
    return json.dumps({"format": FORMAT, "runs": runs, "cursors": cursors}, indent=1, sort_keys=True).encode() + b"\n"


def state_from_json(content: bytes, *, path: str) -> RunState:
    """The run state that a file holds."""
    try:
        held = json.loads(content)
        started = {
            str(pipeline): (str(each["run_id"]), _instant_ms(each["started_at"]))
            for pipeline, each in held["runs"].items()
        }
        cursors = [lay_out.from_json(json.dumps(each).encode(), path=path) for each in held["cursors"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreManifestUnreadable(path=path, reason=f"{type(error).__name__}: {error}") from None
    return RunState(started, cursors)


def _instant_ms(text: str) -> int:
    read = instant.read(text)
    if read is None:
        raise ValueError(f"{text!r} is no instant")
    return read


def _manifest(path: str) -> str:
    """The manifest that names a part."""
    return str(PurePosixPath(path).with_name(lay_out.MANIFEST))


def _plain(key: str) -> bool:
    return all(part not in ("", ".", "..") for part in key.split("/"))
