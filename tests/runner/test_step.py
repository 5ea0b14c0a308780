"""Steps, as a body meets them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import contextful
from contextful.errors import StepFailed
from contextful.testing import SkippingWorld
from tests.runner.attempts import LEASE_LAPSED_MS, Counted


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


def test_an_interrupted_effect_gives_its_claim_back(engine: contextful.Engine) -> None:
    run = engine.execution("index-42", "plan-a")

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.step("fetch", interrupted)

    assert run.step("fetch", Counted()) == "ok"


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


def test_a_step_that_failed_keeps_what_was_raised(run: contextful.Execution) -> None:
    with pytest.raises(StepFailed) as refusal:
        run.step("fetch", Counted(failures=9))

    assert isinstance(refusal.value.__cause__, ValueError)


def test_a_step_that_fails_with_one_inside_it_says_each_thing_once(run: contextful.Execution) -> None:
    def fails() -> None:
        raise contextful.Permanent("no such page.")

    with pytest.raises(StepFailed) as refusal:
        run.step("outer", lambda: run.step("inner", fails))

    advice = "Cure the cause, then resume the run: recorded steps are not run again."
    assert str(refusal.value) == f"Step outer failed Permanent: step inner failed: no such page. {advice}"


def test_a_backoff_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="backoff is 'linear'"):
        contextful.Schedule(backoff="linear")  # type: ignore[arg-type]


@pytest.mark.parametrize("effect", [5, None, "fetch"])
def test_an_effect_that_is_no_function_is_refused_by_its_step(engine: contextful.Engine, effect: Any) -> None:
    with engine.execution("scope", "plan") as run, pytest.raises(TypeError, match="effect of step fetch is"):
        run.step("fetch", effect)
