"""Steps of a serve process that stops: what its children are, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.kernel.table import Select
from contextful.ports.world import Event
from contextful.run import holder
from contextful.run.own import own
from contextful.runner import schedule
from contextful.runner.schedule import Scheduler, Unit
from contextful.testing import SkippingWorld
from contextful_contract import limits
from tests.steps.arm import Fired
from tests.steps.stage import Stage

FIRST_PID = 100


class Told(SkippingWorld):
    """A world in whose first long wait the process is told to end."""

    error: BaseException | None = None

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """As ever, once that has been said."""
        error, self.error = self.error, None
        if error is not None:
            raise error
        return super().wait(event, timeout_ms)


class Group(Fired):
    """A child with a run of its own, and a process that it has started: how it takes being told is its own."""

    def __init__(self, stage: Stage, pid: int, *, heeds: bool, starts: bool) -> None:
        super().__init__(None, pid)
        self._stage = stage
        self._heeds = heeds
        self.left = starts
        self.killed_ms: int | None = None
        world = SkippingWorld(now_ms=stage.world.now_ms(), seed=pid, pid=pid)
        engine = contextful.Engine(stage.rows, stage.blobs, world)
        self.run = engine.attempt(own.TableScope(f"unit-{pid}", "it"), own.Pins("plan", {}), run_id=f"run-{pid}")

    def gone(self) -> bool:
        """Whether nothing of it is left."""
        return self.ended() and not self.left

    def end(self, *, force: bool) -> None:
        """Its process ends, and closes its run, if it takes note; what it has started ends by force alone."""
        if force:
            self.killed_ms = self._stage.world.now_ms()
            self.left = False
            self.code = -9 if self.code is None else self.code
        elif self._heeds:
            self.run.leave(contextful.Stopped("told to end"))
            self.code = 143


@dataclass
class Serve:
    """A serve process and its children."""

    stage: Stage
    children: list[Group] = field(default_factory=list)
    heeds: bool = True
    starts: bool = False
    told_ms: int = 0
    ends: list[str] = field(default_factory=list)

    def start(self, unit: Unit, _: Callable[[], None]) -> Group:
        """Begin a child."""
        pid = int(unit.key.removeprefix("unit-"))
        self.children.append(Group(self.stage, pid, heeds=self.heeds, starts=self.starts))
        return self.children[-1]

    def scheduler(self, count: int) -> Scheduler:
        """So many units that are due."""
        keys = [f"unit-{FIRST_PID + number}" for number in range(count)]
        units = [schedule.pipeline(key, "every 1h", (own.TableScope(key, "it"),)) for key in keys]
        made = Scheduler(
            self.stage.rows, self.stage.world, units, self.start, told=lambda key, _: self.ends.append(key)
        )
        made.arm()
        return made


@pytest.fixture
def serve(stage: Stage) -> Serve:
    """A serve process with no children."""
    return Serve(stage)


@given(parsers.re(r"a serve process with (?P<count>\d+) children that (?P<how>.+)"), converters={"count": int})
def serve_process_with(serve: Serve, count: int, how: str) -> None:
    serve.heeds = how != "ignore being told"
    serve.starts = how == "have children of their own"
    serve.stage.named["count"] = count


@when(parsers.re(r"it gets `(?P<signal>SIGTERM|SIGINT)`"))
def it_gets(serve: Serve, signal: str) -> None:
    """In the wait after its first beat, at which all of its children were fired; the face turns it into an error."""
    stage, count = serve.stage, serve.stage.named["count"]
    assert isinstance(count, int)
    stage.world = world = Told(now_ms=stage.world.now_ms())
    world.error = SystemExit(143) if signal == "SIGTERM" else KeyboardInterrupt()
    serve.told_ms = world.now_ms()
    with pytest.raises((SystemExit, KeyboardInterrupt)):
        serve.scheduler(count).keep(world.event())
    assert len(serve.children) == count


@then("its children have ended before it exits")
def children_have_ended(serve: Serve) -> None:
    assert all(child.gone() and child.killed_ms is None for child in serve.children)
    assert len(serve.ends) == len(serve.children)


@then(parsers.parse("its children are killed after {seconds:d} s"))
def children_are_killed(serve: Serve, seconds: int) -> None:
    assert seconds * 1_000 == limits.CHILD_GRACE_MS
    assert {child.killed_ms for child in serve.children} == {serve.told_ms + limits.CHILD_GRACE_MS}


@then("no process of their groups is left")
def no_process_is_left(serve: Serve) -> None:
    assert serve.children
    assert not any(child.left for child in serve.children)


@then(parsers.parse("{count:d} holder exits are recorded"))
def exits_are_recorded(serve: Serve, count: int) -> None:
    """Of the engines whose runs they were, each by its own identity."""
    found = {str(row["holder"]) for row in serve.stage.rows.select(Select(holder.EXIT, {}, limit=100))}
    runs = [serve.stage.onlooker().run(f"run-{child.pid}") for child in serve.children]
    assert found == {holder.identity(run.process) for run in runs if run is not None and run.process is not None}
    assert len(found) == count
