"""Steps of run.retry about the bounds that a connector's host sets."""

from __future__ import annotations

import json
from collections.abc import Callable

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.faces.shapes import to_json
from contextful.testing import SkippingWorld
from contextful_contract import limits
from tests.steps.script import Act
from tests.steps.shop import Shop
from tests.steps.stage import Stage


class Hanging(SkippingWorld):
    """A world in which one call goes on for as long as anybody waits for it."""

    def __init__(self, call: int) -> None:
        super().__init__()
        self._call = call

    def aside(self, name: str, work: Callable[[], None]) -> None:
        """Do the work at once, unless it is that call."""
        self._call -= 1
        if self._call != 0:
            super().aside(name, work)


@given(parsers.parse("a connector whose call {call:d} strikes `{bound}`"))
def connector_strikes(stage: Stage, shop: Shop, call: int, bound: str) -> None:
    shop.listing.number(2)
    if bound == "call-deadline":
        stage.world = Hanging(call)
    else:
        shop.listing.failing["orders"] = _exhausted(call)


@when(parsers.parse("step `{label}` calls it"))
def step_calls_it(stage: Stage, shop: Shop, label: str) -> None:
    """With an attempt and no other, so that the first one's failure is told."""
    shop.pipeline["retry"] = {"attempts": 1}
    shop.fire()
    assert isinstance(stage.error, contextful.ContextfulError)
    assert isinstance(stage.error.__cause__, contextful.StepFailed)
    stage.error = stage.error.__cause__
    assert stage.error.label == label


@then(parsers.parse("the run record lists the bound hit `{hit}`"))
def lists_the_bound_hit(stage: Stage, hit: str) -> None:
    assert [to_json(each) for each in stage.run().bound_hits] == [json.loads(hit)]
    waits_ms = stage.world.waits_ms
    assert waits_ms[0] == limits.CONNECTOR_READ_DEADLINE_MS


def _exhausted(call: int) -> Act:
    calls = iter(range(1, call + 1))

    def act() -> None:
        if next(calls, 0) == call:
            raise MemoryError

    return act
