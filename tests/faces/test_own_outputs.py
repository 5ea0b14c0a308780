"""Jobs that read what they land."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from contextful.faces.profile import Project
from contextful.kernel.failure import Failed
from contextful.runner.bodies import Bodies
from contextful.runner.row import Row
from contextful.testing import SkippingWorld

COUNTS = """
site_id = "here"

[project]
name = "shop"

[[job]]
name = "count"
body = "count"
max_in_flight = 1
statement = "SELECT coalesce(max(number), 0) AS last FROM count_numbers"
tables = [{ name = "numbers", available_time = "at" }]
"""
SWEEP = 'sweep = { start = "2026-01-01T00:00:00Z", end = "2026-01-03T00:00:00Z", step = "1d", state = "carried" }\n'
TYPES = {"numbers": {"number": "int64"}}


def counting(outputs: Mapping[str, Mapping[str, str]]) -> Bodies:
    """A body that emits the number after the last."""
    bodies = Bodies()

    @bodies.register("count", outputs=outputs, implementation="1")
    def count(row: Row) -> None:
        row.emit("numbers", {"number": row["last"] + 1, "at": row.origin or "2026-01-01T00:00:00Z"})

    return bodies


@pytest.mark.clause("run.sweep.carried-state")
@pytest.mark.parametrize(("sweep", "numbers"), [("", [1]), (SWEEP, [1, 2, 3])], ids=["fire", "sweep"])
def test_what_a_job_lands_is_empty_before_it_has(tmp_path: Path, sweep: str, numbers: list[int]) -> None:
    (tmp_path / "contextful.toml").write_text(COUNTS + sweep)

    with Project.open(tmp_path, world=SkippingWorld()) as project:
        project.fire("count", bodies=counting(TYPES))
        landed = project.query("SELECT number FROM count_numbers ORDER BY number")

    assert [number for (number,) in landed.rows] == numbers


@pytest.mark.parametrize("sweep", ["", SWEEP], ids=["fire", "sweep"])
def test_a_table_of_unknown_columns_is_refused_with_what_to_write_and_leaves_nothing_pending(
    tmp_path: Path, sweep: str
) -> None:
    (tmp_path / "contextful.toml").write_text(COUNTS + sweep)

    with Project.open(tmp_path, world=SkippingWorld()) as project:
        with pytest.raises(Failed, match="declare the `columns` of its table numbers, or register its body with `outp"):
            project.fire("count", bodies=counting({}))
        pending = project.engine.pending("count")
        project.fire("count", bodies=counting(TYPES))

    assert pending is None


def test_a_type_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "contextful.toml").write_text(COUNTS)

    with Project.open(tmp_path, world=SkippingWorld()) as project, pytest.raises(Failed, match="'whole number'; types"):
        project.fire("count", bodies=counting({"numbers": {"number": "whole number"}}))
