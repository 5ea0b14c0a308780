"""Pages of history: filtered, in an order that new runs leave as it is, and bounded whatever lies behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.faces import cli
from contextful.faces.stores import STATE, TABLES
from contextful.kernel.failure import Failed
from contextful.ports.rows import Rows
from contextful.run import record
from contextful.run.history import Filters, filters
from contextful.run.record import Process, Run
from contextful.runner.engine import Engine
from contextful.testing import SkippingWorld
from contextful_contract.shapes import RunStatus

Captured = pytest.CaptureFixture[str]
TOGETHER = 500


def recorded(rows: Rows, count: int, *, at_ms: int | None = None, first: int = 0, **fields: str) -> None:
    """That many runs, each a second after the one before, or all at one instant."""
    changes = []
    for number in range(first, first + count):
        started = number * 1_000 if at_ms is None else at_ms
        run = Run(f"r-{number:06d}", "exec", "plan", "here", RunStatus.SUCCESS, started, **fields)  # type: ignore[arg-type]
        changes.append(record.opened(run, Process(1, "boot", "holder"), started))
    for start in range(0, count, TOGETHER):
        assert rows.commit(*changes[start : start + TOGETHER])


def engine(rows: Rows) -> Engine:
    return Engine(rows, RowBlobs(rows), SkippingWorld())


def turned(rows: Rows, ceiling: int, new: list[int]) -> list[str]:
    """All pages, one after the other, while a run begins between any two."""
    found: list[str] = []
    after: Run | None = None
    while True:  # ends: with the runs
        page = engine(rows).window(ceiling=ceiling, filters=Filters(after=after))
        found += [run.run_id for run in page.runs]
        if not page.truncated:
            return found
        after = page.runs[-1]
        recorded(rows, 1, first=new.pop(0))


@pytest.mark.parametrize("at_ms", [None, 5_000], ids=["a second apart", "all at one instant"])
@pytest.mark.clause("run.record.history-window")
def test_pages_neither_miss_nor_repeat_a_run_while_others_begin(tmp_path: Path, at_ms: int | None) -> None:
    rows = SqliteRows(tmp_path / "engine.db", TABLES)
    recorded(rows, 23, at_ms=at_ms)

    found = turned(rows, 5, [900_000, 900_001, 900_002, 900_003, 900_004])

    assert found == [f"r-{number:06d}" for number in reversed(range(23))]
    rows.close()


@pytest.mark.clause("run.record.history-window")
def test_of_a_hundred_thousand_runs_no_more_are_read_than_are_told(tmp_path: Path) -> None:
    class Counting(MemoryRows):
        limits: list[int] = []  # noqa: RUF012 (of the one that there is)

        def select(self, select):  # type: ignore[no-untyped-def]
            self.limits.append(select.limit)
            return super().select(select)

    rows = Counting()

    engine(rows).window(ceiling=50, pipeline="shop", since_ms=0)

    assert rows.limits == [51]


def test_a_filter_tells_the_runs_that_stand_so(tmp_path: Path) -> None:
    rows = MemoryRows()
    recorded(rows, 3)
    asked = engine(rows)

    running = asked.window(ceiling=10, filters=filters("running"))
    failed = asked.window(ceiling=10, filters=filters(error="Permanent"))
    before = asked.window(ceiling=10, filters=Filters(before_ms=1_000))

    assert [len(page.runs) for page in (running, failed, before)] == [3, 0, 1]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"status": "done"}, "'done' is no status: it is one of pending, running"),
        ({"error": "Oops"}, "'Oops' is no error: it is one of Transient"),
        ({"status": "failed", "error": "Permanent"}, "ask for a status or for an error"),
    ],
)
def test_a_filter_that_is_none_is_refused(given: dict[str, str], says: str) -> None:
    with pytest.raises(Failed, match=says):
        filters(**given)


def test_a_clock_that_goes_back_puts_a_run_where_it_says_it_began() -> None:
    world, rows = SkippingWorld(), MemoryRows()
    asked = Engine(rows, RowBlobs(rows), world)
    with asked.execution("a", "v1", run_id="first"):
        world.skip(-60_000)
    with asked.execution("b", "v1", run_id="second"):
        pass

    assert [run.run_id for run in asked.window(ceiling=10).runs] == ["first", "second"]
    assert asked.window(ceiling=10).runs[0].ended_ms is not None


def test_the_command_pages_filters_and_shows_steps(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / STATE).parent.mkdir()
    rows = SqliteRows(tmp_path / STATE, TABLES)
    recorded(rows, 4)
    rows.close()

    assert cli.run(["run", "history", "-p", str(tmp_path), "--limit", "2", "--status", "partial_failure"]) == 0
    first = capsys.readouterr()
    assert cli.run(["run", "history", "-p", str(tmp_path), "--after", "r-000002", "--json"]) == 0
    second = capsys.readouterr().out
    assert cli.run(["run", "steps", "r-000001", "-p", str(tmp_path), "--json"]) == 0

    assert "--after r-000002 those that came before" in first.err
    assert [f"r-00000{number}" in second for number in range(4)] == [True, True, False, False]
    assert capsys.readouterr().out == "[]\n"
