"""Which failed steps end a run, and are tried again by the next attempt."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import StepFailed
from contextful.testing import SkippingWorld

Body = Callable[[contextful.Execution, "Vendor"], object]


class Vendor:
    """Effects by name that count, and fail while the vendor is down."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.down = True

    def __call__(self, name: str) -> str:
        self.asked.append(name)
        if self.down:
            raise contextful.Permanent("down")
        return name


def itself(run: contextful.Execution, vendor: Vendor) -> object:
    return run.step("fetch", vendor, "fetch")


def wrapped(run: contextful.Execution, vendor: Vendor) -> object:
    try:
        return run.step("fetch", vendor, "fetch")
    except StepFailed as refusal:
        raise KeyError("no page") from refusal


def while_handled(run: contextful.Execution, vendor: Vendor) -> object:
    try:
        return run.step("fetch", vendor, "fetch")
    except StepFailed:
        raise KeyError("no page")  # noqa: B904 (as bodies do)


def hidden(run: contextful.Execution, vendor: Vendor) -> object:
    try:
        return run.step("fetch", vendor, "fetch")
    except StepFailed:
        raise KeyError("no page") from None


def copied(run: contextful.Execution, vendor: Vendor) -> object:
    try:
        return run.step("fetch", vendor, "fetch")
    except StepFailed as refusal:
        error: StepFailed = copy.copy(refusal)
    raise error


def from_another_process(run: contextful.Execution, vendor: Vendor) -> object:
    try:
        return run.step("fetch", vendor, "fetch")
    except StepFailed as refusal:
        error: StepFailed = pickle.loads(pickle.dumps(refusal))
    raise error


def grouped(run: contextful.Execution, vendor: Vendor) -> object:
    errors = []
    for name in ("fetch", "other"):
        try:
            run.step(name, vendor, name)
        except StepFailed as refusal:
            errors.append(refusal)
    if errors:
        raise ExceptionGroup("pages", errors)
    return "fetch"


def nested(run: contextful.Execution, vendor: Vendor) -> object:
    return run.step("outer", lambda: run.step("fetch", vendor, "fetch"))


def beside(run: contextful.Execution, vendor: Vendor) -> object:
    def no_step() -> str:
        if vendor.down:
            raise ValueError("no step of its own")
        return ""

    return run.gather("both", {"a": no_step, "b": partial(run.step, "fetch", vendor, "fetch")})["b"]


ENDINGS: list[Body] = [itself, wrapped, while_handled, hidden, copied, from_another_process, grouped, nested, beside]


@pytest.fixture
def engine() -> contextful.Engine:
    rows = MemoryRows()
    return contextful.Engine(rows, RowBlobs(rows), SkippingWorld())


def attempt(engine: contextful.Engine, body: Body, vendor: Vendor) -> object:
    """What the body returns, under the one scope, past a step that is recorded."""
    with engine.execution("index-42", "plan-a") as run:
        run.step("paid", lambda: 1)
        return body(run, vendor)


@pytest.mark.clause("run.retry.failure-let-go")
@pytest.mark.parametrize("body", ENDINGS, ids=lambda body: body.__name__)
def test_a_failed_step_that_ends_the_run_is_tried_again(engine: contextful.Engine, body: Body) -> None:
    vendor = Vendor()
    with pytest.raises((StepFailed, KeyError, ValueError, ExceptionGroup)):
        attempt(engine, body, vendor)
    vendor.down = False

    assert attempt(engine, body, vendor) == "fetch"
    assert vendor.asked.count("fetch") == 2


@pytest.mark.clause("run.retry.failure-let-go")
def test_a_failed_step_of_the_same_label_that_was_caught_before_stays_failed(engine: contextful.Engine) -> None:
    vendor = Vendor()

    def body(run: contextful.Execution, vendor: Vendor) -> object:
        with pytest.raises(StepFailed):
            run.step("fetch", vendor, "first")
        return run.step("fetch", vendor, "second")

    for _ in range(2):
        with pytest.raises(StepFailed):
            attempt(engine, body, vendor)

    assert vendor.asked == ["first", "second", "second"]


@pytest.mark.clause("run.retry.failure-let-go")
def test_an_attempt_that_comes_to_wait_is_ended_by_no_failure(engine: contextful.Engine) -> None:
    vendor = Vendor()

    def body(run: contextful.Execution, vendor: Vendor) -> object:
        try:
            return run.step("fetch", vendor, "fetch")
        except StepFailed:
            return run.wait("approve")

    for _ in range(2):
        with pytest.raises(contextful.Suspended):
            attempt(engine, body, vendor)

    assert vendor.asked == ["fetch"]


@pytest.mark.clause("run.retry.failure-let-go")
def test_a_refusal_of_the_contract_is_tried_again_once_its_cause_is_cured(engine: contextful.Engine) -> None:
    wired: list[str] = []

    def body(run: contextful.Execution, vendor: Vendor) -> object:
        return run.step("fetch", lambda: wired[0] if wired else engine.capability("vendor"))

    with pytest.raises(StepFailed):
        attempt(engine, body, Vendor())
    wired.append("by now")

    assert attempt(engine, body, Vendor()) == "by now"


def test_a_step_around_one_that_failed_spends_no_attempts_on_it(engine: contextful.Engine) -> None:
    asked: list[str] = []

    def throttled() -> None:
        raise contextful.Transient("later")

    def outer(run: contextful.Execution) -> object:
        asked.append("outer")
        return run.step("inner", throttled)

    with pytest.raises(StepFailed), engine.execution("index-42", "plan-a") as run:
        run.step("outer", outer, run, input=None)

    assert asked == ["outer"]


def test_an_error_that_is_its_own_cause_ends_the_run_all_the_same(engine: contextful.Engine) -> None:
    error = ValueError("round and round")
    other = KeyError("and round")
    error.__cause__, other.__cause__ = other, error

    with pytest.raises(ValueError, match="round"), engine.execution("index-42", "plan-a", run_id="run-a"):
        raise error

    run = engine.run("run-a")
    assert run is not None
    assert run.status == "failed"
