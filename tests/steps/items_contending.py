"""Steps of run.items: one job fires while an item of another is in its body."""

from __future__ import annotations

import threading

from pytest_bdd import parsers, then, when

from contextful.run import record
from contextful.runner.row import Row
from contextful.testing import SkippingWorld
from tests.steps.crew import Crew
from tests.steps.shift import WAIT_S

ALL_ALONG = 1 << 40


class Staying(SkippingWorld):
    """While the other fire waits, the leases of the first are renewed, until its item has been inside for so long."""

    def __init__(self, crew: Crew, stays_ms: int) -> None:
        super().__init__(now_ms=crew.stage.world.now_ms())
        self._crew = crew
        self._until_ms = self.now_ms() + stays_ms
        self.leaves = threading.Event()
        self.fire: threading.Thread | None = None

    def wait(self, event: threading.Event, timeout_ms: int) -> bool:  # type: ignore[override]
        """Skip the timeout."""
        happened = super().wait(event, timeout_ms)
        assert self.fire is not None
        if threading.current_thread() is self.fire:
            return happened
        if self.now_ms() >= self._until_ms:
            self.leaves.set()
            self.fire.join(WAIT_S)
        for run in self._crew.stage.onlooker().history():
            if run.lease is not None and run.host_scope.startswith("job:score"):
                self._crew.stage.rows.commit(record.renewed(run.run_id, run.lease.holder, self.now_ms()))
        return happened


def fires_meanwhile(crew: Crew, job: str, item: str, other: str, *, stays_ms: int = ALL_ALONG) -> None:
    """Fire the job while the item of the other is in its body, which it leaves so long after."""
    world = crew.stage.world = Staying(crew, stays_ms)
    entered = threading.Event()

    def stays(_: Row) -> None:
        entered.set()
        assert world.leaves.wait(WAIT_S)

    crew.turns[other, item] = [stays]
    world.fire = threading.Thread(target=crew.fire, args=[other])
    world.fire.start()
    assert entered.wait(WAIT_S)
    crew.stage.named["fired_ms"] = [world.now_ms()]
    crew.fire(job)
    crew.stage.named["error"] = [crew.stage.error]
    world.leaves.set()
    world.fire.join(WAIT_S)


@when(parsers.parse("job `{job}` fires while item `{item}` of job `{other}` is in its body"))
def fires_while_inside(crew: Crew, job: str, item: str, other: str) -> None:
    fires_meanwhile(crew, job, item, other)


@when(parsers.parse("job `{job}` fires while item `{item}` of job `{other}` is in its body for {seconds:d} s"))
def fires_while_inside_for(crew: Crew, job: str, item: str, other: str, seconds: int) -> None:
    fires_meanwhile(crew, job, item, other, stays_ms=seconds * 1_000)


@then(parsers.parse("in job `{job}` item `{item}` has entered its body after {seconds:d} s"))
def entered_after(crew: Crew, job: str, item: str, seconds: int) -> None:
    """Or as soon as somebody looked after that."""
    (began_ms,) = crew.stage.named["fired_ms"]  # type: ignore[misc]
    (at_ms,) = [at_ms for entry, each, at_ms in crew.entered if (entry, each) == (job, item)]
    assert 0 <= at_ms - began_ms - seconds * 1_000 < 5_000 * bool(seconds) + 1
