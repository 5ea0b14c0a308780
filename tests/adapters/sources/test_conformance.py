"""Every source passes the suite."""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from contextful.adapters.sources import command, file, file_snapshot, http
from contextful.adapters.sources.command import CommandRows
from contextful.adapters.sources.file import FileRecords
from contextful.adapters.sources.file_snapshot import FileSnapshot
from contextful.adapters.sources.python import PythonPages
from contextful.adapters.sources.sql import Postgres, Sqlite, SqlRows
from contextful.adapters.system import SystemWorld
from contextful.pipeline.spec import CommandSource, FileSource, PythonSource, SqlSource
from contextful.ports.source import Source
from contextful.testing import PagedSource
from contextful.testing.conformance.source import ROWS, Opened, SourceSuite
from contextful.testing.postgres import schema

LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
CSV = "id,at\n" + "".join(f"{row['id']},{row['at']}\n" for row in ROWS)


class TestPagedSource(SourceSuite):
    @pytest.fixture
    def opened(self) -> Opened:
        return lambda: PagedSource([ROWS[:3], ROWS[3:6], ROWS[6:]])


def _written(folder: Path, form: str) -> None:
    match form:
        case "ndjson":
            (folder / "a").write_bytes(LINES)
        case "ndjson.gz":
            (folder / "a.gz").write_bytes(gzip.compress(LINES))
        case "csv":
            (folder / "a").write_text(CSV)
        case "json":
            (folder / "a").write_text(json.dumps(ROWS))
        case "parquet":
            pq.write_table(pa.Table.from_pylist(ROWS), folder / "a", row_group_size=3)


class TestFiles(SourceSuite):
    @pytest.fixture(params=["ndjson", "ndjson.gz", "csv", "json", "parquet"])
    def spec(self, request: pytest.FixtureRequest, tmp_path: Path) -> FileSource:
        _written(tmp_path, request.param)
        return FileSource("a*", request.param.partition(".")[0], batch_rows=2)

    @pytest.fixture(params=[FileRecords, FileSnapshot], ids=["growing", "whole"])
    def opened(self, request: pytest.FixtureRequest, spec: FileSource, tmp_path: Path) -> Opened:
        made: Callable[[FileSource, str, Path], Source] = request.param
        return lambda: made(spec, "orders", tmp_path)


class TestSqlite(SourceSuite):
    @pytest.fixture(params=["at", None], ids=["watermarked", "whole"])
    def opened(self, request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
        path = tmp_path / "shop.db"
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE orders (id INTEGER, at INTEGER)")
            database.executemany("INSERT INTO orders VALUES (:id, :at)", ROWS)
        database.close()
        spec = SqlSource("shop.db", "SELECT id, at FROM {table}", clock=request.param, batch_rows=2)
        return lambda: SqlRows(spec, "orders", Sqlite(path))


@pytest.fixture(scope="module")
def address(postgres_database: str) -> Iterator[str]:
    """A database with the rows."""
    with schema(postgres_database) as address:
        with psycopg.connect(address, autocommit=True) as database, database.cursor() as cursor:
            cursor.execute("CREATE TABLE orders (id int, at int)")
            cursor.executemany("INSERT INTO orders VALUES (%(id)s, %(at)s)", ROWS)
        yield address


class TestPostgres(SourceSuite):
    @pytest.fixture(params=["at", None], ids=["watermarked", "whole"])
    def opened(self, request: pytest.FixtureRequest, address: str) -> Iterator[Opened]:
        spec = SqlSource("env:SHOP", "SELECT id, at FROM {table}", clock=request.param, batch_rows=2)
        made: list[SqlRows] = []

        def open_() -> Source:
            made.append(SqlRows(spec, "orders", Postgres(address)))
            return made[-1]

        yield open_
        for source in made:
            source.close()


PROGRAM = """
import json
import sys

asked = json.loads(sys.stdin.readline())
begins = asked["position"] or 0
rows = [{"id": number, "at": number} for number in range(1, 8)][begins:begins + 3]
print(json.dumps({"rows": rows, "cursor": begins + len(rows), "more": begins + 3 < 7}))
"""


class TestCommand(SourceSuite):
    @pytest.fixture
    def opened(self, tmp_path: Path) -> Opened:
        (tmp_path / "rows.py").write_text(PROGRAM)
        spec = CommandSource((sys.executable, str(tmp_path / "rows.py")))
        return lambda: CommandRows(spec, "orders", tmp_path, SystemWorld())


FUNCTION = """
import contextful

ROWS = [{"id": number, "at": number} for number in range(1, 8)]


@contextful.source()
def orders(asked):
    begins = asked.position or 0
    rows = ROWS[begins:begins + 3]
    return contextful.Page(rows, begins + len(rows), more=begins + 3 < len(ROWS))


@contextful.source()
def nothing(asked):
    return asked.table


def plain(asked):
    return None
"""


class TestPython(SourceSuite):
    @pytest.fixture
    def opened(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
        (tmp_path / "shop_of_rows.py").write_text(FUNCTION)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "shop_of_rows", raising=False)
        return lambda: PythonPages(PythonSource("shop_of_rows:orders"), "orders", tmp_path)


@pytest.mark.clause("run.journal.opt-out")
@pytest.mark.parametrize(
    ("declared", "journaled"),
    [
        (file.JOURNALED, FileRecords.journaled),
        (file_snapshot.JOURNALED, FileSnapshot.journaled),
        (http.JOURNALED, http.HttpPages.journaled),
        (command.JOURNALED, CommandRows.journaled),
    ],
)
def test_what_a_source_declares_of_its_record_is_one_constant(declared: bool, journaled: bool) -> None:
    assert declared is journaled
