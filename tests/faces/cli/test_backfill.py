"""`contextful pipeline backfill`, `rewind` and `seed` over a project's folder."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from contextful.faces.cli import run

Captured = pytest.CaptureFixture[str]
MANIFEST = """
site_id = "here"
project = { name = "shop" }

[[pipeline]]
id = "shop"
cursor = "monotonic"
incremental = "at"
source = { name = "sql", config = { database = "shop.db", query = "SELECT * FROM orders" } }
tables = [{ name = "orders", primary_key = "id" }]
backfill = { until = 20, chunk_size = 10 }
seed = { source = { name = "file", config = { path = "dump.ndjson", format = "ndjson" } } }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose database has orders from 0 up to 30."""
    (tmp_path / "contextful.toml").write_text(MANIFEST)
    (tmp_path / "dump.ndjson").write_text('{"id": -1, "at": -1}\n')
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.execute("CREATE TABLE orders (id INTEGER, at INTEGER)")
        database.executemany("INSERT INTO orders VALUES (?, ?)", [(number, number) for number in range(30)])
    return tmp_path


def command(folder: Path, capsys: Captured, *words: str) -> str:
    """What the command prints, which has gone well."""
    assert run([*words, "--project", str(folder)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def landed(folder: Path, capsys: Captured) -> list[int]:
    """The ids that are in the table."""
    answer = command(folder, capsys, "query", "--json", "SELECT id FROM shop_orders ORDER BY id")
    return [int(row[0]) for row in json.loads(answer)["rows"]]


def test_a_backfill_lands_its_windows_and_leaves_the_live_position_alone(folder: Path, capsys: Captured) -> None:
    said = command(folder, capsys, "pipeline", "backfill", "shop")

    assert landed(folder, capsys) == list(range(20))
    assert "orders c-2 [10, 20): run-" in said
    assert "2 of 2 chunks done" in said
    history = json.loads(command(folder, capsys, "run", "history", "--json"))["runs"]
    assert [row["chunk"] for row in history] == ["c-2", "c-1"]
    said = command(folder, capsys, "pipeline", "run", "shop")
    assert "30 rows" in said, "the live pulls begin where they would have begun"


def test_a_window_that_was_rewound_is_read_again(folder: Path, capsys: Captured) -> None:
    command(folder, capsys, "pipeline", "backfill", "shop")

    said = command(folder, capsys, "pipeline", "rewind", "shop", "--window", "[3, 5)", "--reason", "bad rates")
    again = command(folder, capsys, "pipeline", "backfill", "shop", "--json")

    assert said == "orders c-1 [0, 10): pending\n"
    assert [(each["chunk"], each["status"], each["attempts"]) for each in json.loads(again)] == [
        ("c-1", "done", 2),
        ("c-2", "done", 1),
    ]


def test_a_window_that_is_none_and_a_pipeline_without_a_backfill_are_refused(folder: Path, capsys: Captured) -> None:
    refused = run(["pipeline", "rewind", "shop", "--window", "[9, 1)", "--reason", "no", "--project", str(folder)])
    assert (refused, capsys.readouterr().err[:27]) == (1, "PipelineRewindWindowInvalid")

    manifest = folder / "contextful.toml"
    manifest.write_text(MANIFEST.replace("backfill = { until = 20, chunk_size = 10 }", ""))
    assert run(["pipeline", "backfill", "shop", "--project", str(folder)]) == 1
    assert "declares no backfill" in capsys.readouterr().err


@pytest.mark.clause("run.seed.scope")
def test_a_seed_lands_once_beside_the_live_table(folder: Path, capsys: Captured) -> None:
    command(folder, capsys, "pipeline", "seed", "shop")
    command(folder, capsys, "pipeline", "run", "shop")
    assert command(folder, capsys, "pipeline", "seed", "shop") == ""

    assert landed(folder, capsys) == list(range(-1, 30))
