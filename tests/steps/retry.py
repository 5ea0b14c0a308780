"""Steps of run.retry, many of them shared."""

from __future__ import annotations

import contextlib

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.kernel.failure import Failure
from contextful.run import retry
from contextful.testing import Crash
from tests.steps.stage import Stage, declared, fails, returns


@given(parsers.parse("a step `{label}` with the default schedule"))
def default_schedule(stage: Stage, label: str) -> None:
    stage.label = label


@given(parsers.parse("a step `{label}` with the schedule `{schedule}`"))
def written_schedule(stage: Stage, label: str, schedule: str) -> None:
    stage.label, stage.schedule = label, declared(schedule)


@given(parsers.parse("a step `{label}` with a schedule of {attempts:d} attempts"))
def schedule_of_attempts(stage: Stage, label: str, attempts: int) -> None:
    stage.label, stage.schedule = label, contextful.Schedule(attempts=attempts)


@given(parsers.parse("its effect always fails `{tag}`"))
def always_fails(stage: Stage, tag: str) -> None:
    stage.effect().script = [fails(tag)]


@given(parsers.parse("its failures say `{message}`"))
def failures_say(stage: Stage, message: str) -> None:
    stage.effect().script = [fails("Permanent", message=message)]


@given(parsers.parse("its effect returns `{value}`"))
def effect_returns(stage: Stage, value: str) -> None:
    stage.effect().script = [returns(value)]


@given(parsers.parse("its effect fails `{tag}` {count:d} times, then returns `{value}`"))
def fails_then_returns(stage: Stage, tag: str, count: int, value: str) -> None:
    stage.effect().script = [fails(tag)] * count + [returns(value)]


@given(parsers.parse("its effect fails `{tag}` with `Retry-After: {seconds:d}`, then returns `{value}`"))
def throttled_then_returns(stage: Stage, tag: str, seconds: int, value: str) -> None:
    stage.effect().script = [fails(tag, retry_after_s=seconds), returns(value)]


@given(parsers.parse("its effect fails `{tag}` with `Retry-After: {seconds:d}`, then always fails `{later}`"))
def throttled_then_fails(stage: Stage, tag: str, seconds: int, later: str) -> None:
    stage.effect().script = [fails(tag, retry_after_s=seconds), fails(later)]


@given(parsers.parse("its effect refuses its static input with `{tag}`"))
def refuses_static_input(stage: Stage, tag: str) -> None:
    def turn() -> object:
        raise contextful.Failed(Failure(contextful.FailureTag(tag), "column at is no text", deterministic=True))

    stage.effect().script = [turn]


@given(parsers.parse("a step `{label}` that returned `{value}`"))
def step_that_returned(stage: Stage, label: str, value: str) -> None:
    stage.effect(label).script = [returns(value)]
    stage.before.append(label)


@given(parsers.parse("a body that goes on where step `{label}` fails `{tag}`"))
def goes_on_where_it_fails(stage: Stage, label: str, tag: str) -> None:
    stage.effect(label).script = [fails(tag)]

    def body(run: contextful.Execution) -> None:
        with contextlib.suppress(contextful.StepFailed):
            stage.perform(run, label)

    stage.opening = body


@when("the step runs")
def the_step_runs(stage: Stage) -> None:
    stage.attempt()


@when("its plan is compiled")
def plan_is_compiled(stage: Stage) -> None:
    try:
        retry.admit(stage.schedule, stage.label)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@when(parsers.parse("the process dies during attempt {number:d}"))
def dies_during(stage: Stage, number: int) -> None:
    stage.dies_in = lambda call: call == number
    stage.attempt()
    assert isinstance(stage.error, Crash)


@when(parsers.parse("the process dies {seconds:d} s into the wait"))
def dies_in_the_wait(stage: Stage, seconds: int) -> None:
    stage.world.dies_after(seconds * 1_000, stage.crashes.die)
    stage.attempt()
    assert isinstance(stage.error, Crash)


@when("the process dies")
def dies_after_the_steps(stage: Stage) -> None:
    stage.dies_in = lambda _: stage.effect().count() == 1
    stage.attempt()
    assert isinstance(stage.error, Crash)


@when("the run resumes")
def the_run_resumes(stage: Stage) -> None:
    stage.resume()


@when(parsers.parse("the run resumes after {seconds:d} s"))
def resumes_after(stage: Stage, seconds: int) -> None:
    stage.world.skip(seconds * 1_000)
    stage.resume()


@when(parsers.parse("attempt {number:d} failing `{tag}` is decided {times:d} times under seed {seed:d}"))
def decided(stage: Stage, number: int, tag: str, times: int, seed: int) -> None:
    failure = Failure(contextful.FailureTag(tag), "no luck")
    stage.outcome = [retry.decide(stage.schedule, number, failure, seed) for _ in range(times)]


@then("both decisions are equal")
def decisions_are_equal(stage: Stage) -> None:
    assert isinstance(stage.outcome, list)
    assert stage.outcome[0] == stage.outcome[1]


@then(parsers.parse("the step fails `{tag}`"))
def the_step_fails(stage: Stage, tag: str) -> None:
    assert isinstance(stage.error, contextful.StepFailed)
    assert stage.error.tag == tag


@then(parsers.parse("the step returns `{value}`"))
def the_step_returns(stage: Stage, value: str) -> None:
    assert stage.error is None
    assert stage.outcome == value


@then(parsers.parse("the effect has run {count:d} times"))
def the_effect_has_run(stage: Stage, count: int) -> None:
    assert stage.effect().count() == count


@then(parsers.parse("step `{label}` has run its effect {count:d} times"))
def a_step_has_run(stage: Stage, label: str, count: int) -> None:
    assert stage.effect(label).count() == count


@then(parsers.parse("attempt {later:d} starts {delay:d} {unit:w} after attempt {earlier:d}"))
def attempt_starts_after(stage: Stage, later: int, delay: int, unit: str, earlier: int) -> None:
    assert _between(stage, earlier, later) == delay * {"ms": 1, "s": 1_000}[unit]


@then(parsers.parse("attempt {later:d} starts from {least:d} to {most:d} ms after attempt {earlier:d}"))
def attempt_starts_within(stage: Stage, later: int, least: int, most: int, earlier: int) -> None:
    assert least <= _between(stage, earlier, later) <= most


@then(parsers.parse("the step has spent {count:d} attempts"))
def has_spent(stage: Stage, count: int) -> None:
    assert isinstance(stage.error, contextful.StepFailed)
    failed = Failure(stage.error.tag, stage.error.message, deterministic=True)
    assert retry.spent(stage.effect().count(), failed) == count


@then(parsers.parse("the attempt closes `{tag}` without sleeping"))
def closes_without_sleeping(stage: Stage, tag: str) -> None:
    assert isinstance(stage.error, contextful.Suspended)
    assert stage.run().error_kind == tag
    assert stage.world.waits_ms == []


@then(parsers.parse("the run shows `{status}`"))
def the_run_shows(stage: Stage, status: str) -> None:
    assert stage.run().status == status


@then(parsers.parse("the run's next attempt is {seconds:d} s after attempt {number:d}"))
def next_attempt_is(stage: Stage, seconds: int, number: int) -> None:
    assert stage.run().next_attempt_ms == stage.effect().started_ms[number - 1] + seconds * 1_000


@then("the owner is pending")
def the_owner_is_pending(stage: Stage) -> None:
    assert stage.onlooker().pending("scenario") is not None


@then(parsers.parse("the fire counts {failed:d} failed and {refused:d} refused"))
def the_fire_counts(stage: Stage, failed: int, refused: int) -> None:
    statuses = [run.status for run in stage.onlooker().history()]
    assert (statuses.count(contextful.RunStatus.FAILED), refused) == (failed, 0)


@then("every attempt carried the same idempotency key")
def one_idempotency_key(stage: Stage) -> None:
    assert len(set(stage.effect().keys)) == 1


def _between(stage: Stage, earlier: int, later: int) -> int:
    started_ms = stage.effect().attempted_ms
    return started_ms[later - 1] - started_ms[earlier - 1]
