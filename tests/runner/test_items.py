"""Isolated items, beyond what the scenarios say: killed anywhere, waiting, stopped, short of storage."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import contextful
from contextful.adapters.item_table import ParquetItemTable
from contextful.adapters.memory import MemoryRows
from contextful.kernel.failure import StorageFailed
from contextful.kernel.signal import Stopped, Suspended
from contextful.pipeline.spec import TableSpec
from contextful.run import items
from contextful.run.own import own
from contextful.run.parts import Kind
from contextful.runner.item_fire import Incomplete
from contextful.runner.row import Row
from contextful.testing import Crash, Crashes, SkippingWorld
from contextful_contract.shapes import RunStatus, StopScope
from tests.steps.crew import Crew
from tests.steps.items import JOB
from tests.steps.items_contending import fires_meanwhile
from tests.steps.shift import WAIT_S
from tests.steps.stage import LEASE_LAPSED_MS, Stage


def made(folder: Path, given: str = "ab") -> Crew:
    """An isolated job over these rows, whose `_items` are in the store."""
    crew = Crew(Stage(MemoryRows(), folder))
    crew.job(JOB)
    crew.given = list(given)
    crew.table = ParquetItemTable(crew.store(), site_id="here")
    return crew


class Interrupted(SkippingWorld):
    """A process that is asked to end while a body hangs."""

    def __init__(self, *, now_ms: int) -> None:
        super().__init__(now_ms=now_ms)
        self._entered, self.leaves = threading.Event(), threading.Event()

    def hangs(self) -> None:
        """Be in a body until long after that."""
        self._entered.set()
        assert self.leaves.wait(WAIT_S)
        raise AssertionError("the process has ended")

    def start(self, name: str, work: Callable[[], None]) -> Interrupted:  # type: ignore[override]
        threading.Thread(target=work, name=name, daemon=True).start()
        return self

    def join(self) -> None:
        """An interrupt comes while it is waited for."""
        assert self._entered.wait(WAIT_S)
        raise KeyboardInterrupt


def told(crew: Crew) -> list[tuple[str, str]]:
    """What `_items` says, in its order."""
    rows = crew.read("_items")
    return sorted((str(row["logical_key"]), str(row["outcome"])) for row in rows)


@pytest.mark.clause("run.items.completion", "run.items.replay", "run.items.outcome-record")
def test_a_fire_that_is_killed_anywhere_pays_once_lands_once_and_tells_once(tmp_path: Path) -> None:
    """At each operation of its storage: what the next fires come to is what one that nobody killed comes to."""
    whole = made(tmp_path / "whole", "a")
    whole.fire(JOB)
    assert whole.fired is not None
    instants = whole.stage.crashes.count

    for at in range(instants):
        crew = made(tmp_path / str(at), "a")
        crew.stage.crashes = Crashes(at)
        crew.fire(JOB)
        assert isinstance(crew.stage.error, Crash), at
        crew.resume(JOB)

        assert crew.fired is not None, at
        assert crew.landed(JOB) == ["a"], at
        assert told(crew) == [("a", "succeeded")], at
        assert len(crew.sent) <= 2, "again only where the process died before the record"
        assert len({call[3] for call in crew.sent}) == 1, "and under its first key"
        assert crew.stage.rows.get(own.OWNER, (f"host/job:{JOB}",)) is None
    assert instants > 40


@pytest.mark.clause("run.items.outcomes")
def test_an_answer_to_a_parked_item_wakes_the_job(tmp_path: Path) -> None:
    crew = made(tmp_path)
    crew.turns[JOB, "b"] = [lambda row: row.wait("approve", hold="0s")] * 2
    crew.fire(JOB)
    assert isinstance(crew.stage.error, Suspended)
    engine = crew.stage.onlooker()
    owner = crew.stage.owner(crew.item(JOB, "b").scope)
    assert owner is not None

    (waits,) = engine.awaited(owner.execution_id)
    engine.resolve(waits.token, "yes")

    job = crew.stage.owner(own.HostScope(f"job:{JOB}"))
    assert job is not None
    assert job.waiting_until_ms == crew.stage.world.now_ms()
    crew.fire(JOB)
    assert crew.fired is not None
    assert sorted(crew.landed(JOB)) == ["a", "b"]


@pytest.mark.clause("run.items.entity-admission")
def test_two_items_of_one_entity_take_turns(tmp_path: Path) -> None:
    crew = made(tmp_path, "aab")
    crew.job(JOB, key=("id", "customer"))

    crew.fire(JOB)

    assert crew.fired is not None
    assert crew.fired.input_rows == 3
    assert sorted(crew.landed(JOB)) == ["a", "b"], "two rows that say the same are one item"


@pytest.mark.clause("run.items.outcomes")
def test_a_fire_that_leaves_an_item_to_another_says_to_whom_and_until_when(tmp_path: Path) -> None:
    crew = made(tmp_path, "a")
    crew.job("grade")

    fires_meanwhile(crew, "grade", "a", JOB)

    (run,) = [each for each in crew.stage.onlooker().history() if each.host_scope == crew.item(JOB, "a").scope.scope]
    (error,) = crew.stage.named["error"]
    assert str(error).startswith(f"of the one item of job grade: 1 deferred; run {run.run_id} is at the entity of one")


def test_the_items_of_a_job_are_told_by_their_last_attempts_whichever_fire_made_them(tmp_path: Path) -> None:
    crew = made(tmp_path, "abc")

    def fails(_: Row) -> None:
        raise contextful.Transient("busy")

    crew.turns[JOB, "b"] = [fails]
    crew.fire(JOB)
    job = crew.stage.onlooker().pending(f"job:{JOB}")
    assert job is not None
    before = crew.stage.onlooker().parts(job.execution_id)
    crew.fire(JOB)
    after = crew.stage.onlooker().parts(job.execution_id)

    assert before.counts() == {Kind.ITEM: {RunStatus.SUCCESS: 2, RunStatus.FAILED: 1}}
    assert after.counts() == {Kind.ITEM: {RunStatus.SUCCESS: 3}}
    assert sorted(part.attempts for part in after.found) == [1, 1, 2]


@pytest.mark.clause("run.cancel.one-token")
def test_a_stop_of_the_job_reaches_the_item_in_its_body(tmp_path: Path) -> None:
    crew = made(tmp_path)

    def stopped(row: Row) -> None:
        crew.stage.onlooker().stop(f"{JOB}-1")
        crew.stage.world.skip(600)

    crew.turns[JOB, "a"] = [stopped]
    crew.fire(JOB)

    assert isinstance(crew.stage.error, Stopped)
    assert crew.stage.error.scope is StopScope.RUN
    assert crew.landed(JOB) == []
    assert crew.spent(JOB, "a") == 0


@pytest.mark.clause("run.items.replay")
def test_a_fire_whose_process_is_asked_to_end_lets_go_of_the_items_in_their_bodies(tmp_path: Path) -> None:
    crew = made(tmp_path, "a")
    world = crew.stage.world = Interrupted(now_ms=crew.stage.world.now_ms())
    crew.turns[JOB, "a"] = [lambda _: world.hangs()]
    with pytest.raises(KeyboardInterrupt):
        crew.fire(JOB)
    crew.stage.world = SkippingWorld(now_ms=world.now_ms())

    crew.fire(JOB)

    world.leaves.set()
    assert crew.fired is not None
    assert crew.stage.world.now_ms() == world.now_ms(), "no lease was waited for"
    assert crew.spent(JOB, "a") == 1, "the one that succeeded"


@pytest.mark.clause("run.items.retry-budget")
def test_a_store_that_fails_is_no_fault_of_the_item(tmp_path: Path) -> None:
    crew = made(tmp_path)

    def full(_: Row) -> None:
        raise StorageFailed("no space left")

    crew.turns[JOB, "a"] = [full]
    crew.fire(JOB)
    assert isinstance(crew.stage.error, contextful.StepFailed)
    assert crew.spent(JOB, "a") == 0

    crew.fire(JOB)

    assert crew.fired is not None


@pytest.mark.clause("run.own.rewind", "run.items.replay")
def test_giving_up_a_job_gives_up_its_items_and_what_they_spent_stays_spent(tmp_path: Path) -> None:
    crew = made(tmp_path)

    def pays_and_fails(row: Row) -> None:
        crew.call(JOB, row)
        raise contextful.Transient("no luck")

    crew.turns[JOB, "b"] = [pays_and_fails]
    crew.fire(JOB)
    job = crew.stage.owner(own.HostScope(f"job:{JOB}"))
    assert job is not None

    crew.stage.onlooker().rewind(job.execution_id, reason="another prompt", force=True)

    assert crew.stage.owner(crew.item(JOB, "b").scope) is None
    assert crew.spent(JOB, "b") == 1
    crew.fire(JOB)
    assert [call[1] for call in crew.sent] == ["a", "b", "b"]
    assert told(crew) == [("a", "succeeded"), ("b", "succeeded")]


@pytest.mark.clause("run.items.completion")
def test_a_fire_whose_items_have_all_ended_says_which_have_failed(tmp_path: Path) -> None:
    crew = made(tmp_path)

    def fails(_: Row) -> None:
        raise contextful.Permanent("no luck")

    crew.turns[JOB, "b"] = [fails]
    crew.fire(JOB)

    assert isinstance(crew.stage.error, Incomplete)
    assert str(crew.stage.error).startswith("of the 2 items of job score: 1 success, 1 failure; each has ended")
    assert told(crew) == [("a", "succeeded"), ("b", "failed")]


@pytest.mark.clause("run.items.outcomes")
def test_a_fire_tells_why_an_item_has_ended_that_an_earlier_one_ended(tmp_path: Path) -> None:
    crew = made(tmp_path, "b")

    def fails(_: Row) -> None:
        raise contextful.Permanent("no luck: none")

    crew.turns[JOB, "b"] = [fails]
    crew.fire(JOB)
    crew.failures.clear()
    crew.fire(JOB)

    assert crew.failures == [contextful.Failure(contextful.FailureTag.PERMANENT, "no luck: none")]


@pytest.mark.clause("surface.fire.undeclared-output")
def test_an_item_that_emits_to_no_table_lands_once_the_table_is_declared(tmp_path: Path) -> None:
    crew = made(tmp_path, "a")
    crew.turns[JOB, "a"] = [lambda row: row.emit("notes", {"id": "a"})]
    crew.fire(JOB)
    assert str(crew.failures[0].message).endswith("declare it and fire again, for nothing is paid for twice")
    crew.specs[JOB] = replace(crew.specs[JOB], tables=(TableSpec("scores"), TableSpec("notes")))

    crew.fire(JOB)

    assert crew.fired is not None
    assert [success.table for success in crew.fired.landed] == ["score_scores", "score_notes"]
    assert len(crew.sent) == 1


@pytest.mark.clause("run.items.identity")
@pytest.mark.parametrize(("row", "says"), [({"id": None}, "is null in a row"), ({}, "is no column")])
def test_a_row_without_its_key_is_refused_by_the_column(row: dict[str, None], says: str, tmp_path: Path) -> None:
    declared = made(tmp_path).specs[JOB].items
    assert declared is not None

    with pytest.raises(contextful.Failed, match=f"^id {says}"):
        items.item(JOB, declared, "plan", row)


def test_a_statement_that_lacks_a_key_leaves_nothing_pending(tmp_path: Path) -> None:
    crew = made(tmp_path)
    whole = crew.specs[JOB]
    crew.job(JOB, entity_key=("supplier",))
    crew.fire(JOB)
    assert "supplier is no column of the statement of job score" in str(crew.stage.error)

    crew.specs[JOB] = whole
    crew.fire(JOB)

    assert crew.fired is not None


@pytest.mark.clause("run.retry.waiting-state", "run.journal.current-owner")
def test_an_attempt_that_was_superseded_in_its_sleep_sends_no_more(tmp_path: Path) -> None:
    """A step's next attempt is as much of a dispatch as its first."""
    stage = Stage(MemoryRows(), tmp_path)
    sent: list[int] = []

    def busy() -> None:
        sent.append(len(sent))
        stage.world.skip(LEASE_LAPSED_MS)
        stage.opened["other"] = stage.onlooker().execution("scope", "plan", run_id="other")
        raise contextful.Transient("busy")

    with pytest.raises(Stopped), stage.engine().execution("scope", "plan", run_id="first") as run:
        run.step("call", busy)

    assert sent == [0]
    stage.opened["other"].drop()
