"""The scheduler where something goes wrong: fires that cannot begin, that claim nothing, and storage that fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.ports.world import Child
from contextful.run.own import own
from contextful.runner.schedule import Scheduler, Unit, pipeline
from contextful.surface import arm
from contextful.testing import SkippingWorld, engine
from contextful_contract import limits

SCOPE = own.TableScope("shop", "orders")
WAIT_MS = 1_200_000


class Fires:
    """What was fired: nothing comes of it, and it has ended at once."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.failing = 0

    def __call__(self, unit: Unit, _: Callable[[], None]) -> Child:
        if self.failing:
            self.failing -= 1
            raise OSError("no more processes")
        self.keys.append(unit.key)
        return SkippingWorld().child(["true"], b"", lambda: None)


def waiting(rows: MemoryRows, world: SkippingWorld) -> None:
    """Leave a run of the table that waits."""

    def throttled() -> None:
        raise contextful.RateLimited("later", retry_after_ms=WAIT_MS)

    with (
        pytest.raises(contextful.Suspended),
        engine(rows, world=world).attempt(SCOPE, own.Pins("plan", {})) as run,
    ):
        run.step("pull", throttled)


@pytest.fixture
def world() -> SkippingWorld:
    return SkippingWorld()


@pytest.fixture
def fires() -> Fires:
    return Fires()


def scheduler(rows: MemoryRows, world: SkippingWorld, fires: Fires, *schedules: str | None) -> Scheduler:
    units = [pipeline(f"shop{at or ''}", schedule, (SCOPE,) if not at else ()) for at, schedule in enumerate(schedules)]
    made = Scheduler(rows, world, units, fires, told=lambda *_: None)
    assert made.arm() == []
    return made


@pytest.mark.clause("run.retry.wake")
def test_a_unit_without_a_schedule_is_woken_too_once_an_instant(world: SkippingWorld, fires: Fires) -> None:
    rows = MemoryRows()
    waiting(rows, world)
    made = scheduler(rows, world, fires, None)

    fired = []
    for skipped_ms in (0, WAIT_MS - 1, 1, 500, arm.WAKE_AGAIN_MS - 501, 1):
        world.skip(skipped_ms)
        fired.append(len(made.beat()))
    made.close()

    assert fired == [0, 0, 1, 0, 0, 1], "again only where a fire has claimed nothing for as long as a lease lasts"


def test_a_fire_that_cannot_begin_is_tried_at_the_next_beat_and_holds_up_no_other(
    world: SkippingWorld, fires: Fires
) -> None:
    made = scheduler(MemoryRows(), world, fires, "every 1h", "every 1h")
    fires.failing = 1

    beats = [made.beat(), made.beat()]
    made.close()

    assert beats == [["shop1"], ["shop"]]


@pytest.mark.parametrize(
    "spelled",
    [
        *("every 0s", "every 1w", "every 1.5h", "every  1h", "every 99999d", "Every 1h", ""),
        *("@hourly", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8"),
        *("5-1 * * * *", "*/0 * * * *", "1, * * * *", "? * * * *", "0 0 L * *", "0 0 * * MON", "٣ * * * *"),
        "0 0 31 2 *",  # no such day
    ],
)
def test_what_is_no_schedule_is_refused(spelled: str) -> None:
    with pytest.raises(contextful.errors.ScheduleUnreadable):
        arm.read("shop", spelled)


@pytest.mark.clause("topology.coordinate.cadence-lease")
def test_a_scheduler_that_ends_gives_its_lease_back_and_one_that_was_paused_has_lost_it(
    world: SkippingWorld, fires: Fires
) -> None:
    rows = MemoryRows()
    paused, other = scheduler(rows, world, fires, "every 1h"), scheduler(rows, world, fires, "every 1h")

    first = paused.beat()
    world.skip(limits.CADENCE_LEASE_TTL_MS + 3_600_000)
    second, third = other.beat(), paused.beat()
    other.close()
    world.skip(3_600_000)
    fourth = paused.beat()
    paused.close()

    assert (first, second, third, fourth) == (["shop"], ["shop"], [], ["shop"])
