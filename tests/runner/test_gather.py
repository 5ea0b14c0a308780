"""Branches side by side, and the place where they come together."""

from __future__ import annotations

import threading
from functools import partial

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.system import SystemWorld
from contextful.errors import StepFailed
from contextful.ports.rows import Rows
from contextful.run.record import Run
from contextful.testing import SimRows, SimWorld, SkippingWorld
from contextful_contract.shapes import FailedBranch, FailureTag

LEASE_LAPSED_MS = 31_000
LEFT_FAILED = FailedBranch(label="left", tag=FailureTag.PERMANENT)


class Effects:
    """Effects by name that count, and that fail while they are said to."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.failing: dict[str, Exception] = {}

    def __call__(self, name: str) -> str:
        self.ran.append(name)
        if name in self.failing:
            raise self.failing[name]
        return name.upper()


class Place:
    """A store, and attempts at one scope."""

    def __init__(self) -> None:
        self.rows: Rows = MemoryRows()
        self.world = SkippingWorld()
        self.effects = Effects()
        self.engine = contextful.Engine(self.rows, RowBlobs(self.rows), self.world)

    def gather(self, run: contextful.Execution, *, allow_partial: bool = False) -> dict[str, str]:
        """Two branches, joined."""
        branches = {name: partial(run.step, name, self.effects, name) for name in ("left", "right")}
        return run.gather("both", branches, allow_partial=allow_partial)

    def attempt(self, run_id: str, *, allow_partial: bool = False) -> dict[str, str]:
        """A run of them."""
        with self.engine.execution("index-42", "plan-a", run_id=run_id) as run:
            return self.gather(run, allow_partial=allow_partial)

    def row(self, run_id: str) -> Run:
        """The run's row, which stands."""
        row = self.engine.run(run_id)
        assert row is not None
        return row


@pytest.fixture
def place() -> Place:
    return Place()


def test_all_branches_are_under_way_at_once() -> None:
    rows = MemoryRows()
    meeting = threading.Barrier(3, timeout=10)

    def meets(name: str) -> str:
        meeting.wait()
        return name.upper()

    with contextful.Engine(rows, RowBlobs(rows), SystemWorld()).execution("index-42", "plan-a") as run:
        branches = {name: partial(run.step, name, meets, name) for name in ("a", "b", "c")}
        joined = run.gather("meeting", branches)

    assert joined == {"a": "A", "b": "B", "c": "C"}


@pytest.mark.clause("run.journal.fan-out-join")
def test_a_failed_branch_fails_the_run_with_its_tag_once_the_others_have_ended(place: Place) -> None:
    place.effects.failing["left"] = contextful.Permanent("gone")

    with pytest.raises(StepFailed) as refusal:
        place.attempt("run-a")

    assert (refusal.value.label, refusal.value.tag) == ("left", FailureTag.PERMANENT)
    assert (place.row("run-a").status, place.row("run-a").error_kind) == ("failed", FailureTag.PERMANENT)
    assert place.effects.ran == ["left", "right"]


def test_the_next_attempt_tries_every_failed_branch_again_and_no_other(place: Place) -> None:
    place.effects.failing = {"left": contextful.Permanent("gone"), "right": contextful.Permanent("gone too")}

    def attempt(run_id: str) -> dict[str, str]:
        with place.engine.execution("index-42", "plan-a", run_id=run_id) as run:
            run.step("first", place.effects, "first")
            return place.gather(run)

    with pytest.raises(StepFailed):
        attempt("run-a")
    place.effects.failing.clear()

    assert attempt("run-b") == {"left": "LEFT", "right": "RIGHT"}
    assert place.effects.ran == ["first", "left", "right", "left", "right"]


@pytest.mark.clause("run.journal.fan-out-join")
def test_a_partial_join_leaves_a_failed_branch_out_and_on_the_record(place: Place) -> None:
    place.effects.failing["left"] = contextful.Permanent("gone")

    joined = place.attempt("run-a", allow_partial=True)

    assert joined == {"right": "RIGHT"}
    assert place.row("run-a").status == "success"
    assert place.row("run-a").failed_branches == (LEFT_FAILED,)


def test_a_replay_joins_as_the_record_says(place: Place) -> None:
    place.effects.failing["left"] = contextful.Permanent("gone")
    run = place.engine.execution("index-42", "plan-a", run_id="run-a")
    place.gather(run, allow_partial=True)
    run.drop()
    place.world.skip(LEASE_LAPSED_MS)
    place.effects.failing.clear()

    joined = place.attempt("run-b", allow_partial=True)

    assert joined == {"right": "RIGHT"}
    assert place.row("run-b").failed_branches == (LEFT_FAILED,)
    assert place.effects.ran == ["left", "right"]


def test_a_later_join_of_the_same_label_and_branches_is_one_of_its_own(place: Place) -> None:
    run = place.engine.execution("index-42", "plan-a")
    fine, bad = partial(run.step, "fine", place.effects, "fine"), partial(run.step, "left", place.effects, "left")
    place.effects.failing["left"] = contextful.Permanent("gone")

    joined = [run.gather("page", {"a": fine, "b": b}, allow_partial=True) for b in (bad, fine, bad)]

    assert joined == [{"a": "FINE"}, {"a": "FINE", "b": "FINE"}, {"a": "FINE"}]


def test_joins_of_one_label_in_two_branches_are_two(place: Place) -> None:
    run = place.engine.execution("index-42", "plan-a")
    place.effects.failing["left"] = contextful.Permanent("gone")

    def inner(name: str) -> dict[str, str]:
        return run.gather("inner", {"a": partial(run.step, name, place.effects, name)}, allow_partial=True)

    joined = run.gather("outer", {name: partial(inner, name) for name in ("left", "right")})

    assert joined == {"left": {}, "right": {"a": "RIGHT"}}


def test_a_step_with_a_join_s_label_and_branches_for_its_input_is_another_entry(place: Place) -> None:
    run = place.engine.execution("index-42", "plan-a")
    run.step("page", lambda: "a step's", input=["a"])

    with run:
        joined = run.gather("page", {"a": lambda: 1}, allow_partial=True)

    assert joined == {"a": 1}
    assert place.row(run.run_id).status == "success"


def test_a_branch_that_waits_leaves_the_run_waiting_with_what_the_others_recorded(place: Place) -> None:
    place.effects.failing["left"] = contextful.RateLimited("busy", retry_after_ms=900_000)
    with pytest.raises(contextful.Suspended):
        place.attempt("run-a", allow_partial=True)
    place.effects.failing.clear()
    place.world.skip(900_000)

    joined = place.attempt("run-b", allow_partial=True)

    assert place.row("run-a").status == "waiting"
    assert joined == {"left": "LEFT", "right": "RIGHT"}
    assert place.effects.ran == ["left", "right", "left"]


def test_more_branches_than_there_may_be_are_refused(place: Place) -> None:
    with (
        place.engine.execution("index-42", "plan-a") as run,
        pytest.raises(ValueError, match="65 branches at once"),
    ):
        run.gather("all", {str(at): lambda: None for at in range(65)})


@pytest.mark.parametrize("seed", range(40))
def test_branches_killed_anywhere_join_to_what_was_recorded_first(seed: int) -> None:
    world = SimWorld(seed, crash=0.03)
    rows = MemoryRows()
    ran: list[str] = []

    def effect(name: str) -> str:
        world.pause(name)
        ran.append(name)
        return f"{name}-{len(ran)}"

    def body() -> dict[str, str]:
        simulated = SimRows(rows, world)
        engine = contextful.Engine(simulated, RowBlobs(simulated), world)
        while True:  # ends: whoever holds the scope closes, or its lease lapses
            try:
                run = engine.execution("shared", "plan")
            except contextful.Transient:
                world.wait(world.event(), 5_000)
                continue
            with run:
                branches = {name: partial(run.step, name, effect, name) for name in ("left", "right")}
                return {"execution": run.execution_id, **run.gather("both", branches)}

    for process in ("one", "two", "three"):
        world.process(process, body)
    world.run()

    joined: dict[str, object] = {}
    for outcome in world.outcomes.values():
        if isinstance(outcome, dict):
            assert joined.setdefault(outcome["execution"], outcome) == outcome


@pytest.mark.clause("run.suspend.awakeable")
def test_an_answer_to_a_branch_that_has_left_is_not_waited_for(place: Place) -> None:
    tokens: list[str] = []

    def waits_for_long(run: contextful.Execution) -> object:
        awaited = run.awakeable("right", ttl="24h")
        tokens.append(awaited.token)
        return awaited.wait(hold="0s")

    def waits_for_less(run: contextful.Execution) -> object:
        place.engine.resolve(tokens[0], "yes")
        return run.wait("left", ttl="1h", hold="0s")

    with pytest.raises(contextful.Suspended), place.engine.execution("scope", "plan", run_id="run-a") as run:
        run.gather("both", {"right": partial(waits_for_long, run), "left": partial(waits_for_less, run)})

    assert place.row("run-a").next_attempt_ms == place.world.now_ms()
