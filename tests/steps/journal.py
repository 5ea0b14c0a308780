"""Steps of run.journal."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.system import SystemWorld
from contextful.run import record
from contextful.testing import Crash, Crashes
from tests.steps.stage import LEASE_LAPSED_MS, SCOPE, Stage, always, fails, never, returns


@given(parsers.parse("step `{label}` has recorded `{value}` for input `{given_input}`"))
def has_recorded(stage: Stage, label: str, value: str, given_input: str) -> None:
    """The body takes it first, where the scenario is about another step."""
    about, told = stage.label, stage.label in stage.effects
    stage.label = label
    stage.effect().script = [returns(value)]
    stage.leave_pending(given_input)
    if told and about != label:
        stage.label = about
        stage.opening = lambda run: stage.perform(run, label, given_input)


@given(parsers.parse("an effect `{label}` that returns `{value}`"))
def effect_that_returns(stage: Stage, label: str, value: str) -> None:
    stage.label = label
    stage.effect().script = [returns(value)]


@given(parsers.parse("an effect `{label}` that fails `{tag}` {count:d} times, then returns `{value}`"))
def effect_that_fails_first(stage: Stage, label: str, tag: str, count: int, value: str) -> None:
    stage.label = label
    stage.effect().script = [fails(tag)] * count + [returns(value)]


@when(parsers.parse("step `{label}` is called with input `{given_input}`"))
def step_is_called(stage: Stage, label: str, given_input: str) -> None:
    stage.label = label
    if isinstance(stage.error, Crash):
        stage.resume(given_input)
        return
    stage.leave_pending(given_input)
    stage.error = None


@when("the process dies after the effect and before its record")
def dies_before_the_record(stage: Stage) -> None:
    turn = stage.effect().script[0]

    def last_turn() -> object:
        stage.crashes.die_at_next()
        return turn()

    stage.effect().script = [last_turn, turn]
    stage.attempt()
    assert isinstance(stage.error, Crash)


@then(parsers.parse("the call returns `{value}`"))
def the_call_returns(stage: Stage, value: str) -> None:
    assert stage.outcome == value


@then(parsers.parse("the journal holds {count:d} recorded entries"))
def holds_recorded(stage: Stage, count: int) -> None:
    if stage.error is None:
        assert stage.recorded_at_end == count
    else:
        assert len(stage.entries("recorded")) == count


@then(parsers.parse("{count:d} requests have left"))
def requests_have_left(stage: Stage, count: int) -> None:
    assert len(stage.sent) == count


@then(parsers.parse("they carry {count:d} distinct idempotency keys"))
def distinct_keys(stage: Stage, count: int) -> None:
    assert len(set(stage.sent)) == count


@given(parsers.parse("caller `{name}` holds the claim on step `{label}`"))
def caller_holds(stage: Stage, name: str, label: str) -> None:
    stage.label = label
    stage.dies_in = always
    stage.attempt()
    assert isinstance(stage.error, Crash)
    assert [entry["state"] for entry in stage.entries()] == ["pending"]


@when(parsers.parse("caller `{name}` records `{value}`"))
def caller_records(stage: Stage, name: str, value: str) -> None:
    """Caller a is in its effect on a thread of its own while caller b waits for it on another."""
    stage.outcome = _two_threads(value)


@then(parsers.parse("caller `{name}` receives `{value}`"))
def caller_receives(stage: Stage, name: str, value: str) -> None:
    assert stage.outcome == [value, value, 1]


@when(parsers.parse("the lease of caller `{name}` lapses"))
def lease_lapses(stage: Stage, name: str) -> None:
    stage.world.skip(LEASE_LAPSED_MS)


@when(parsers.parse("caller `{name}` renews its lease"))
def renews_its_lease(stage: Stage, name: str) -> None:
    row = stage.rows.get(record.RUN, ("run-1",))
    assert row is not None
    assert stage.rows.commit(record.renewed("run-1", str(row["holder"]), stage.world.now_ms()))


@when(parsers.parse("caller `{name}` calls step `{label}`"))
def caller_calls(stage: Stage, name: str, label: str) -> None:
    """The caller joins the execution where the lease lets it; the claim is still held when its effect looks."""
    stage.crashes = Crashes()
    stage.dies_in = never
    stage.effect(label).script = [lambda: stage.holders.extend(_claim_holders(stage)) or "ch_1"]
    stage.attempt()


@then(parsers.parse("caller `{name}` holds the claim on step `{label}`"))
def holds_the_claim(stage: Stage, name: str, label: str) -> None:
    run_id = {"a": "run-1", "b": "run-2"}[name]
    assert (stage.holders or _claim_holders(stage)) == [run_id]


@when(parsers.parse("callers `{one}` and `{other}` call step `{label}` at once"))
def callers_call(stage: Stage, one: str, other: str, label: str) -> None:
    """Both try to join from within one another: the second calls while the first one's effect runs."""
    stage.crashes = Crashes()
    stage.dies_in = never
    inner = Stage(stage.rows, stage.folder)
    inner.world, inner.label, inner.attempts = stage.world, label, 2

    def while_the_effect_runs() -> object:
        stage.holders.extend(_claim_holders(stage))
        inner.attempt()
        return "ch_1"

    stage.effect(label).script = [while_the_effect_runs]
    stage.attempt()
    stage.error = inner.error


@then(parsers.parse("{count:d} of them holds the claim"))
def some_hold(stage: Stage, count: int) -> None:
    assert len(stage.holders) == count
    assert stage.holders == ["run-2"]


@then(parsers.parse("{count:d} of them waits"))
def some_wait(stage: Stage, count: int) -> None:
    assert count == 1
    assert isinstance(stage.error, contextful.Transient)
    assert "run-2 holds" in str(stage.error)


@then(parsers.parse("caller `{name}` waits"))
def caller_waits(stage: Stage, name: str) -> None:
    assert isinstance(stage.error, contextful.Transient)
    assert "run-1 holds" in str(stage.error)


@when(parsers.parse("step `{label}` is called again"))
def called_again(stage: Stage, label: str) -> None:
    stage.resume()


@given(parsers.parse("execution `{execution}` has recorded {count:d} steps"))
def has_recorded_steps(stage: Stage, execution: str, count: int) -> None:
    stage.before = [f"step-{number}" for number in range(count - 1)]
    stage.leave_pending()
    owner = stage.onlooker().pending(SCOPE)
    assert owner is not None
    stage.execution_id = owner.execution_id


@when(parsers.parse("the owner of `{execution}` retires"))
def owner_retires(stage: Stage, execution: str) -> None:
    stage.resume()
    assert stage.onlooker().pending(SCOPE) is None


@then(parsers.parse("the journal holds {count:d} rows of `{execution}`"))
def holds_rows_of(stage: Stage, count: int, execution: str) -> None:
    assert len(stage.entries_of(stage.execution_id)) == count


@given(parsers.parse("a profile without the capability `{name}`"))
def profile_without(stage: Stage, name: str) -> None:
    assert stage.entries() == []


@when(parsers.parse("the capability `{name}` is requested"))
def capability_requested(stage: Stage, name: str) -> None:
    try:
        stage.engine().capability(name)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@then("nothing has been written")
def nothing_written(stage: Stage) -> None:
    assert list(stage.onlooker().history()) == []
    assert stage.blob_count() == 0


@given("a body of steps `read`, `score` and `write` with pure work between them")
def body_of_three(stage: Stage) -> None:
    for label in ("read", "score", "write"):
        stage.effect(label).script = [returns(len(label))]


@when("the process dies after each step in turn and the run resumes")
def dies_after_each(stage: Stage) -> None:
    for after in range(4):
        stage.begin()
        stage.crashes = Crashes()
        try:
            with stage.engine().execution(SCOPE, "plan", run_id=stage.run_id) as run:
                stage.outcome = _three_steps(stage, run, dies_after=after)
        except Crash:
            stage.world.skip(LEASE_LAPSED_MS)


@then("the body ends with the result of an uninterrupted run")
def ends_alike(stage: Stage) -> None:
    rows = MemoryRows()
    other = Stage(rows, stage.folder)
    body_of_three(other)
    with contextful.Engine(rows, RowBlobs(rows), SystemWorld()).execution(SCOPE, "plan") as run:
        assert stage.outcome == _three_steps(other, run, dies_after=3)


@then(parsers.parse("each of its effects has run {count:d} times"))
def each_effect_has_run(stage: Stage, count: int) -> None:
    assert [stage.effect(label).count() for label in ("read", "score", "write")] == [count] * 3


def _three_steps(stage: Stage, run: contextful.Execution, *, dies_after: int) -> list[object]:
    results: list[object] = []
    for done, label in enumerate(("read", "score", "write")):
        if done == dies_after:
            stage.crashes.die()
        results.append((label, stage.perform(run, label, tuple(results))))
    return results


def _two_threads(value: str) -> list[object]:
    """What two threads of one execution receive for one key, and how often the effect ran."""
    rows = MemoryRows()
    entered, leave = threading.Event(), threading.Event()
    ran: list[int] = []

    def effect() -> str:
        ran.append(1)
        entered.set()
        leave.wait()
        return value

    engine = contextful.Engine(rows, RowBlobs(rows), SystemWorld())
    with engine.execution(SCOPE, "plan") as run, ThreadPoolExecutor(2) as pool:
        first = pool.submit(run.step, "charge", effect)
        entered.wait()
        second = pool.submit(run.step, "charge", effect)
        leave.set()
        return [first.result(), second.result(), len(ran)]


def _claim_holders(stage: Stage) -> list[object]:
    return [entry["run_id"] for entry in stage.entries("pending")]
