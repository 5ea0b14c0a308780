"""An operator gives up pending work."""

from __future__ import annotations

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import (
    ExecutionPinMismatch,
    ExecutionRewindNotPending,
    ExecutionRewindPlanCurrent,
    ExecutionRewindUnsafe,
)
from contextful.kernel.table import Select
from contextful.run.journal import journal
from contextful.testing import SkippingWorld

LEASE_LAPSED_MS = 31_000


class Pending:
    """Recorded work of plan-a under index-42, whose attempt is gone."""

    def __init__(self) -> None:
        self.rows = MemoryRows()
        self.world = SkippingWorld()
        self.engine = contextful.Engine(self.rows, RowBlobs(self.rows), self.world)
        self.opened_ms = self.world.now_ms()
        run = self.engine.execution("index-42", "plan-a", run_id="run-a")
        run.step("fetch", lambda: "page")
        run.drop()
        self.execution_id = run.execution_id
        self.world.skip(LEASE_LAPSED_MS)

    def ask_for_another_plan(self) -> None:
        """An open under plan-b, which is refused."""
        with pytest.raises(ExecutionPinMismatch):
            self.engine.execution("index-42", "plan-b")


@pytest.fixture
def work() -> Pending:
    return Pending()


@pytest.mark.clause("run.own.rewind")
def test_a_rewound_scope_draws_a_fresh_execution_under_the_new_plan(work: Pending) -> None:
    work.ask_for_another_plan()

    work.engine.rewind(work.execution_id, reason="new model")

    assert work.rows.select(Select(journal.ENTRY, {"execution_id": work.execution_id})) == []
    with work.engine.execution("index-42", "plan-b") as fresh:
        assert fresh.execution_id != work.execution_id


@pytest.mark.clause("run.own.rewind-record")
def test_a_rewind_leaves_a_canceled_row_started_at_the_owner_s_open(work: Pending) -> None:
    work.ask_for_another_plan()

    work.engine.rewind(work.execution_id, reason="new model")

    (row,) = (run for run in work.engine.history() if run.status == "canceled")
    assert (row.execution_id, row.plan_ref, row.reason) == (work.execution_id, "plan-a", "new model")
    assert (row.started_ms, row.host_scope) == (work.opened_ms, "index-42")


@pytest.mark.clause("run.own.rewind-plan-current")
def test_work_that_its_next_fire_would_resume_is_kept_unless_forced(work: Pending) -> None:
    with pytest.raises(ExecutionRewindPlanCurrent) as refusal:
        work.engine.rewind(work.execution_id, reason="tidy up")

    assert refusal.value.plan_ref == "plan-a"
    work.engine.rewind(work.execution_id, reason="tidy up", force=True)
    assert work.engine.pending("index-42") is None


@pytest.mark.clause("run.own.rewind-not-pending")
def test_an_execution_that_nobody_holds_is_not_rewound(work: Pending) -> None:
    with pytest.raises(ExecutionRewindNotPending):
        work.engine.rewind("exec-0", reason="tidy up")


@pytest.mark.clause("run.own.rewind-unsafe")
def test_a_live_attempt_is_never_rewound(work: Pending) -> None:
    work.engine.execution("index-42", "plan-a", run_id="run-b")

    with pytest.raises(ExecutionRewindUnsafe) as refusal:
        work.engine.rewind(work.execution_id, reason="tidy up", force=True)

    assert refusal.value.blocker == "the live attempt run-b"


@pytest.mark.clause("run.own.rewind-unsafe")
def test_a_waiting_attempt_is_never_rewound(work: Pending) -> None:
    def throttled() -> None:
        raise contextful.RateLimited("later", retry_after_ms=900_000)

    with pytest.raises(contextful.Suspended), work.engine.execution("index-42", "plan-a", run_id="run-b") as run:
        run.step("send", throttled)

    with pytest.raises(ExecutionRewindUnsafe) as refusal:
        work.engine.rewind(work.execution_id, reason="tidy up", force=True)

    assert refusal.value.blocker == "the waiting attempt run-b"
