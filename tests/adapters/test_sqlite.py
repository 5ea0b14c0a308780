"""The suites over SQLite, and what only a file can do."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextful.adapters import row_blobs
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.kernel.change import Insert, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Select, Table
from contextful.ports.blobs import Blobs
from contextful.ports.rows import Rows
from contextful.testing.conformance import BlobsSuite, RowsSuite
from contextful.testing.conformance.rows import LETTER, TABLES, letter


class TestSqliteRows(RowsSuite):
    @pytest.fixture
    def rows(self, tmp_path: Path) -> Iterator[Rows]:
        rows = SqliteRows(tmp_path / "machine.sqlite", TABLES)
        yield rows
        rows.close()


class TestSqliteBlobs(BlobsSuite):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> Iterator[Blobs]:
        rows = SqliteRows(tmp_path / "machine.sqlite", row_blobs.TABLES)
        yield RowBlobs(rows)
        rows.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "machine.sqlite"


@pytest.mark.clause("run.journal.sqlite-stores")
def test_the_file_is_in_write_ahead_log_mode(path: Path) -> None:
    SqliteRows(path, TABLES).close()

    connection = sqlite3.connect(path)
    mode = connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()

    assert mode == ("wal",)


def test_reopening_finds_what_was_committed(path: Path) -> None:
    first = SqliteRows(path, TABLES)
    first.commit(Insert(LETTER, letter(holder="ada")), survives=Survives.PROCESS)
    first.close()

    second = SqliteRows(path, TABLES)

    assert second.get(LETTER, ("a", 1)) == letter(holder="ada")
    second.close()


def test_a_file_from_before_a_column_was_added_gets_it(path: Path) -> None:
    columns = {name: kind for name, kind in LETTER.columns.items() if name != "sent"}
    older = Table(LETTER.name, LETTER.key, columns)
    first = SqliteRows(path, [older])
    first.commit(Insert(older, {"box": "a", "number": 1, "holder": "ada"}))
    first.close()

    rows = SqliteRows(path, TABLES)

    assert rows.get(LETTER, ("a", 1)) == letter(holder="ada")
    rows.close()


@pytest.mark.clause("run.journal.sqlite-write-lock")
def test_a_writer_waits_for_another_connection_instead_of_failing(path: Path) -> None:
    rows = SqliteRows(path, TABLES)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO letter (box, number, holder) VALUES ('a', 1, 'other')")
    applied: list[bool] = []
    writer = threading.Thread(target=lambda: applied.append(rows.commit(Insert(LETTER, letter(holder="ours")))))

    writer.start()
    writer.join(timeout=0.2)
    waited = writer.is_alive()
    other.execute("COMMIT")
    writer.join()

    assert waited
    assert applied == [False]
    assert rows.get(LETTER, ("a", 1)) == letter(holder="other")
    other.close()
    rows.close()


COUNT = """
import sys
from pathlib import Path
from contextful.adapters.sqlite import SqliteRows
from contextful.kernel.change import Update
from contextful.testing.conformance.rows import LETTER, TABLES
rows = SqliteRows(Path(sys.argv[1]), TABLES)
key = {"box": "a", "number": 1}
for _ in range(int(sys.argv[2])):
    while True:
        sent = rows.get(LETTER, ("a", 1))["sent"]
        if rows.commit(Update(LETTER, key, {"sent": sent}, {"sent": sent + 1})):
            break
"""


@pytest.mark.clause("run.journal.sqlite-write-lock")
def test_processes_that_count_together_lose_no_turn(path: Path) -> None:
    rows = SqliteRows(path, TABLES)
    rows.commit(Insert(LETTER, letter(sent=0)))
    command = [sys.executable, "-c", COUNT, str(path), "25"]

    counters = [subprocess.Popen(command, env={"PYTHONPATH": ":".join(sys.path)}) for _ in range(4)]
    codes = [counter.wait() for counter in counters]

    assert codes == [0, 0, 0, 0]
    assert rows.get(LETTER, ("a", 1)) == letter(sent=100)
    rows.close()


def test_a_commit_that_finds_no_row_leaves_the_group_whole(path: Path) -> None:
    rows = SqliteRows(path, TABLES)
    start = threading.Barrier(2)
    applied: dict[str, bool] = {}

    def commit(name: str, *changes: Insert | Update) -> None:
        start.wait()
        applied[name] = rows.commit(*changes)

    missing = Update(LETTER, {"box": "a", "number": 99}, {}, {"sent": 1})
    threads = [
        threading.Thread(target=commit, args=("good", Insert(LETTER, letter(1)))),
        threading.Thread(target=commit, args=("bad", Insert(LETTER, letter(2)), missing)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert applied == {"good": True, "bad": False}
    assert rows.get(LETTER, ("a", 2)) is None
    rows.close()


@pytest.mark.parametrize("content", [b"not a database, and long enough to be told from one" * 4], ids=["garbage"])
def test_a_file_of_something_else_is_refused_by_its_path(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(StorageFailed, match=r"machine\.sqlite"):
        SqliteRows(path, TABLES)


def test_a_folder_that_is_missing_is_refused_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="nowhere"):
        SqliteRows(tmp_path / "nowhere" / "machine.sqlite", TABLES)


def test_after_a_sync_that_failed_nothing_more_is_written(path: Path) -> None:
    failing: list[bool] = []

    def sync(log: int) -> None:
        if failing:
            failing.clear()
            raise OSError("the disk is gone")

    rows = SqliteRows(path, TABLES, sync=sync)
    failing.append(True)

    with pytest.raises(StorageFailed, match="the disk is gone"):
        rows.commit(Insert(LETTER, letter(1)))
    with pytest.raises(StorageFailed, match="the disk is gone"):
        rows.commit(Insert(LETTER, letter(2)))

    assert rows.get(LETTER, ("a", 2)) is None
    rows.close()


def test_closing_twice_closes_nobody_else_s_file(path: Path, tmp_path: Path) -> None:
    rows = SqliteRows(path, TABLES)
    rows.close()

    with (tmp_path / "another").open("wb", buffering=0) as another:
        rows.close()
        another.write(b"still open")

    assert (tmp_path / "another").read_bytes() == b"still open"


@pytest.mark.parametrize("unbindable", [{"sent": 1 << 70}, {"holder": "\ud800"}], ids=["wide", "surrogate"])
def test_what_cannot_be_bound_fails_its_own_commit_alone(path: Path, unbindable: dict[str, int | str]) -> None:
    rows = SqliteRows(path, TABLES)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    outcomes: dict[int, object] = {}

    def commit(number: int, *more: Update, **values: int | str) -> None:
        try:
            outcomes[number] = rows.commit(Insert(LETTER, letter(number, **values)), *more)
        except StorageFailed as error:
            outcomes[number] = str(error)

    touch = Update(LETTER, {"box": "a", "number": 3}, {}, {"sent": 1})
    threads = [
        threading.Thread(target=commit, args=(1,)),
        threading.Thread(target=commit, args=(2,), kwargs=unbindable),
        threading.Thread(target=commit, args=(3, touch)),
        threading.Thread(target=commit, args=(4, Update(LETTER, {"box": "a", "number": 4}, {}, unbindable))),
    ]
    for thread in threads:
        thread.start()
    while len(rows._commits._waiting) < 3:  # ends: the first waits for the file, and the others for the first
        pass
    other.execute("COMMIT")
    for thread in threads:
        thread.join()

    assert (outcomes[1], outcomes[3]) == (True, True)
    assert all("cannot hold what it was given" in str(outcomes[number]) for number in (2, 4))
    assert [row["number"] for row in rows.select(Select(LETTER, {"box": "a"}))] == [1, 3]
    other.close()
    rows.close()


def test_a_read_of_what_cannot_be_bound_is_refused_by_the_path(path: Path) -> None:
    rows = SqliteRows(path, TABLES)

    with pytest.raises(StorageFailed, match=r"machine\.sqlite"):
        rows.get(LETTER, ("a", 1 << 70))
    rows.close()


def test_closed_rows_refuse_by_their_path(path: Path) -> None:
    rows = SqliteRows(path, TABLES)
    rows.close()

    for ask in (lambda: rows.get(LETTER, ("a", 1)), lambda: rows.commit(Insert(LETTER, letter()))):
        with pytest.raises(StorageFailed, match=r"machine\.sqlite is closed"):
            ask()


@pytest.mark.parametrize("lost", ["", "-wal"], ids=["the file", "its log"])
@pytest.mark.parametrize("by", ["deleted", "moved", "replaced"])
def test_nothing_is_kept_in_a_file_that_is_there_no_more(path: Path, lost: str, by: str) -> None:
    rows = SqliteRows(path, TABLES)
    gone = Path(f"{path}{lost}")
    if by == "deleted":
        gone.unlink()
    else:
        gone.rename(path.with_name("elsewhere"))
    if by == "replaced":
        gone.touch()

    with pytest.raises(StorageFailed, match="cannot be written"):
        rows.commit(Insert(LETTER, letter(holder="ada")))

    rows.close()


def test_a_file_is_the_same_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = SqliteRows(Path("machine.sqlite"), TABLES)
    monkeypatch.chdir("/")

    assert rows.commit(Insert(LETTER, letter(holder="ada")))

    rows.close()
