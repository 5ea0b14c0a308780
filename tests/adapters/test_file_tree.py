"""The suites over a tree of files, and its bad days: ended at any operation, without power, on a disk that fails."""

import errno
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from contextful.adapters.file_tree import FileBlobs, FileRows
from contextful.adapters.memory import MemoryRows
from contextful.kernel import digest
from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Row, Select
from contextful.ports.blobs import Blobs
from contextful.ports.rows import Rows
from contextful.testing import Crash
from contextful.testing.conformance import BlobsSuite, RowsSuite
from contextful.testing.conformance.rows import LETTER, SEAL, letter
from tests.adapters.model_disk import ModelDisk

TREE = Path("tree")


class TestFileRows(RowsSuite):
    @pytest.fixture
    def rows(self, tmp_path: Path) -> Iterator[Rows]:
        rows = FileRows(tmp_path / "tree")
        yield rows
        rows.close()


class TestFileBlobs(BlobsSuite):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> Blobs:
        return FileBlobs(tmp_path / "tree")


KEY = {"box": "a", "number": 1}
HISTORY: list[list[Change]] = [
    [Insert(SEAL, {"name": "s", "holder": "ada"}), Insert(LETTER, letter(holder="ada", sent=1))],
    [Insert(LETTER, letter(2, holder="bob", sent=2)), Require(SEAL, {"name": "s"}, {"holder": "ada"})],
    [
        Update(LETTER, KEY, {"sent": 1}, {"sent": 7, "holder": "bob"}),
        Update(SEAL, {"name": "s"}, {}, {"holder": "eve"}),
    ],
    [
        Delete(SEAL, {"name": "s"}),
        Clear(LETTER, {"box": "a"}),
        Insert(LETTER, letter(3, box="b", holder="bob", sent=3)),
    ],
]


def seen(rows: Rows) -> list[Row]:
    """All that a store holds, by key and by index."""
    asked = [
        Select(LETTER, {}, order="box"),
        Select(SEAL, {}, order="name"),
        *(Select(LETTER, {"holder": holder}, order="sent") for holder in ("ada", "bob")),
    ]
    return [row for select in asked for row in rows.select(select)]


def states() -> list[list[Row]]:
    """What is seen after each commit of the history."""
    rows = MemoryRows()
    return [seen(rows), *(seen(rows) for changes in HISTORY if rows.commit(*changes))]


STATES = states()


def live(disk: ModelDisk) -> int:
    """Commit the history; how many commits were answered before the process ended, by a crash or a failure."""
    answered = 0
    with suppress(Crash, StorageFailed):
        rows = FileRows(TREE, tree=disk, log_bytes_max=150)
        for changes in HISTORY:
            assert rows.commit(*changes)
            answered += 1
        rows.close()
    return answered


def operations() -> int:
    """How many operations of the disk the history takes."""
    disk = ModelDisk()
    live(disk)
    return disk.count


def lives() -> Iterator[tuple[ModelDisk, int]]:
    """The history, ended at each operation in turn, with how much of it was answered."""
    for ends_at in range(operations()):
        disk = ModelDisk()
        disk.ends_at = ends_at
        answered = live(disk)
        disk.reborn()
        yield disk, answered


@pytest.mark.clause("run.journal.storage-ports")
def test_a_process_that_ends_at_any_operation_leaves_each_commit_whole_or_undone() -> None:
    for disk, answered in lives():
        assert seen(FileRows(TREE, tree=disk)) in STATES[answered : answered + 2]


@pytest.mark.clause("run.journal.storage-ports")
def test_whoever_has_the_tree_open_finishes_what_another_process_began() -> None:
    for ends_at in range(operations()):
        disk = ModelDisk()
        witness = FileRows(TREE, tree=disk)
        disk.count, disk.ends_at = 0, ends_at
        answered = live(disk)
        disk.reborn()

        found = seen(witness)

        assert found in STATES[answered : answered + 2]
        disk.lose_power(ends_at)
        assert seen(FileRows(TREE, tree=disk)) == found


@pytest.mark.parametrize("opened", ["before", "after"])
def test_others_go_on_from_what_a_process_left(opened: str) -> None:
    for ends_at in range(operations()):
        disk = ModelDisk()
        other = FileRows(TREE, tree=disk) if opened == "before" else None
        disk.count, disk.ends_at = 0, ends_at
        live(disk)
        disk.reborn()
        other = other or FileRows(TREE, tree=disk)

        rest = HISTORY[STATES.index(seen(other)) :]

        assert all(other.commit(*changes) for changes in rest)
        disk.lose_power(ends_at)
        assert seen(FileRows(TREE, tree=disk)) == STATES[-1]


@pytest.mark.clause("run.journal.storage-ports")
@pytest.mark.parametrize("seed", range(8))
def test_a_power_loss_at_any_operation_leaves_each_commit_whole_or_undone(seed: int) -> None:
    for disk, answered in lives():
        disk.lose_power(seed)

        assert seen(FileRows(TREE, tree=disk)) in STATES[answered : answered + 2]


@pytest.mark.clause("run.journal.storage-ports")
@pytest.mark.parametrize("times", [1, 2, 1_000], ids=["once", "twice", "for long"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=errno.errorcode.__getitem__)
def test_a_disk_that_fails_at_any_operation_leaves_each_commit_whole_or_undone(error: int, times: int) -> None:
    for at in range(operations()):
        disk = ModelDisk()
        disk.fails = dict.fromkeys(range(at, at + times), error)
        answered = live(disk)
        disk.reborn()
        disk.lose_power(at)

        assert seen(FileRows(TREE, tree=disk)) in STATES[answered : answered + 2]


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=errno.errorcode.__getitem__)
def test_a_process_goes_on_once_its_disk_works_again(error: int) -> None:
    for at in range(operations()):
        disk = ModelDisk()
        rows = FileRows(TREE, tree=disk, log_bytes_max=150)
        disk.fails = {disk.count + at: error}
        for changes in HISTORY:
            try:
                assert rows.commit(*changes)
            except StorageFailed:
                if seen(rows) == STATES[HISTORY.index(changes)]:
                    assert rows.commit(*changes)

        assert seen(rows) == STATES[-1]
        disk.reborn()
        disk.lose_power(at)
        assert seen(FileRows(TREE, tree=disk)) == STATES[-1]


@pytest.mark.parametrize("at", [0, 1], ids=["log", "sync of the log"])
def test_a_commit_that_cannot_be_kept_is_not_found_later(at: int) -> None:
    disk = ModelDisk()
    rows = FileRows(TREE, tree=disk)
    disk.fails = {disk.count + at: errno.EIO}

    with pytest.raises(StorageFailed, match="tree: the disk says no"):
        rows.commit(*HISTORY[0])

    assert seen(rows) == STATES[0]


@pytest.mark.parametrize("tail", [bytes(64), b"\xff" * 64, b"\x00"], ids=["nought", "ones", "a byte"])
def test_what_a_power_loss_left_at_the_end_of_the_log_is_no_record(tail: bytes) -> None:
    disk = ModelDisk()
    rows = FileRows(TREE, tree=disk)
    rows.commit(*HISTORY[0])
    disk.append("log", tail)

    assert seen(rows) == STATES[1]
    assert all(rows.commit(*changes) for changes in HISTORY[1:])
    disk.lose_power(0)
    assert seen(FileRows(TREE, tree=disk)) == STATES[-1]


@pytest.mark.clause("run.journal.blob-write")
def test_no_part_of_a_blob_outlives_its_writer() -> None:
    content = b"whole" * 100
    sha256 = digest.of_bytes(content)
    whole = ModelDisk()
    FileBlobs(TREE, tree=whole).put(sha256, content, now_ms=1)
    for ends_at in range(whole.count):
        disk = ModelDisk()
        disk.ends_at = ends_at
        with pytest.raises(Crash):
            FileBlobs(TREE, tree=disk).put(sha256, content, now_ms=1)
        disk.reborn()
        disk.lose_power(ends_at)
        blobs = FileBlobs(TREE, tree=disk)

        assert blobs.get(sha256) in (None, content)
        blobs.put(sha256, content, now_ms=2)
        disk.lose_power(ends_at)
        assert (blobs.get(sha256), len(blobs.older_than(3, limit=9))) == (content, 1)


def test_rows_are_files_that_people_can_read(tmp_path: Path) -> None:
    rows = FileRows(tmp_path)
    rows.commit(Insert(LETTER, letter(holder="Ada Ä", content=b"\x00", sent=0)))

    held = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    number, sent = f"{1 + 2**63:x}", f"{2**63:x}"
    assert held[f"tables/letter/rows/a/{number}"] == (
        '{"box":"a","number":1,"holder":"Ada Ä","content":"AA==","sent":0}'.encode()
    )
    assert held[f"tables/letter/by_holder_sent/=41da-20~c3~84/{sent}/a/{number}"] == b""


@pytest.mark.parametrize(
    "content", [b"{", b"\xff", b"[]", b'{"content": 5}'], ids=["half", "no text", "a list", "a number"]
)
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    rows = FileRows(tmp_path)
    rows.commit(Insert(LETTER, letter(1)))
    (path,) = (path for path in tmp_path.glob("tables/letter/rows/*/*") if path.is_file())
    path.write_bytes(content)

    with pytest.raises(StorageFailed, match=rf"{path} holds no row"):
        rows.get(LETTER, ("a", 1))


def test_what_else_stands_in_its_folders_is_left_alone(tmp_path: Path) -> None:
    rows, blobs = FileRows(tmp_path), FileBlobs(tmp_path)
    rows.commit(Insert(LETTER, letter(1)))
    for folder in [path for path in tmp_path.rglob("*") if path.is_dir()] + [tmp_path / "blobs" / "aa"]:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".DS_Store").write_bytes(b"\0")

    assert [row["number"] for row in rows.select(Select(LETTER, {"box": "a"}, limit=9))] == [1]
    assert blobs.older_than(1 << 62, limit=9) == []


def test_a_folder_that_cannot_be_made_is_refused_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")

    with pytest.raises(StorageFailed, match="taken"):
        FileRows(tmp_path / "taken" / "tree")


WRITE = """
import sys
from pathlib import Path
from contextful.adapters.file_tree import FileRows
from contextful.kernel.change import Insert, Update
from contextful.testing.conformance.rows import LETTER, SEAL, TABLES, letter
rows = FileRows(Path(sys.argv[1]))
for number in range(2, 1_000_000):
    seal = Update(SEAL, {"name": "s"}, {"holder": str(number - 1)}, {"holder": str(number)})
    assert rows.commit(Insert(LETTER, letter(number)), seal)
    print(number, flush=True)
"""


@pytest.mark.clause("run.journal.storage-ports")
def test_the_lock_of_a_process_that_was_killed_is_free_and_what_it_answered_stands(tmp_path: Path) -> None:
    rows = FileRows(tmp_path)
    rows.commit(Insert(SEAL, {"name": "s", "holder": "1"}))
    command = [sys.executable, "-c", WRITE, str(tmp_path)]
    environment = {"PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        assert writer.stdout is not None
        for _ in range(50):
            writer.stdout.readline()
        writer.kill()
        last = int(["51", *writer.stdout.read().split()][-1])

    numbers = [row["number"] for row in rows.select(Select(LETTER, {"box": "a"}))]

    assert numbers in ([*range(2, last + 1)], [*range(2, last + 2)])
    assert rows.get(SEAL, ("s",)) == {"name": "s", "holder": str(numbers[-1])}


COUNT = """
import os, sys
from pathlib import Path
from contextful.adapters.file_tree import FileRows
from contextful.kernel.change import Update
from contextful.testing.conformance.rows import LETTER
for _ in range(4):
    if os.fork() == 0:
        rows = FileRows(Path(sys.argv[1]))
        for _ in range(25):
            while True:
                sent = rows.get(LETTER, ("a", 1))["sent"]
                if rows.commit(Update(LETTER, {"box": "a", "number": 1}, {"sent": sent}, {"sent": sent + 1})):
                    break
        os._exit(0)
codes = [os.wait()[1] for _ in range(4)]
sys.exit(any(codes))
"""


@pytest.mark.clause("run.journal.storage-ports")
def test_processes_that_count_together_lose_no_turn(tmp_path: Path) -> None:
    rows = FileRows(tmp_path)
    rows.commit(Insert(LETTER, letter(sent=0)))

    command = [sys.executable, "-c", COUNT, str(tmp_path)]
    subprocess.run(command, env={"PYTHONPATH": ":".join(sys.path)}, check=True)

    assert rows.get(LETTER, ("a", 1)) == letter(sent=100)
