"""History before its bad days: many runs at one instant, a clock that goes back, pages while others open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.failure import Failed
from contextful.run import history
from contextful.testing import SkippingWorld
from contextful_contract.shapes import FailureTag, RunStatus


class Desk:
    """An engine in memory, and the world that it lives in."""

    def __init__(self) -> None:
        rows = MemoryRows()
        self.world = SkippingWorld()
        self.engine = contextful.Engine(rows, RowBlobs(rows), self.world)

    def run(self, run_id: str, error: Exception | None = None) -> None:
        """A run that ends at once, with an error or without."""
        try:
            with self.engine.execution(f"scope-{run_id}", "plan", run_id=run_id):
                if error is not None:
                    raise error
        except contextful.Permanent:
            pass

    def pages(self, ceiling: int) -> Iterator[list[str]]:
        """The run ids of each page, up to the last."""
        before = None
        for _ in range(20):
            page = self.engine.window(ceiling=ceiling, before=before)
            yield [run.run_id for run in page.runs]
            if not page.truncated:
                return
            before = history.place(page.runs[-1])


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.clause("run.record.history-window")
def test_pages_repeat_and_miss_nothing_where_many_runs_opened_at_one_instant(desk: Desk) -> None:
    for number in range(7):
        desk.run(f"r-{number}")

    assert list(desk.pages(2)) == [["r-6", "r-5"], ["r-4", "r-3"], ["r-2", "r-1"], ["r-0"]]


@pytest.mark.clause("run.record.history-window")
def test_runs_that_open_meanwhile_move_nothing_on_the_pages_behind(desk: Desk) -> None:
    for number in range(4):
        desk.world.skip(1_000)
        desk.run(f"r-{number}")
    pages = desk.pages(2)
    first = next(pages)
    desk.world.skip(1_000)
    desk.run("r-9")

    assert [first, *pages] == [["r-3", "r-2"], ["r-1", "r-0"]]


def test_a_run_that_opened_after_the_clock_went_back_stands_where_its_start_says(desk: Desk) -> None:
    desk.world.skip(60_000)
    desk.run("r-1")
    desk.world.skip(-30_000)
    desk.run("r-2")

    assert list(desk.pages(1)) == [["r-1"], ["r-2"]]


def test_runs_are_found_by_status_and_by_kind_of_error(desk: Desk) -> None:
    desk.run("r-1")
    desk.run("r-2", contextful.Permanent("no luck"))

    failed = desk.engine.window(ceiling=5, status=RunStatus.FAILED).runs
    permanent = desk.engine.window(ceiling=5, error=FailureTag.PERMANENT).runs

    assert [run.run_id for run in failed] == [run.run_id for run in permanent] == ["r-2"]
    assert list(desk.engine.window(ceiling=5, error=FailureTag.TRANSIENT).runs) == []


def test_a_question_by_status_and_by_error_at_once_is_refused(desk: Desk) -> None:
    with pytest.raises(Failed, match="by status or by error"):
        desk.engine.window(ceiling=5, status=RunStatus.FAILED, error=FailureTag.PERMANENT)


@pytest.mark.clause("run.record.error-cap")
def test_fifty_megabytes_of_hostile_text_are_masked_and_cut_before_they_are_kept(desk: Desk) -> None:
    desk.run("r-1", contextful.Permanent("\x1b[31m<script>sk_live_4242</script>" + "x" * 50_000_000))

    (run,) = desk.engine.history()

    assert run.error_message is not None
    assert len(run.error_message.encode()) <= 2_048
    assert "sk_live_4242" not in run.error_message


def test_steps_are_told_with_their_sizes_and_without_their_values(desk: Desk) -> None:
    def body(run: contextful.Execution) -> None:
        run.step("fetch", lambda: "page")
        run.step("charge", _refused)

    with pytest.raises(contextful.Suspended), desk.engine.execution("orders", "plan", run_id="r-1") as run:
        body(run)

    told = desk.engine.steps(run.execution_id)

    assert [(step.label, step.state, step.content_bytes, step.error_kind) for step in told] == [
        ("charge", "pending", None, FailureTag.RATE_LIMITED),
        ("fetch", "recorded", 6, None),
    ]
    assert told[0].not_before_ms == desk.world.now_ms() + 900_000


def _refused() -> None:
    raise contextful.RateLimited("later", retry_after_ms=900_000)


@pytest.mark.parametrize("name", ["\0", "\ud800"], ids=["NUL", "half a pair"])
def test_a_name_that_no_store_can_hold_is_the_name_of_nothing(tmp_path: Path, name: str) -> None:
    with contextful.Engine.open(tmp_path) as engine:
        assert engine.run(name) is None
        assert list(engine.window(ceiling=1, pipeline=name).runs) == []
