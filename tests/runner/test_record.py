"""The history of runs whose clocks go back, and as a store told of it at an instant."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.faces import cli
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.kernel import instant
from contextful.runner.engine import Engine
from contextful.testing import SkippingWorld

Captured = pytest.CaptureFixture[str]
SHOP = """
site_id = "here"
project = { name = "shop" }
[[pipeline]]
id = "shop"
source = { name = "file", config = { path = "*.ndjson", format = "ndjson" } }
tables = ["orders"]
"""


def test_a_clock_that_goes_back_puts_a_run_where_it_says_it_began() -> None:
    world, rows = SkippingWorld(), MemoryRows()
    asked = Engine(rows, RowBlobs(rows), world)
    with asked.execution("a", "v1", run_id="first"):
        world.skip(-60_000)
    with asked.execution("b", "v1", run_id="second"):
        pass

    assert [run.run_id for run in asked.window(ceiling=10).runs] == ["first", "second"]


@pytest.mark.clause("run.record.time-travel")
def test_the_command_tells_history_as_of_an_instant(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / MANIFEST).write_text(SHOP)
    (tmp_path / "orders.ndjson").write_text('{"id": 1}\n')
    world = SkippingWorld()
    for run_id in ("r-1", "r-2"):
        with Project.open(tmp_path, world=world) as project:
            project.run("shop", run_id)
        world.skip(86_400_000)
    with Project.open(tmp_path, world=world) as project:
        first = project.engine.run("r-1")
        assert first is not None
    until = first.started_ms + 3_600_000
    asked = ["run", "history", "-p", str(tmp_path), "--as-of"]
    capsys.readouterr()

    assert cli.run([*asked, instant.spell(until)]) == 0
    told = capsys.readouterr().out
    assert cli.run([*asked, instant.spell(until), "--status", "failed"]) == 1

    assert ("r-1" in told, "r-2" in told) == (True, False)
    assert "contextful query" in capsys.readouterr().err
