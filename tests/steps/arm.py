"""Steps of surface.arm, surface.dispatch and of run.retry.wake: entries, beats, and what was fired at them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.errors import ScheduleUnreadable
from contextful.kernel import instant
from contextful.ports.world import ChildOutcome, Event
from contextful.run import record
from contextful.run.own import own
from contextful.runner import schedule
from contextful.runner.schedule import Scheduler, Unit
from contextful.surface import arm, dispatch
from contextful.testing import SkippingWorld
from contextful_contract import limits
from contextful_contract.shapes import RunStatus
from tests.steps.stage import Stage, fails, instant_ms, returns


class Fired:
    """A unit's fire: over once somebody says so."""

    def __init__(self, code: int | None, pid: int = 0) -> None:
        self.code = code
        self.pid = pid

    def ended(self) -> bool:
        """Whether it is over."""
        return self.code is not None

    def gone(self) -> bool:
        """The same: it starts nothing."""
        return self.ended()

    def end(self, *, force: bool) -> None:
        """End it."""
        self.code = self.code or 0

    def outcome(self) -> ChildOutcome:
        """How it ended."""
        assert self.code is not None
        return ChildOutcome(self.code, b"", b"")

    def close(self) -> None:
        """It holds nothing."""


class Until(SkippingWorld):
    """A world that is over at an instant, once whatever happens then has happened."""

    def __init__(self, ends_ms: int, *, now_ms: int) -> None:
        super().__init__(now_ms=now_ms)
        self.over = self.event()
        self._ends_ms = ends_ms

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """As ever, up to the end."""
        waited = super().wait(event, timeout_ms)
        if self.now_ms() > self._ends_ms:
            self.over.set()
        return waited


@dataclass
class Cadence:
    """The entries of a scenario, their scheduler, and the keys that it fired in their order."""

    stage: Stage
    schedules: dict[str, str | None] = field(default_factory=dict)
    started_ms: dict[str, int] = field(default_factory=dict)
    dispatched_ms: dict[str, int] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)  # whose fires last
    failing: set[str] = field(default_factory=set)
    fires: list[str] = field(default_factory=list)
    children: list[Fired] = field(default_factory=list)
    on_fire: Callable[[str], None] = lambda _: None
    made: Scheduler | None = None

    def scheduler(self) -> Scheduler:
        """The scheduler over those entries, armed as far as they can be."""
        if self.made is None:
            units = [
                schedule.job(key, text, ())
                if key.startswith("job:")
                else schedule.pipeline(key, text, (own.TableScope(key, key),))
                for key, text in self.schedules.items()
            ]
            self.made = Scheduler(self.stage.rows, self.stage.world, units, self._start, told=lambda *_: None)
            self.stage.seen["refused"] += self.made.arm()
        return self.made

    def beat_at(self, at: str) -> list[str]:
        """One beat at an instant; what it fired."""
        self.come_to(at)
        return self.beat()

    def come_to(self, at: str) -> None:
        """It is that instant."""
        self._come_about()
        self.stage.world.skip(instant_ms(at) - self.stage.world.now_ms())

    def beat(self) -> list[str]:
        """One beat; what it fired."""
        return list(self.scheduler().beat())

    def _come_about(self) -> None:
        """What is on record: an entry that never ran is due at any beat, and so has one; its run comes after."""
        for key, at_ms in self.dispatched_ms.items():
            self.stage.world.skip(at_ms - self.stage.world.now_ms())
            assert key in self.scheduler().beat()
        self.dispatched_ms.clear()
        for key, at_ms in self.started_ms.items():
            of = {"host_scope": key} if key.startswith("job:") else {"pipeline_id": key, "table": key}
            run = record.Run(f"run-{key}", "exec", None, "site", RunStatus.RUNNING, at_ms, **of)
            failure = contextful.Failure(contextful.FailureTag.TRANSIENT, "no luck")
            self.stage.rows.commit(record.turned_away(run, failure, at_ms))
        self.started_ms.clear()
        self.fires.clear()

    def _start(self, unit: Unit, _: Callable[[], None]) -> Fired:
        self.fires.append(unit.key)
        self.on_fire(unit.key)
        self.children.append(Fired(None if unit.key in self.busy else int(unit.key in self.failing)))
        return self.children[-1]


@pytest.fixture
def cadence(stage: Stage) -> Cadence:
    """The entries on that stage."""
    return Cadence(stage)


@given(parsers.parse("an entry `{key}` with `{schedule}`"))
def entry_with(cadence: Cadence, key: str, schedule: str) -> None:
    cadence.schedules[key] = schedule


@given(parsers.parse("an entry `{key}` without a schedule"))
def entry_without(cadence: Cadence, key: str) -> None:
    cadence.schedules[key] = None


@given(parsers.parse("entries `{first}` with `{schedule}` and `{second}` with `{other}`"))
def two_entries(cadence: Cadence, first: str, schedule: str, second: str, other: str) -> None:
    cadence.schedules |= {first: schedule, second: other}


@given("it never ran")
def never_ran(stage: Stage) -> None:
    assert stage.onlooker().history() == []


@given(parsers.parse("its last start was `{at}`"))
def last_start(cadence: Cadence, at: str) -> None:
    (key,) = cadence.schedules
    cadence.started_ms[key] = instant_ms(at)


@given(parsers.parse("its last dispatch was `{at}`"))
def last_dispatch(cadence: Cadence, at: str) -> None:
    (key,) = cadence.schedules
    cadence.dispatched_ms[key] = instant_ms(at)


@given(parsers.parse("a unit `{key}` on the schedule `{schedule}`, last fired at `{at}`"))
def unit_last_fired(stage: Stage, cadence: Cadence, key: str, schedule: str, at: str) -> None:
    """The unit's fire is an attempt at its one table."""
    cadence.schedules[key] = schedule
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    stage.scope = own.TableScope(key, key)
    cadence.on_fire = lambda _: _attempt(stage)


@given(parsers.parse("its attempt waits until `{at}`"))
def attempt_waits(stage: Stage, at: str) -> None:
    wait_s = (instant_ms(at) - stage.world.now_ms()) // 1_000
    stage.effect().script = [fails("RateLimited", retry_after_s=wait_s), returns("ok")]
    _attempt(stage)
    owner = stage.owner()
    assert owner is not None
    assert owner.waiting_until_ms == instant_ms(at)


@given(parsers.re(r"(?P<kind>job|pipeline) `(?P<name>\w+)` is in flight"))
def unit_is_in_flight(cadence: Cadence, kind: str, name: str) -> None:
    key = _key(kind, name)
    cadence.busy.add(key)
    cadence.schedules[key] = "every 1s"


@given(parsers.parse("the entries `{due}` are due and `{other}` is not"))
def some_are_due(stage: Stage, cadence: Cadence, due: str, other: str) -> None:
    cadence.schedules |= dict.fromkeys([*due.split(", "), other], "every 1h")
    cadence.started_ms[other] = stage.world.now_ms()


@given(parsers.parse("the entries `{due}` are due and `{failing}` fails"))
def some_fail(cadence: Cadence, due: str, failing: str) -> None:
    cadence.schedules |= dict.fromkeys(due.split(", "), "every 1h")
    cadence.failing.add(failing)


@when(parsers.parse("the schedule `{schedule}` last fired at `{at}`"))
def schedule_last_fired(stage: Stage, schedule: str, at: str) -> None:
    stage.outcome = arm.after(arm.read("it", schedule), instant_ms(at))


@when("the scheduler arms them")
def scheduler_arms(cadence: Cadence) -> None:
    cadence.scheduler()


@when(parsers.parse("the scheduler beats at `{at}`"))
def scheduler_beats(cadence: Cadence, at: str) -> None:
    cadence.beat_at(at)


@when(parsers.parse("the scheduler runs from `{first}` to `{last}`"))
def scheduler_runs(stage: Stage, cadence: Cadence, first: str, last: str) -> None:
    """Its own loop, in a world whose waits move the clock."""
    cadence.come_to(first)
    stage.world = Until(instant_ms(last), now_ms=stage.world.now_ms())
    cadence.scheduler().keep(stage.world.over)


@when(parsers.re(r"(?P<kind>job|pipeline) `(?P<name>\w+)` falls due"))
def unit_falls_due(cadence: Cadence, kind: str, name: str) -> None:
    key = _key(kind, name)
    cadence.busy.add(key)
    cadence.schedules[key] = "every 1s"
    cadence.beat()
    cadence.stage.world.skip(1_000)
    cadence.beat()


@when(parsers.parse("{count:d} units fall due at one beat"))
def units_fall_due(cadence: Cadence, count: int) -> None:
    cadence.schedules |= {f"unit-{number}": "every 1h" for number in range(count)}
    cadence.busy |= cadence.schedules.keys()
    cadence.beat()


@when("a cycle runs")
def cycle_runs(stage: Stage, cadence: Cadence) -> None:
    cadence.come_to(instant.spell(stage.world.now_ms()))
    stage.shown = answer = cadence.scheduler().cycle()
    stage.outcome = dispatch.exit_code(answer)


@then(parsers.parse("it is next due at `{at}`"))
def is_next_due(stage: Stage, at: str) -> None:
    assert stage.outcome == instant_ms(at)


@then(parsers.parse("`{key}` is next due at `{at}`"))
def entry_is_next_due(stage: Stage, cadence: Cadence, key: str, at: str) -> None:
    assert cadence.scheduler().next_due_ms(key, stage.world.now_ms()) == instant_ms(at)


@then(parsers.parse("`ScheduleUnreadable` is raised for `{key}`"))
def is_unreadable(stage: Stage, key: str) -> None:
    assert [(type(each), each.entry) for each in stage.seen["refused"]] == [(ScheduleUnreadable, key)]  # type: ignore[attr-defined]


@then(parsers.parse("`{key}` is armed"))
def is_armed(cadence: Cadence, key: str) -> None:
    assert cadence.beat() == [key]


@then(parsers.parse("`{key}` fires {count:d} times"))
def fires_times(cadence: Cadence, key: str, count: int) -> None:
    assert cadence.fires.count(key) == count


@then(parsers.parse("unit `{key}` fires"))
def unit_fires(cadence: Cadence, key: str) -> None:
    assert cadence.fires == [key]


@then("no unit fires")
def no_unit_fires(cadence: Cadence) -> None:
    assert cadence.fires == []


@then("its owner holds no instant")
def owner_holds_no_instant(stage: Stage) -> None:
    """It was cleared by the claim, while the attempt was at work."""
    assert stage.seen["claimed"] == [None]
    assert stage.effect().count() == 2


@then(parsers.parse("it beats {count:d} times"))
def beats_times(stage: Stage, count: int) -> None:
    """It waits after each."""
    assert stage.world.waits_ms == [limits.SURFACE_TICK_MS] * count


@then(
    parsers.re(r"(?P<kind>job|pipeline) `(?P<name>\w+)` is in flight (?P<count>\d+) times"), converters={"count": int}
)
def is_in_flight(cadence: Cadence, kind: str, name: str, count: int) -> None:
    assert cadence.fires.count(_key(kind, name)) == count


@then(parsers.parse("{count:d} units are in flight"))
def units_are_in_flight(cadence: Cadence, count: int) -> None:
    assert len(cadence.fires) == count


@then(parsers.parse("{count:d} units are due at the next beat"))
def units_are_due(cadence: Cadence, count: int) -> None:
    for each in cadence.children:
        each.code = 0
    assert len(cadence.beat()) == count


def _key(kind: str, name: str) -> str:
    return name if kind == "pipeline" else f"job:{name}"


def _attempt(stage: Stage) -> None:
    """An attempt at the unit's table: one step."""
    stage.begin()
    pins = own.Pins("plan", {})
    try:
        with stage.engine().attempt(stage.scope, pins, run_id=stage.run_id) as run:
            owner = stage.owner()
            assert owner is not None
            if stage.effect().count():
                stage.seen["claimed"].append(owner.waiting_until_ms)
            stage.perform(run, stage.label)
    except contextful.Suspended as waits:
        stage.error = waits
