"""Files read whole: what a walk says of the snapshot, and what the next one makes of it."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from contextful.adapters.sources.file_snapshot import FileSnapshot
from contextful.kernel.failure import Permanent, Transient
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import FileSource
from contextful.store.lay_out import position

A, B = b'{"id": 1}\n{"id": 2}\n', b'{"id": 3}'
BOTH = position({"sha256": hashlib.sha256(A + B).hexdigest(), "rows": 3})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").write_bytes(A)
    (tmp_path / "b").write_bytes(B)
    return tmp_path


def source(folder: Path, *, rows: int = 2, skips: bool = False) -> FileSnapshot:
    """The files of the folder, so many rows a batch."""
    return FileSnapshot(FileSource("*", "ndjson", rows, whole=True, skip_unchanged=skips), "orders", folder)


def walked(snapshot: FileSnapshot, asked: str | None = None) -> list[Batch]:
    """The answers of a walk."""
    answers: list[Batch] = []
    while not answers or answers[-1].more:  # ends: with the files
        answers.append(snapshot.pull(Ask(answers[-1].position if answers else asked), idempotency_key="key"))
    return answers


@pytest.mark.clause("run.advance.snapshot-completion")
def test_a_walk_is_complete_at_its_end_alone(folder: Path) -> None:
    first, last = walked(source(folder))

    assert [first.records(), last.records()] == [[{"id": 1}, {"id": 2}], [{"id": 3}]]
    assert (first.inventory, last.inventory) == (None, Inventory.COMPLETE)
    assert last.position == BOTH


@pytest.mark.clause("run.advance.skip-unchanged")
def test_the_same_bytes_are_read_again_unless_they_are_to_be_skipped(folder: Path) -> None:
    (again,) = walked(source(folder, rows=9), BOTH)
    (skipped,) = walked(source(folder, skips=True), BOTH)

    assert (again.row_count, again.position, again.inventory) == (3, BOTH, Inventory.COMPLETE)
    assert (skipped.row_count, skipped.position, skipped.inventory) == (0, BOTH, Inventory.UNCHANGED)


def test_other_bytes_are_read(folder: Path) -> None:
    (folder / "b").write_bytes(b'{"id": 4}')

    (answer,) = walked(source(folder, rows=9, skips=True), BOTH)

    assert answer.records()[-1] == {"id": 4}


@pytest.mark.clause("run.advance.zero-row-commit")
def test_empty_files_are_a_complete_inventory_of_nothing(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / name).write_bytes(b"")

    (answer,) = walked(source(folder))

    assert (answer.row_count, answer.inventory) == (0, Inventory.COMPLETE)
    assert json.loads(str(answer.position))["rows"] == 0


def test_files_that_change_while_they_are_read_are_no_snapshot(folder: Path) -> None:
    snapshot = source(folder)
    first = snapshot.pull(Ask(None), idempotency_key="key")
    (folder / "b").write_bytes(b'{"id": 4}')

    with pytest.raises(Transient, match="changed while they were read"):
        snapshot.pull(Ask(first.position), idempotency_key="key")


def test_a_packed_file_counts_by_the_bytes_on_the_disk(folder: Path) -> None:
    packed = gzip.compress(b'{"id": 9}\n')
    (folder / "a").unlink()
    (folder / "b").unlink()
    (folder / "c.gz").write_bytes(packed)

    (answer,) = walked(source(folder))

    assert answer.records() == [{"id": 9}]
    assert json.loads(str(answer.position))["sha256"] == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize("asked", ['{"files":{}}', "[]", '"d"'])
def test_a_position_of_another_kind_is_refused(folder: Path, asked: str) -> None:
    with pytest.raises(Permanent, match="none of a snapshot's"):
        walked(source(folder), asked)


def test_no_file_is_no_inventory(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="there is no file"):
        walked(source(tmp_path))
