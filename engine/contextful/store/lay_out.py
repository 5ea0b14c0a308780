"""store.lay-out: where files stand, what they are called, and the one whose creation makes a run's parts readable."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import msgspec

from contextful.kernel import instant
from contextful.kernel.shape import to_json as to_shown
from contextful_contract import limits
from contextful_contract.errors import StoreManifestUnreadable, StoreNodeIdInvalid
from contextful_contract.shapes import DowngradeEvent

MANIFEST = "_manifest.json"
SCHEMA = "schema.json"
RUNS = PurePosixPath("data", "runs")
SNAPSHOTS = PurePosixPath("data", "snapshots")
POINTER = "_pointer.json"
STAGING = ".staging"
SEGMENT = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A run's commit: which parts are readable since when, and the position beside them."""

    run_id: str
    table: str
    node_id: str
    parts: tuple[str, ...]
    committed_ms: int
    commit_seq: int
    pipeline_id: str
    position: str | None  # JSON, the connector's own
    complete: bool = False  # it lands all that there is
    replacement_frontier: bool = False  # and that is nothing
    schema_diff: tuple[DowngradeEvent, ...] = ()


class _Part(msgspec.Struct):
    name: str


class _Held(msgspec.Struct):
    """What a manifest's file holds, as far as it is read."""

    run_id: str
    table: str
    node_id: str
    parts: list[_Part]
    committed_at: str
    commit_seq: int
    pipeline_id: str = ""
    cursor: Any = msgspec.UNSET
    complete: bool = False
    replacement_frontier: bool = False
    schema_diff: list[dict[str, str]] = []


_HELD = msgspec.json.Decoder(_Held)


def root(project: str) -> PurePosixPath:
    """The store of a project, within the project's folder."""
    return PurePosixPath(".contextful", "context", project)


def table_folder(table: str) -> PurePosixPath:
    """A table's folder, within the store."""
    return PurePosixPath("tables", table)


def run_folder(table: str, run_id: str, node_id: str) -> PurePosixPath:
    """A run's own folder, within the store."""
    return table_folder(table) / RUNS / run_id / node_id


def part_name(ordinal: int) -> str:
    """The name of a part, unique in its folder."""
    return f"part-{ordinal:0{limits.STORE_PART_ORDINAL_WIDTH_DIGITS}d}.parquet"  ##= store.lay-out.part-name


def pointer(snapshot_id: str) -> bytes:
    """The file that says which snapshot is current."""
    return json.dumps({"snapshot_id": snapshot_id, "fence": None}).encode() + b"\n"


def is_run_id(text: str) -> bool:
    """Whether the text can name a run's folder."""
    ##= store.lay-out.run-id-shape
    return len(text) <= limits.STORE_RUN_ID_LENGTH_CHARS and _is_segment(text)


def node_id(declared: str | None, *, host: str, store: str) -> str:
    """The node's id: the declared one, or one made from the host and the store's path."""
    if declared is None:
        return f"node-{hashlib.sha256(json.dumps([host, store]).encode()).hexdigest()[:8]}"
    if len(declared) > limits.STORE_NODE_ID_LENGTH_CHARS or not _is_segment(declared):
        raise StoreNodeIdInvalid(node_id=declared)  ##= store.lay-out.node-id-shape
    return declared


def to_json(manifest: Manifest) -> bytes:
    """The manifest's file."""
    held: dict[str, object] = {
        "run_id": manifest.run_id,
        "table": manifest.table,
        "node_id": manifest.node_id,
        "parts": [{"name": name, "key_version": 0} for name in manifest.parts],
        "committed_at": instant.spell(manifest.committed_ms),
        "commit_seq": manifest.commit_seq,
        "pipeline_id": manifest.pipeline_id,
        "fence": None,
    }
    if manifest.position is not None:
        held["cursor"] = json.loads(manifest.position)  ##= run.advance.commit-with-rows
    held |= {mark: True for mark in ("complete", "replacement_frontier") if getattr(manifest, mark)}
    if manifest.schema_diff:
        held["schema_diff"] = [to_shown(event) for event in manifest.schema_diff]  ##= run.record.schema-diff-home
    return json.dumps(held, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def from_json(content: bytes, *, path: str) -> Manifest:
    """The manifest that a file holds; half of one is no run without rows."""
    try:
        held = _HELD.decode(content)
        committed_ms = instant.read(held.committed_at)
        if committed_ms is None:
            raise ValueError("committed_at is no instant")
        for part in held.parts:
            if not _is_segment(part.name):
                raise ValueError(f"{part.name!r} is no name of a part")
        return Manifest(
            run_id=held.run_id,
            table=held.table,
            node_id=held.node_id,
            parts=tuple(part.name for part in held.parts),
            committed_ms=committed_ms,
            commit_seq=held.commit_seq,
            pipeline_id=held.pipeline_id,
            position=None if held.cursor is msgspec.UNSET else position(held.cursor),
            complete=held.complete,
            replacement_frontier=held.replacement_frontier,
            schema_diff=tuple(DowngradeEvent(**event) for event in held.schema_diff),
        )
    except (TypeError, ValueError, RecursionError) as error:
        ##= store.lay-out.manifest-unreadable
        raise StoreManifestUnreadable(path=path, reason=f"{type(error).__name__}: {error}") from None


def position(value: object) -> str:
    """A position as text: equal positions are equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _is_segment(text: str) -> bool:
    return SEGMENT.fullmatch(text) is not None and text not in (".", "..")
