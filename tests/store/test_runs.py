"""The store's table of runs, and the catalog's rows made of it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from contextful.kernel.shape import to_json
from contextful.run.record import Run
from contextful.run.shown import run_row
from contextful.store import runs
from contextful_contract.shapes import BoundHit, FailedBranch, FailureTag, Phase, RunRow, RunStatus

RUN = Run(
    run_id="r-1",
    execution_id="exec-1",
    plan_ref="plan",
    site_id="here",
    status=RunStatus.SUCCESS,
    started_ms=1_000,
    ended_ms=2_000,
    pipeline_id="shop",
    table="shop_orders",
    phase=Phase.COMMIT,
    failed_branches=(FailedBranch(label="left", tag=FailureTag.PERMANENT),),
    bound_hits=(BoundHit(step_label="pull-0", attempt=1, bound="call-deadline"),),
)


@pytest.mark.clause("run.record.rebuild-restores-history")
@pytest.mark.clause("run.retry.bound-hit-recorded")
def test_a_run_made_of_its_row_is_the_run() -> None:
    shown = {field.name: None for field in fields(RunRow)} | to_json(run_row(RUN))
    shown |= {"started_at": RUN.started_ms, "ended_at": RUN.ended_ms}  # as the table is read

    assert runs.run(shown) == RUN
