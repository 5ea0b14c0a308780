"""Table runs over a clock column: the boundary, the frontier, and where a walk ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contextful.errors import (
    CursorFieldMismatch,
)
from contextful.pipeline import compile
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import TableSpec
from contextful.run import advance
from contextful.testing import PagedSource
from contextful_contract.shapes import RunStatus
from tests.runner.places import (
    CLOCKED,
    MONOTONIC,
    Place,
)

(KEYED,) = compile.tables(replace(MONOTONIC, tables=(TableSpec("orders", primary_key=("id",)),)))


@pytest.mark.clause("run.advance.inclusive-boundary")
@pytest.mark.parametrize(("plan", "count"), [(KEYED, 3), (CLOCKED, 4)], ids=["keyed", "keyless"])
def test_the_boundary_lands_again_and_a_key_absorbs_it(place: Place, plan: TablePlan, count: int) -> None:
    rows = [{"id": clock, "at": clock} for clock in (1, 2, 3)]
    place.land(PagedSource([rows]), "r-1", plan=plan)

    second = PagedSource([rows])
    place.land(second, "r-2", plan=plan, pid=2)

    assert second.floors == [3]
    assert place.cursor().position == advance.watermark("at", 3)
    assert place.select("SELECT count(*) FROM shop_orders", plan) == [(count,)]


@pytest.mark.clause("run.advance.frontier")
def test_an_older_window_takes_no_position_back(place: Place) -> None:
    place.land(PagedSource([[{"id": 1, "at": "2026-03-02T00:00:00Z"}]]), "r-1", plan=CLOCKED)

    place.land(PagedSource([[{"id": 2, "at": "2026-03-01T00:00:00Z"}]]), "r-2", plan=CLOCKED, pid=2)

    assert place.cursor().position == advance.watermark("at", "2026-03-02T00:00:00Z")
    assert place.select("SELECT id FROM shop_orders") == [(1,)]


@pytest.mark.clause("run.advance.field-rename")
def test_another_clock_field_is_refused_before_any_request(place: Place) -> None:
    place.land(PagedSource([[{"id": 1, "at": 1}]]), "r-1", plan=CLOCKED)
    source = PagedSource([[{"id": 1, "at": 1, "updated": 1}]])
    (renamed,) = compile.tables(replace(MONOTONIC, incremental="updated"))

    with pytest.raises(CursorFieldMismatch) as refusal:
        place.land(source, "r-2", plan=renamed, pid=2)

    assert vars(refusal.value) == {"stored": "at", "declared": "updated"}
    assert source.asked == []
    assert place.run_row("r-2").status is RunStatus.FAILED


@pytest.mark.clause("run.advance.walk-position")
def test_a_monotonic_walk_that_stands_still_ends_and_commits_its_frontier(place: Place) -> None:
    class Still(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            return replace(answer, position=ask.position, more=True) if answer.row_count == 0 else answer

    place.land(Still([[{"id": 1, "at": 7}], []]), "r-1", plan=CLOCKED)

    assert place.cursor().position == advance.watermark("at", 7)
