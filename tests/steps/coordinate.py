"""Steps of schedulers that share a catalog: which of them dispatches."""

from __future__ import annotations

from collections.abc import Callable

from pytest_bdd import given, parsers, then, when

from contextful.kernel.table import Row
from contextful.runner import schedule
from contextful.runner.schedule import Scheduler, Unit
from contextful.surface import cadence
from contextful_contract import limits
from tests.steps.arm import Cadence, Fired
from tests.steps.stage import Stage

KEY = "shop"


@given("another scheduler holds the cadence lease")
def another_holds(stage: Stage, cadence: Cadence) -> None:
    cadence.schedules[KEY] = "every 1h"
    other = Scheduler(stage.rows, stage.world, [], lambda *_: Fired(0), told=lambda *_: None)
    other.beat()


@given("2 schedulers of one deployment")
def two_schedulers(stage: Stage) -> None:
    fired: list[object] = stage.seen["fires"]

    def start(unit: Unit, _: Callable[[], None]) -> Fired:
        fired.append(unit.key)
        return Fired(0)

    units = [schedule.pipeline(KEY, "every 1h", ())]
    made = [Scheduler(stage.rows, stage.world, units, start, told=lambda *_: None) for _ in range(2)]
    for each in made:
        each.arm()
    stage.named["schedulers"] = made


@given("the one with the cadence lease dies")
def the_one_dies(stage: Stage) -> None:
    """It has fired what was due, and beats no more."""
    first, second = schedulers(stage)
    assert (first.beat(), second.beat()) == ([KEY], [])
    stage.named["dead"] = lease(stage)["holder"]


@when("an entry falls due")
def entry_falls_due(stage: Stage) -> None:
    for _ in range(3):
        for each in schedulers(stage):
            each.beat()
        stage.world.skip(limits.SURFACE_TICK_MS)


@then(parsers.parse("it is fired {count:d} times"))
def is_fired(stage: Stage, count: int) -> None:
    assert stage.seen["fires"] == [KEY] * count


@then("the other has the cadence lease")
def the_other_has_it(stage: Stage) -> None:
    """As of its next beat; a moment before, it had not."""
    _, second = schedulers(stage)
    stage.world.skip(-1)
    second.beat()
    assert lease(stage)["holder"] == stage.named["dead"]
    stage.world.skip(1)
    second.beat()
    assert lease(stage)["holder"] != stage.named["dead"]


def schedulers(stage: Stage) -> list[Scheduler]:
    """The two of them."""
    made = stage.named["schedulers"]
    assert isinstance(made, list)
    return made


def lease(stage: Stage) -> Row:
    """The lease as it stands."""
    row = stage.rows.get(cadence.CADENCE, (cadence.NAME,))
    assert row is not None
    return row
