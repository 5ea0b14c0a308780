"""Steps and attempts, as a body meets them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import CancelTargetNotInFlight, ExecutionPinMismatch, StepFailed
from contextful.kernel.table import Select
from contextful.ports.rows import Rows
from contextful.run import record
from contextful.run.journal import journal
from contextful.run.record import Run
from contextful.testing import Crash, SkippingWorld

LEASE_LAPSED_MS = 31_000


@dataclass
class Counted:
    """An effect that counts, and that fails the first few times it is asked to."""

    value: object = "ok"
    failures: int = 0
    count: int = 0

    def __call__(self, *_: object) -> object:
        self.count += 1
        if self.count <= self.failures:
            raise ValueError(f"failure {self.count}")
        return self.value


def row(engine: contextful.Engine, run_id: str) -> Run:
    """The run's row, which stands."""
    run = engine.run(run_id)
    assert run is not None
    return run


@pytest.fixture
def rows() -> Rows:
    return MemoryRows()


@pytest.fixture
def world() -> SkippingWorld:
    return SkippingWorld()


@pytest.fixture
def engine(rows: Rows, world: SkippingWorld) -> contextful.Engine:
    return contextful.Engine(rows, RowBlobs(rows), world)


@pytest.fixture
def run(engine: contextful.Engine) -> Iterator[contextful.Execution]:
    with engine.execution("index-42", "plan-a") as run:
        yield run


def test_the_first_caller_gets_what_a_replay_gets(run: contextful.Execution) -> None:
    live = {"page": [1, 2]}

    first = run.step("fetch", lambda: live)
    live["page"].append(3)
    second = run.step("fetch", lambda: live)

    assert first is not live
    assert first == second == {"page": [1, 2]}


def test_another_input_is_another_step(run: contextful.Execution) -> None:
    effect = Counted()

    run.step("fetch", effect, 1)
    run.step("fetch", effect, 2)
    run.step("fetch", effect, 1)

    assert effect.count == 2


def test_an_input_of_its_own_identifies_the_step(run: contextful.Execution) -> None:
    effect = Counted()

    run.step("fetch", effect, object(), input="page 1")
    run.step("fetch", effect, object(), input="page 1")

    assert effect.count == 1


def test_an_argument_that_cannot_be_recorded_is_refused_before_the_effect(run: contextful.Execution) -> None:
    effect = Counted()

    with pytest.raises(StepFailed) as refusal:
        run.step("fetch", effect, {"client": object()})

    assert (refusal.value.label, refusal.value.tag) == ("fetch", contextful.FailureTag.PERMANENT)
    assert "input[0][0]['client']" in refusal.value.message
    assert effect.count == 0


def test_an_async_effect_is_run_to_its_end(run: contextful.Execution) -> None:
    async def fetch(page: int) -> tuple[int, str]:
        await asyncio.sleep(0)
        return page, contextful.idempotency_key()

    page, key = run.step("fetch", fetch, 7)

    assert (page, len(key)) == (7, 32)


def test_a_step_inside_a_running_loop_is_refused(run: contextful.Execution) -> None:
    async def body() -> None:
        run.step("fetch", Counted())

    with pytest.raises(RuntimeError, match=r"asyncio\.to_thread"):
        asyncio.run(body())


@pytest.mark.parametrize(
    "label", ["", "a" * 257, "line\nbreak", "\ud800"], ids=["empty", "long", "control", "surrogate"]
)
def test_a_label_that_cannot_be_shown_is_refused(run: contextful.Execution, label: str) -> None:
    with pytest.raises(ValueError, match="label"):
        run.step(label, Counted())


def test_a_member_of_an_enumeration_of_texts_is_a_label(run: contextful.Execution) -> None:
    key = run.step(contextful.FailureTag.CONFIG, contextful.idempotency_key)

    assert key == run.step("Config", Counted())


@pytest.mark.parametrize("label", [None, 7, b"fetch"])
def test_a_label_that_is_no_text_is_refused(run: contextful.Execution, label: Any) -> None:
    with pytest.raises(ValueError, match="label"):
        run.step(label, Counted())


def test_an_idempotency_key_belongs_to_an_effect() -> None:
    with pytest.raises(RuntimeError, match="inside the step's effect"):
        contextful.idempotency_key()


@pytest.mark.clause("run.retry.failure-let-go")
def test_what_cannot_be_recorded_is_refused_and_its_effect_is_not_run_again(
    engine: contextful.Engine, world: SkippingWorld
) -> None:
    effect = Counted(value={"rows": [1, {2: object()}]})

    def attempt() -> str:
        with pytest.raises(StepFailed) as refusal, engine.execution("index-42", "plan-a") as run:
            run.step("fetch", effect)
        return refusal.value.message

    first, second = attempt(), attempt()

    assert "value['rows'][1][2] is a builtins.object" in first
    assert first == second
    assert effect.count == 1


@pytest.mark.clause("run.retry.failure-let-go")
def test_a_failure_that_the_body_catches_is_its_answer_for_ever(
    engine: contextful.Engine, world: SkippingWorld
) -> None:
    effect = Counted(failures=1)

    def attempt() -> str:
        run = engine.execution("index-42", "plan-a")
        try:
            run.step("fetch", effect)
        except StepFailed as refusal:
            answer = refusal.message
        run.drop()
        world.skip(LEASE_LAPSED_MS)
        return answer

    assert attempt() == attempt() == "ValueError: failure 1"
    assert effect.count == 1


def test_a_failure_that_ends_the_run_is_tried_again_by_the_next_attempt(engine: contextful.Engine) -> None:
    caught, fatal = Counted(failures=9), Counted(failures=1)

    def attempt() -> object:
        with engine.execution("index-42", "plan-a") as run:
            with pytest.raises(StepFailed):
                run.step("optional", caught)
            return run.step("fetch", fatal)

    with pytest.raises(StepFailed):
        attempt()

    assert attempt() == "ok"
    assert (caught.count, fatal.count) == (1, 2)


def test_the_cause_of_the_body_s_own_error_is_tried_again(engine: contextful.Engine) -> None:
    effect = Counted(failures=1)

    def attempt() -> object:
        with engine.execution("index-42", "plan-a") as run:
            run.step("first", Counted())
            try:
                return run.step("fetch", effect)
            except StepFailed as refusal:
                raise KeyError("no page") from refusal

    with pytest.raises(KeyError):
        attempt()

    assert attempt() == "ok"


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


def test_no_except_exception_of_the_body_keeps_a_signal(engine: contextful.Engine) -> None:
    def throttled() -> None:
        raise contextful.RateLimited("later", retry_after_ms=900_000)

    def careless() -> None:
        with engine.execution("index-42", "plan-a", run_id="run-a") as run, contextlib.suppress(Exception):
            run.step("fetch", throttled)

    with pytest.raises(contextful.Suspended):
        careless()

    assert row(engine, "run-a").status == "waiting"


def test_an_interrupt_closes_the_run_as_canceled_and_holds_its_work(engine: contextful.Engine) -> None:
    def interrupted() -> None:
        with engine.execution("index-42", "plan-a", run_id="run-a") as run:
            run.step("fetch", Counted())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert row(engine, "run-a").status == "canceled"
    assert engine.pending("index-42") is not None


def test_an_interrupted_effect_gives_its_claim_back(engine: contextful.Engine) -> None:
    run = engine.execution("index-42", "plan-a")

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.step("fetch", interrupted)

    assert run.step("fetch", Counted()) == "ok"


def test_a_closed_execution_takes_no_more_steps(engine: contextful.Engine) -> None:
    with engine.execution("index-42", "plan-a") as run:
        pass

    with pytest.raises(contextful.Stopped, match="has closed"):
        run.step("fetch", Counted())


def test_a_run_id_is_used_once(engine: contextful.Engine) -> None:
    with engine.execution("index-1", "plan-a", run_id="run-a"):
        pass

    with pytest.raises(contextful.Failed, match="run-a was used before"):
        engine.execution("index-2", "plan-a", run_id="run-a")


@pytest.mark.parametrize("scope", ["", "a/b", "a b", "x" * 129, None, 7])
def test_a_scope_that_is_no_name_is_refused(engine: contextful.Engine, scope: Any) -> None:
    with pytest.raises(ValueError, match="scope"):
        engine.execution(scope, "plan-a")


UNSTORABLE: dict[str, dict[str, Any]] = {
    "plan": {"plan": "a\x00b"},
    "plan is None": {"plan": None},
    "identity model": {"plan": "a", "identities": {"model": "\ud800"}},
    "identity n is 1": {"plan": "a", "identities": {"n": 1}},
    "the name of an identity is 1": {"plan": "a", "identities": {1: "n"}},
}


@pytest.mark.parametrize(("says", "pins"), UNSTORABLE.items(), ids=UNSTORABLE.keys())
def test_what_no_store_can_hold_is_refused_by_name(engine: contextful.Engine, says: str, pins: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        engine.execution("index-42", **pins)


@pytest.mark.parametrize("reason", ["a\x00b", "\udcff"])
def test_a_reason_that_no_store_can_hold_is_refused_by_name(engine: contextful.Engine, reason: str) -> None:
    run = engine.execution("index-42", "plan-a")

    with pytest.raises(ValueError, match=r"^reason"):
        engine.stop(run.run_id, reason=reason)
    with pytest.raises(ValueError, match=r"^reason"):
        engine.rewind(run.execution_id, reason=reason)


def test_an_error_s_text_that_no_store_can_hold_is_recorded_with_signs_in_its_place(engine: contextful.Engine) -> None:
    with pytest.raises(ValueError, match="a"), engine.execution("index-42", "plan-a", run_id="run-a"):
        raise ValueError("a\ud800b\x00c")

    assert row(engine, "run-a").error_message == "ValueError: a\ufffdb\ufffdc"


def test_an_engine_closes_once_and_opens_nothing_after(tmp_path: Path) -> None:
    engine = contextful.Engine.open(tmp_path)
    run = engine.execution("index-42", "plan-a")
    engine.close()

    engine.close()

    with pytest.raises(contextful.Failed, match="this engine has closed"):
        engine.execution("index-43", "plan-a")
    with pytest.raises(contextful.Stopped, match="has closed"):
        run.step("fetch", Counted())


class ForkingWorld(SkippingWorld):
    """A world in which the process may go on as its own child."""

    def __init__(self) -> None:
        super().__init__()
        self.process = 1

    def pid(self) -> int:
        """The process that is running."""
        return self.process


def test_a_forked_child_leaves_its_parent_s_work_alone(rows: Rows) -> None:
    world = ForkingWorld()
    engine = contextful.Engine(rows, RowBlobs(rows), world)

    def body() -> None:
        with engine.execution("index-42", "plan-a", run_id="run-a") as run:
            world.process = 2
            run.step("fetch", Counted())

    with pytest.raises(RuntimeError, match="forked"):
        body()

    assert row(engine, "run-a").status == "running"
    assert engine.pending("index-42") is not None


@pytest.mark.clause("run.record.row-at-open")
def test_the_run_row_stands_before_the_first_step(engine: contextful.Engine) -> None:
    engine.execution("index-42", "plan-a", run_id="run-a")

    opened = row(engine, "run-a")

    assert (opened.status, opened.phase, opened.ended_ms) == ("running", "plan", None)


@pytest.mark.clause("run.record.error-cap")
def test_a_recorded_error_is_masked_and_capped(engine: contextful.Engine) -> None:
    def fails() -> None:
        raise ValueError("https://ada:hunter2@db.example/ " + "x" * 5_000)

    with pytest.raises(StepFailed), engine.execution("index-42", "plan-a", run_id="run-a") as run:
        run.step("fetch", fails)

    message = row(engine, "run-a").error_message
    assert message is not None
    assert "hunter2" not in message
    assert len(message.encode()) <= 2_048
    assert message.endswith("…")


def test_an_engine_on_a_folder_resumes_what_another_left(tmp_path: Path) -> None:
    effect = Counted()
    world = SkippingWorld()
    with contextful.Engine.open(tmp_path / "shop", world=world) as engine:
        engine.execution("index-42", "plan-a").step("fetch", effect)
    world.skip(LEASE_LAPSED_MS)

    with (
        contextful.Engine.open(tmp_path / "shop", world=world) as engine,
        engine.execution("index-42", "plan-a") as run,
    ):
        assert run.step("fetch", effect) == "ok"

    assert effect.count == 1


def test_a_long_history_replays_from_its_own_rows(engine: contextful.Engine, world: SkippingWorld) -> None:
    effect = Counted()
    first = engine.execution("index-42", "plan-a")
    for page in range(600):
        first.step("fetch", effect, page)
    first.step("big", lambda: "x" * 10_000)
    first.drop()
    world.skip(LEASE_LAPSED_MS)

    with engine.execution("index-42", "plan-a") as run:
        replayed = [run.step("fetch", effect, page) for page in reversed(range(600))]
        big = run.step("big", effect)

    assert replayed == ["ok"] * 600
    assert big == "x" * 10_000
    assert effect.count == 600


@pytest.mark.clause("run.record.orphan-reap")
def test_a_startup_closes_the_rows_of_processes_that_are_gone(tmp_path: Path) -> None:
    world = SkippingWorld()
    with contextful.Engine.open(tmp_path, world=world) as engine:
        engine.execution("index-1", "plan-a", run_id="gone")
        world.skip(LEASE_LAPSED_MS)
        engine.execution("index-2", "plan-a", run_id="live")

        with contextful.Engine.open(tmp_path, world=world) as other:
            assert row(other, "gone").status == "partial_failure"
            assert row(other, "live").status == "running"


def test_a_step_that_failed_keeps_what_was_raised(run: contextful.Execution) -> None:
    with pytest.raises(StepFailed) as refusal:
        run.step("fetch", Counted(failures=9))

    assert isinstance(refusal.value.__cause__, ValueError)


def test_a_backoff_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="backoff is 'linear'"):
        contextful.Schedule(backoff="linear")  # type: ignore[arg-type]


@pytest.mark.parametrize("effect", [5, None, "fetch"])
def test_an_effect_that_is_no_function_is_refused_by_its_step(engine: contextful.Engine, effect: Any) -> None:
    with engine.execution("scope", "plan") as run, pytest.raises(TypeError, match="effect of step fetch is"):
        run.step("fetch", effect)
