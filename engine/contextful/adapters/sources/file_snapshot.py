"""Files as a snapshot: all of them, from their beginnings, at every poll; or none, where nothing in them has changed.

    d0 --first pull--> d1, so far --pull, pull--> d1, complete --poll, the same bytes--> d1, unchanged

A position is the digest of the files' bytes and the count of their rows; within a walk, how far that has come as well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from contextful.adapters.sources.file import FRESH, PULLS_MAX, FileRecords
from contextful.kernel.failure import Permanent, Transient
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import FileSource
from contextful.store.lay_out import position

JOURNALED = False  # a position names no bytes: a snapshot that a walk was cut off from is read again, whole
CHUNK_BYTES = 1 << 20


class FileSnapshot:
    """One table's files, as they stand."""

    journaled = JOURNALED
    position_addressed = False
    pulls_max = PULLS_MAX
    host = None

    def __init__(self, spec: FileSource, table: str, folder: Path) -> None:
        self._records = FileRecords(spec, table, folder, whole=True)
        self._folder = folder
        self._skips = spec.skip_unchanged

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The next rows of the snapshot, from its beginning where no walk is under way."""
        held = _held(ask.position)
        walk, begun = held.get("walk"), held.get("rows", 0) if "walk" in held else 0
        sha256 = held["sha256"] if walk else self._sha256()
        if walk is None and self._skips and sha256 == held.get("sha256"):
            ##= run.advance.skip-unchanged
            return pull.batch([], position=ask.position, more=False, inventory=Inventory.UNCHANGED)
        answer = self._records.pull(Ask(walk), idempotency_key=idempotency_key)
        digest = {"sha256": sha256, "rows": begun + answer.row_count}
        if answer.more:
            return replace(answer, position=position({**digest, "walk": answer.position}))
        if self._sha256() != sha256:
            raise Transient(f"the files under {self._folder} were changed while they were read: read them again")
        return replace(answer, position=position(digest), inventory=Inventory.COMPLETE)

    def close(self) -> None:
        """Nothing is held open between pulls."""

    def _sha256(self) -> str:
        """The digest of the files' raw bytes, one file after the other."""
        summed = hashlib.sha256()
        try:
            for name in self._records.names():
                with (self._folder / name).open("rb") as file:
                    while chunk := file.read(CHUNK_BYTES):  # ends: with the file
                        summed.update(chunk)
        except OSError as error:
            raise Permanent(f"{error.filename} cannot be read: {error.strerror}") from error
        return summed.hexdigest()


def _held(asked: str | None) -> Mapping[str, Any]:
    """The position as a walk here writes it; an empty one at the beginning."""
    held = {} if asked is None else json.loads(asked)
    if not isinstance(held, dict) or (asked is not None and not {"sha256", "rows"} <= held.keys()):
        raise Permanent(f"the stored position {asked} is none of a snapshot's: {FRESH}")
    return held
