"""Bounds that a connector strikes, and what the run's row keeps of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.kernel.failure import CALL_DEADLINE, LINEAR_MEMORY, Struck
from contextful.runner.engine import Engine
from contextful.testing import Crash, Crashes, SkippingWorld, engine
from contextful_contract.shapes import BoundHit


def strikes(*bounds: str) -> Callable[[], str]:
    """An effect that strikes these bounds, call by call, and then returns."""
    left = list(bounds)

    def effect() -> str:
        if left:
            raise Struck(left.pop(0), "a call")
        return "ok"

    return effect


def opened(rows: MemoryRows, world: SkippingWorld, crashes: Crashes | None = None) -> Engine:
    return engine(rows, world=world, crashes=crashes)


@pytest.mark.clause("run.retry.bound-hit-recorded")
def test_every_strike_is_kept_in_its_order_with_its_attempt() -> None:
    rows, world = MemoryRows(), SkippingWorld()

    with opened(rows, world).execution("scope", "plan", run_id="run-1") as run:
        run.step("a", strikes(CALL_DEADLINE, LINEAR_MEMORY))
        run.step("b", strikes(CALL_DEADLINE))

    row = opened(rows, world).run("run-1")
    assert row is not None
    assert [(hit.step_label, hit.attempt, hit.bound) for hit in row.bound_hits] == [
        ("a", 1, CALL_DEADLINE),
        ("a", 2, LINEAR_MEMORY),
        ("b", 1, CALL_DEADLINE),
    ]


@pytest.mark.clause("run.retry.bound-hit-recorded")
def test_a_strike_is_on_the_row_before_any_wait() -> None:
    rows, world, crashes = MemoryRows(), SkippingWorld(), Crashes()
    world.dies_after(1, crashes.die)

    with pytest.raises(Crash), opened(rows, world, crashes).execution("scope", "plan", run_id="run-1") as run:
        run.step("a", strikes(CALL_DEADLINE))

    row = opened(rows, world).run("run-1")
    assert row is not None
    assert row.bound_hits == (BoundHit(step_label="a", attempt=1, bound=CALL_DEADLINE),)


@pytest.mark.clause("run.retry.bound-hit-is-transient")
def test_a_strike_is_transient_and_keeps_its_bound_in_another_process() -> None:

    failure = pickle.loads(pickle.dumps(Struck(CALL_DEADLINE, "a call"))).failure

    assert (failure.tag, failure.bound) == (contextful.FailureTag.TRANSIENT, CALL_DEADLINE)
