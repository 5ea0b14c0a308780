"""Performs surface.arm and surface.dispatch: at each beat, what is due is handed to a child process of its own.

beat ---- 500 ms ---- beat ---- …
 | the children that have ended are told of, what is due and idle is fired, up to 4 at once
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.ports.world import Child, ChildOutcome, Event, World
from contextful.run import holder, record
from contextful.run.own import own
from contextful.runner import child
from contextful.runner.own import standing_owner
from contextful.surface import arm, cadence, dispatch
from contextful_contract import limits
from contextful_contract.errors import ScheduleUnreadable
from contextful_contract.shapes import CycleAnswer, RunStatus

LOG = logging.getLogger(__name__)
PAGE_RUNS = 50
PAGES_MAX = 200  # chunks of one backfill, times 50: as many as it may have
HELD_MAX = 1_000  # runs of one fire that are looked through for who held them


@dataclass(frozen=True, slots=True)
class Unit:
    """What is fired together: its key, its schedule as it was written, and the scopes that its fire owns.

    `command` is what a child of this program is called with; `runs` is what the rows of the runs that it opens equal.
    """

    key: str
    schedule: str | None
    scopes: Sequence[own.Scope]
    command: Sequence[str]
    runs: Sequence[Row]


def pipeline(pipeline_id: str, schedule: str | None, scopes: Sequence[own.Scope]) -> Unit:
    """The unit of a pipeline, which opens a run for each of its tables."""
    command = ("pipeline", "run", pipeline_id)
    return Unit(pipeline_id, schedule, scopes, command, ({"pipeline_id": pipeline_id},))


def job(key: str, schedule: str | None, command: Sequence[str]) -> Unit:
    """The unit of a job, whose fire is a host's scope of the same name."""
    runs = [{"host_scope": key, "status": status.value} for status in RunStatus]
    return Unit(key, schedule, (own.HostScope(key),), command, runs)


Start = Callable[[Unit, Callable[[], None]], Child]  # begins a unit's fire; what it is given is called at its end
Told = Callable[[str, ChildOutcome], None]  # hears which unit's fire has ended, and how
Elsewhere = Callable[[str], int | None]  # says when another node began a unit's last run, by what was pulled of it


def nowhere(_key: str) -> int | None:
    """No other node is known of."""
    return None


class Scheduler:
    """The units of a project, when each was fired last, and the children that are at work on them."""

    def __init__(
        self,
        rows: Rows,
        world: World,
        units: Sequence[Unit],
        start: Start,
        *,
        told: Told,
        elsewhere: Elsewhere = nowhere,
    ) -> None:
        self._rows = rows
        self._world = world
        self._units = {unit.key: unit for unit in units}
        self._start = start
        self._told = told
        self._elsewhere = elsewhere
        self._schedules: dict[str, arm.Schedule] = {}
        self._fired_ms: dict[str, int] = {}
        self._in_flight: dict[str, Child] = {}
        self._failed: list[str] = []
        self._ended = world.event()
        self._holder = f"scheduler-{world.draw(64):016x}"
        self._leads_ms: int | None = None  # when the lease was last granted to this one
        self._followed = False

    def arm(self) -> Sequence[ScheduleUnreadable]:
        """Read every schedule; those that cannot be read are refused, and leave the others as they are."""
        refused = []
        for key, unit in self._units.items():
            if unit.schedule is None:
                continue  ##= surface.arm.unarmed
            try:
                self._schedules[key] = arm.read(key, unit.schedule)
            except ScheduleUnreadable as refusal:
                refused.append(refusal)
        return refused

    def beat(self) -> Sequence[str]:
        """Fire what is due, if no other scheduler is there to do so; the keys of what was fired."""
        self._reap()
        if not self._leads():
            return []  ##= surface.dispatch.cycle-exit
        return [key for key in dispatch.fired(self._due(), self._in_flight) if self._fire(key)]

    def keep(self, stopped: Event) -> None:
        """Beat until the event; then end what is in flight, and wait until it is gone."""
        try:
            while not stopped.is_set():  # ends: as its process is told to
                try:
                    self.beat()
                except Exception:
                    LOG.warning("what is due was not read; trying again", exc_info=True)
                self._world.wait(stopped, limits.SURFACE_TICK_MS)  ##= surface.arm.tick
        finally:
            self.close()

    def cycle(self) -> CycleAnswer:
        """One beat, and the end of all that it fired."""
        self._failed.clear()
        try:
            fired = self.beat()
            while self._in_flight:  # ends: with the last child
                self._ended = self._world.event()  # before the look: whoever ends after it is heard
                self._reap()
                if self._in_flight:
                    self._leads()
                    self._world.wait(self._ended, limits.CADENCE_LEASE_RENEWAL_MS)
        finally:
            self.close()
        now_ms = self._world.now_ms()
        due_ms = [at_ms for key in self._schedules if (at_ms := self.next_due_ms(key, now_ms)) is not None]
        ##= surface.dispatch.cycle-answer
        return CycleAnswer(
            fired=tuple(sorted(fired)),
            failed=tuple(sorted(self._failed)),
            pending=tuple(key for key in self._due() if key not in fired),
            armed=len(self._schedules),
            unarmed=tuple(key for key in sorted(self._units) if key not in self._schedules),
            next_due=min(due_ms, default=None),
        )

    def next_due_ms(self, key: str, now_ms: int) -> int | None:
        """From when on an armed unit is due by its schedule."""
        started_ms, fired_ms = self._started_ms(key, now_ms), self._fired_ms.get(key)
        return arm.due_ms(self._schedules[key], started_ms=started_ms, fired_ms=fired_ms, now_ms=now_ms)

    def close(self) -> None:
        """End what is in flight, all of it at once, and wait until nothing of it is left."""
        child.reaped(self._world, list(self._in_flight.values()))
        self._reap()
        self._rows.commit(cadence.returned(self._holder))

    def _leads(self) -> bool:
        """Whether this scheduler dispatches: it has the lease, or has just come by it."""
        now_ms = self._rows.now_ms(self._world.now_ms())
        if self._leads_ms is not None and 0 <= now_ms - self._leads_ms < limits.CADENCE_LEASE_RENEWAL_MS:
            return True
        change = cadence.granted(self._rows.get(cadence.CADENCE, (cadence.NAME,)), self._holder, now_ms)
        leads = change is not None and self._rows.commit(change)
        if not leads and not self._followed:
            LOG.warning("another scheduler of this project dispatches; this one waits for its lease to lapse")
        self._followed = not leads
        self._leads_ms = now_ms if leads else None
        return leads

    def _fire(self, key: str) -> bool:
        """Whether the unit's fire has begun."""
        try:
            child = self._start(self._units[key], lambda: self._ended.set())
        except OSError:
            LOG.warning("unit %s was not fired; trying again", key, exc_info=True)
            return False
        self._fired_ms[key] = self._world.now_ms()
        self._in_flight[key] = child
        return True

    def _due(self) -> Sequence[str]:
        """What is due now: first those who have waited for their instant, then those whose schedule says so."""
        now_ms = self._world.now_ms()
        awake = [key for key in sorted(self._units) if self._wakes(key, now_ms)]
        by_schedule = {key: self.next_due_ms(key, now_ms) for key in sorted(self._schedules) if key not in awake}
        return [*awake, *(key for key, due_ms in by_schedule.items() if due_ms is not None and due_ms <= now_ms)]

    def _wakes(self, key: str, now_ms: int) -> bool:
        owners = [standing_owner(self._rows, scope) for scope in self._units[key].scopes]
        fired_ms = self._fired_ms.get(key)
        return any(
            owner is not None and arm.wakes(owner.waiting_until_ms, fired_ms=fired_ms, now_ms=now_ms)
            for owner in owners
        )

    def _started_ms(self, key: str, now_ms: int) -> int | None:
        """When the unit's last run began, here or on another node, that did not begin in the future."""
        known = [self._lived_ms(key, now_ms), self._elsewhere(key)]
        return max((at_ms for at_ms in known if at_ms is not None and at_ms <= now_ms), default=None)

    def _lived_ms(self, key: str, now_ms: int) -> int | None:
        """When its last run began here. Runs that read history again are none."""
        before = now_ms + 1
        for _ in range(PAGES_MAX):
            runs = sorted(self._runs(key, before=before, limit=PAGE_RUNS), key=lambda run: -run.started_ms)
            if live := [run.started_ms for run in runs if run.chunk is None and not run.table.endswith(own.SEED)]:
                return live[0]
            if len(runs) < PAGE_RUNS:
                return None
            before = runs[-1].started_ms
        return before

    def _runs(self, key: str, *, limit: int, since: int | None = None, before: int | None = None) -> list[record.Run]:
        """The newest runs that the unit's fires have opened; of each status as many, where it is a job's."""
        asked = [
            Select(record.RUN, equal, order="started_ms", since=since, before=before, descending=True, limit=limit)
            for equal in self._units[key].runs
        ]
        return [record.from_row(row) for select in asked for row in self._rows.select(select)]

    def _reap(self) -> None:
        """Tell of the children that have ended."""
        for key, each in list(self._in_flight.items()):
            if each.ended():
                del self._in_flight[key]
                outcome = each.outcome()
                each.close()
                if dispatch.failed(outcome.code):
                    self._failed.append(key)
                self._exited(key, each)
                self._told(key, outcome)

    def _exited(self, key: str, ended: Child) -> None:
        """Write down that the engine has ended with its process; its runs say which one that was."""
        now_ms = self._world.now_ms()
        runs = self._runs(key, since=self._fired_ms.get(key), limit=HELD_MAX)
        here = [
            run.process
            for run in runs
            if run.process and (run.process.pid, run.process.boot_id) == (ended.pid, self._world.boot_id())
        ]
        for identity in sorted({holder.identity(process) for process in here}):
            self._rows.commit(holder.exited(identity, now_ms))  ##= surface.dispatch.children-reaped
