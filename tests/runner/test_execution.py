"""How executions open, close and come back."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import StepFailed
from contextful.ports.rows import Rows
from contextful.testing import SkippingWorld
from tests.runner.attempts import LEASE_LAPSED_MS, Counted, row


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
