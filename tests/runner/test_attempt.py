"""Attempts at pending work: who is turned away, who takes over, and what the superseded may do no more."""

from __future__ import annotations

import pytest

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import CancelTargetNotInFlight, ExecutionPinMismatch, StepFailed
from contextful.kernel.table import Select
from contextful.ports.rows import Rows
from contextful.run import record
from contextful.run.journal import journal
from contextful.testing import Crash, SkippingWorld
from tests.runner.attempts import LEASE_LAPSED_MS, Counted, row


@pytest.mark.clause("run.own.execution-owner")
@pytest.mark.clause("run.own.execution-id-keys-the-journal")
def test_attempts_at_pending_work_share_its_execution(engine: contextful.Engine) -> None:
    effect = Counted()
    first = engine.execution("index-42", "plan-a")
    first.step("fetch", effect)
    with pytest.raises(KeyError), first:
        raise KeyError

    with engine.execution("index-42", "plan-a") as second:
        second.step("fetch", effect)

    assert second.execution_id == first.execution_id
    assert second.run_id != first.run_id
    assert effect.count == 1


@pytest.mark.clause("run.own.retirement")
@pytest.mark.clause("run.journal.collection")
def test_success_retires_the_owner_and_its_journal_together(engine: contextful.Engine, rows: Rows) -> None:
    with engine.execution("index-42", "plan-a") as run:
        run.step("fetch", Counted())

    assert engine.pending("index-42") is None
    assert rows.select(Select(journal.ENTRY, {"execution_id": run.execution_id})) == []
    with engine.execution("index-42", "plan-a") as fresh:
        assert fresh.execution_id != run.execution_id


@pytest.mark.clause("run.own.pin-release")
def test_a_failure_that_recorded_nothing_releases_the_owner(engine: contextful.Engine) -> None:
    with pytest.raises(StepFailed), engine.execution("index-42", "plan-a") as run:
        run.step("fetch", Counted(failures=9))

    assert engine.pending("index-42") is None


@pytest.mark.clause("run.own.pin-release")
def test_a_failure_after_recorded_work_holds_the_owner(engine: contextful.Engine) -> None:
    def fails_later() -> None:
        with engine.execution("index-42", "plan-a") as run:
            run.step("fetch", Counted())
            raise KeyError("later")

    with pytest.raises(KeyError):
        fails_later()

    assert engine.pending("index-42") is not None


@pytest.mark.clause("run.own.pinned-plan-changed")
def test_another_plan_is_refused_while_work_is_pending(engine: contextful.Engine) -> None:
    engine.execution("index-42", "plan-a", identities={"model": "m1"}, run_id="run-a").drop()

    with pytest.raises(ExecutionPinMismatch) as refusal:
        engine.execution("index-42", "plan-a", identities={"model": "m2"}, run_id="run-b")

    assert refusal.value.recorded == {"plan_ref": "plan-a", "model": "m1"}
    assert refusal.value.requested == {"plan_ref": "plan-a", "model": "m2"}
    assert "is pending on host scope index-42 with model m1, and this fire brings model m2." in str(refusal.value)
    turned_away = row(engine, "run-b")
    assert (turned_away.status, turned_away.error_kind) == ("failed", "Permanent")


@pytest.mark.clause("run.own.live-owner")
def test_a_scope_with_a_live_attempt_turns_others_away(engine: contextful.Engine) -> None:
    first = engine.execution("index-42", "plan-a", run_id="job-a")

    with pytest.raises(contextful.Transient, match="attempt job-a holds host scope index-42"):
        engine.execution("index-42", "plan-a", run_id="job-b")

    turned_away = row(engine, "job-b")
    owner = engine.pending("index-42")
    assert (turned_away.status, turned_away.error_kind) == ("failed", "Transient")
    assert owner is not None
    assert owner.attempts == (first.run_id,)


@pytest.mark.clause("run.own.unclosed-execution")
def test_a_dropped_handle_records_no_status_and_is_resumed_once_its_lease_lapses(
    engine: contextful.Engine, world: SkippingWorld
) -> None:
    effect = Counted()
    dropped = engine.execution("index-42", "plan-a")
    dropped.step("one", effect)
    dropped.step("two", effect)
    dropped.drop()
    left = row(engine, dropped.run_id)
    world.skip(LEASE_LAPSED_MS)

    with engine.execution("index-42", "plan-a") as resumed:
        resumed.step("one", effect)
        resumed.step("two", effect)

    assert left.status == "running"
    assert effect.count == 2


@pytest.mark.clause("run.own.scope-independence")
def test_finishing_one_scope_leaves_another_s_work_alone(engine: contextful.Engine) -> None:
    held = engine.execution("index-1", "plan-a")
    held.step("fetch", Counted())

    with engine.execution("index-2", "plan-a") as run:
        run.step("fetch", Counted())

    assert engine.pending("index-1") is not None
    assert held.step("fetch", Counted(value="another")) == "ok"


@pytest.mark.clause("run.own.host-scope")
def test_a_host_owner_pins_its_plan_and_identities(engine: contextful.Engine) -> None:
    run = engine.execution("index-42", "plan-a", identities={"model": "m1"})

    owner = engine.pending("index-42")

    assert owner is not None
    assert (owner.pins.plan_ref, owner.pins.identities) == ("plan-a", {"model": "m1"})
    assert owner.execution_id == run.execution_id


class Superseded:
    """A paused attempt whose lease lapsed, and the attempt that took over."""

    def __init__(self, engine: contextful.Engine, world: SkippingWorld) -> None:
        self.old = engine.execution("index-42", "plan-a", run_id="old")
        world.skip(LEASE_LAPSED_MS)
        self.new = engine.execution("index-42", "plan-a", run_id="new")


@pytest.mark.clause("run.journal.current-owner")
def test_a_superseded_attempt_runs_no_effect(engine: contextful.Engine, world: SkippingWorld) -> None:
    effect = Counted()
    attempts = Superseded(engine, world)

    with pytest.raises(contextful.Stopped, match="attempt old no longer owns host scope index-42"):
        attempts.old.step("fetch", effect)

    assert effect.count == 0
    assert attempts.new.step("fetch", effect) == "ok"


@pytest.mark.clause("run.journal.current-owner")
def test_a_superseded_attempt_records_nothing(engine: contextful.Engine, world: SkippingWorld) -> None:
    old = engine.execution("index-42", "plan-a", run_id="old")

    def paused() -> str:
        world.skip(LEASE_LAPSED_MS)
        engine.execution("index-42", "plan-a", run_id="new").step("fetch", lambda: "new")
        return "old"

    with pytest.raises(contextful.Stopped):
        old.step("fetch", paused)

    owner = engine.pending("index-42")
    assert owner is not None
    assert owner.attempts == ("old", "new")


def test_a_superseded_attempt_cannot_close(engine: contextful.Engine, world: SkippingWorld) -> None:
    attempts = Superseded(engine, world)

    with pytest.raises(contextful.Stopped), attempts.old:
        pass

    assert engine.pending("index-42") is not None
    assert row(engine, "new").status == "running"


@pytest.mark.clause("run.record.taken-over")
def test_a_takeover_closes_the_attempt_whose_lease_lapsed(engine: contextful.Engine, world: SkippingWorld) -> None:
    Superseded(engine, world)

    assert (row(engine, "old").status, row(engine, "old").lease) == ("partial_failure", None)


@pytest.mark.clause("run.journal.claim-takeover", "run.record.taken-over")
def test_a_superseded_attempt_that_is_alive_holds_no_claim_from_its_successor(rows: Rows, world: SkippingWorld) -> None:
    old = contextful.Engine(rows, RowBlobs(rows), world)
    kept: list[bool] = []

    def paused() -> str:
        world.skip(LEASE_LAPSED_MS)
        run = contextful.Engine(rows, RowBlobs(rows), world).execution("index-42", "plan-a", run_id="new")
        kept.append(rows.commit(record.renewed("old", str(holder), world.now_ms())))  # as the keeper of `old` would
        assert run.step("fetch", lambda: "new") == "new"
        return "old"

    run = old.execution("index-42", "plan-a", run_id="old")
    process = row(old, "old").process
    holder = None if process is None else process.holder

    with pytest.raises(contextful.Stopped):
        run.step("fetch", paused)

    assert kept == [False]


def test_an_attempt_that_was_reaped_closes_no_more_and_holds_its_work(
    engine: contextful.Engine, world: SkippingWorld
) -> None:
    run = engine.execution("index-42", "plan-a", run_id="slept")
    run.step("fetch", Counted())
    world.skip(LEASE_LAPSED_MS)
    engine.reap()

    with pytest.raises(contextful.Stopped, match="attempt slept was closed as lost"), run:
        pass

    assert row(engine, "slept").status == "partial_failure"
    assert engine.execution("index-42", "plan-a").execution_id == run.execution_id


AHEAD_MS = 86_400_000


@pytest.mark.clause("run.record.owner-lease")
@pytest.mark.parametrize("notices", ["an open", "a startup"])
def test_a_lease_from_a_clock_that_was_ahead_holds_its_scope_no_longer_than_a_lease_lasts(
    engine: contextful.Engine, world: SkippingWorld, notices: str
) -> None:
    world.skip(AHEAD_MS)
    engine.execution("index-42", "plan-a", run_id="ahead").drop()
    world.skip(-AHEAD_MS)

    if notices == "a startup":
        engine.reap()
    else:
        with pytest.raises(contextful.Transient, match="until 2026-03-01T00:00:30Z"):
            engine.execution("index-42", "plan-a")
    world.skip(LEASE_LAPSED_MS)

    engine.execution("index-42", "plan-a", run_id="next")
    assert row(engine, "ahead").status == "partial_failure"


@pytest.mark.clause("run.retry.resume-at")
@pytest.mark.parametrize(
    ("failure", "waited_ms"),
    [
        (contextful.Transient("busy"), 100),
        (contextful.RateLimited("busy", retry_after_ms=200), AHEAD_MS + 200 - LEASE_LAPSED_MS),
    ],
    ids=["computed", "asked for by a server"],
)
def test_a_computed_wait_from_a_clock_that_was_ahead_is_no_longer_than_its_schedule_makes_one(
    engine: contextful.Engine, world: SkippingWorld, failure: Exception, waited_ms: int
) -> None:
    failing = [failure]
    schedule = contextful.Schedule(max_delay_ms=100, jitter_ms=0)

    def effect() -> int:
        if failing:
            raise failing.pop()
        return world.now_ms()

    def die() -> None:
        raise Crash

    world.skip(AHEAD_MS)
    world.dies_after(0, die)
    run = engine.execution("index-42", "plan-a", run_id="ahead")
    with pytest.raises(Crash):
        run.step("fetch", effect, retry=schedule)
    run.drop()
    world.skip(-AHEAD_MS)
    engine.reap()
    world.skip(LEASE_LAPSED_MS)
    resumed_ms = world.now_ms()

    try:
        with engine.execution("index-42", "plan-a") as resumed:
            at_ms = resumed.step("fetch", effect, retry=schedule)
    except contextful.Suspended as waits:
        at_ms = waits.until_ms

    assert at_ms - resumed_ms == waited_ms


@pytest.mark.clause("run.record.taken-over")
def test_an_attempt_that_waited_says_which_one_went_on(engine: contextful.Engine, world: SkippingWorld) -> None:
    with pytest.raises(contextful.Suspended), engine.execution("index-42", "plan-a", run_id="run-a") as run:
        run.wait("approve")

    engine.execution("index-42", "plan-a", run_id="run-b")

    waited = row(engine, "run-a")
    assert (waited.status, waited.ended_ms, waited.next_attempt_ms) == ("waiting", world.now_ms(), None)
    assert waited.reason == "run run-b goes on with it"
    with pytest.raises(CancelTargetNotInFlight):
        engine.stop("run-a")
