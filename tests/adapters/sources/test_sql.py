"""Queries as a source: ties, floors, and what goes wrong in a database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextful.adapters.sources.sql import Sqlite, SqlRows
from contextful.kernel.failure import Permanent
from contextful.pipeline.pull import Ask, Inventory
from contextful.pipeline.spec import SqlSource

SPEC = SqlSource("shop.db", "SELECT * FROM {table}", clock="at", batch_rows=2)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("CREATE TABLE orders (id INTEGER, at TEXT, content BLOB)")
    rows = [(1, "a", b"x"), (2, "b", None), (3, "b", None), (4, "b", None), (5, "c", None)]
    connection.executemany("INSERT INTO orders VALUES (?, ?, ?)", rows)
    connection.commit()
    yield connection
    connection.close()


def source(folder: Path, **changed: object) -> SqlRows:
    """The query, changed so."""
    spec = SqlSource(**{"database": "shop.db", "query": SPEC.query, "clock": "at", "batch_rows": 2, **changed})  # type: ignore[arg-type]
    return SqlRows(spec, "orders", Sqlite(folder / "shop.db"))


@pytest.mark.usefixtures("database")
def test_a_batch_ends_with_a_clock_value(tmp_path: Path) -> None:
    first = source(tmp_path).pull(Ask(), idempotency_key="key")
    second = source(tmp_path).pull(Ask(first.position), idempotency_key="key")

    assert [row["id"] for row in first.records()] == [1, 2, 3, 4]
    assert (first.position, first.more) == ('{"after":"b"}', True)
    assert ([row["id"] for row in second.records()], second.more) == ([5], False)
    assert first.records()[0]["content"] == "eA=="


@pytest.mark.usefixtures("database")
@pytest.mark.clause("run.advance.inclusive-boundary")
def test_a_poll_begins_with_the_rows_of_its_floor(tmp_path: Path) -> None:
    answer = source(tmp_path, batch_rows=10).pull(Ask(floor="b"), idempotency_key="key")

    assert [row["id"] for row in answer.records()] == [2, 3, 4, 5]


@pytest.mark.usefixtures("database")
@pytest.mark.clause("run.backfill.chunk-plan")
def test_a_chunk_has_the_rows_of_its_window(tmp_path: Path) -> None:
    chunk = source(tmp_path)
    first = chunk.pull(Ask(floor="a", until="c"), idempotency_key="key")
    last = chunk.pull(Ask('{"after":"a"}', "a", "c"), idempotency_key="key")

    assert [row["id"] for row in first.records()] == [1, 2, 3, 4]
    assert ([row["id"] for row in last.records()], first.more, last.more) == ([2, 3, 4], False, False)


@pytest.mark.usefixtures("database")
def test_a_snapshot_is_complete_with_its_last_batch_and_begins_anew_elsewhere(tmp_path: Path) -> None:
    whole = source(tmp_path, clock=None, batch_rows=3)
    first = whole.pull(Ask(), idempotency_key="key")
    last = whole.pull(Ask(first.position), idempotency_key="key")

    assert (first.inventory, last.inventory) == (None, Inventory.COMPLETE)
    assert [len(each.records()) for each in (first, last)] == [3, 2]
    with pytest.raises(Permanent, match="broken off"):
        source(tmp_path, clock=None, batch_rows=3).pull(Ask(first.position), idempotency_key="key")


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"query": "SELECT * FROM nowhere"}, "no such table: nowhere"),
        ({"query": "DELETE FROM orders RETURNING *"}, "syntax error"),
        ({"clock": "nothing", "query": "SELECT id FROM orders"}, "clock"),
    ],
)
def test_a_query_that_cannot_be_read_says_why(tmp_path: Path, changed: dict[str, object], says: str) -> None:
    with pytest.raises(Permanent, match=says):
        source(tmp_path, **changed).pull(Ask(), idempotency_key="key")


def test_a_file_that_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"shop\.db"):
        source(tmp_path).pull(Ask(), idempotency_key="key")

    assert list(tmp_path.iterdir()) == []
