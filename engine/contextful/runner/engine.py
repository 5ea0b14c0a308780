"""The engine: executions over one set of stores."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import Self, cast

from contextful.kernel import text, trace
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Select
from contextful.ports.blobs import Blobs
from contextful.ports.holds import STRICT_GUARD, Holds
from contextful.ports.limiter import Limiter
from contextful.ports.observer import Observer, Onlooker
from contextful.ports.rows import Rows
from contextful.ports.run_table import RunTable
from contextful.ports.world import World
from contextful.run import advance, backfill, holder, items, project, record, suspend
from contextful.run.history import Asked, Page, Place
from contextful.run.journal import journal, steps
from contextful.run.journal.steps import Step
from contextful.run.own import own
from contextful.run.parts import Parts
from contextful.run.site import SITE_ID
from contextful.runner.board import Board
from contextful.runner.cancel import Stops
from contextful.runner.drain import Unpushed
from contextful.runner.execution import Execution
from contextful.runner.journal import Attempt, Journal
from contextful.runner.keeper import Keeper, Kept
from contextful.runner.live import Live
from contextful.runner.meter import Meter
from contextful.runner.observer import fenced, watched
from contextful.runner.own import Owners, Takes, nothing, standing_owner
from contextful.runner.read_ahead import ReadAhead
from contextful.runner.record import Records
from contextful.runner.run_table import RunLog
from contextful.runner.suspend import Awakeables
from contextful.runner.sweeper import Sweeper
from contextful.runner.token import Token
from contextful.surface import cadence
from contextful_contract.errors import CapabilityUnwired
from contextful_contract.shapes import Awakeable, FailureTag, RunStatus

STEPS_MAX = 200  # their values come along, of up to a mebibyte each
NAME = re.compile(r"[A-Za-z0-9._:-]{1,128}")
TABLES = (
    record.RUN,
    own.OWNER,
    journal.ENTRY,
    journal.SWEEP,
    suspend.AWAKEABLE,
    advance.CURSOR,
    backfill.CHUNK,
    items.ITEM,
    items.ENTITY,
    holder.EXIT,
    cadence.CADENCE,
)


class Engine:
    """Opens executions, keeps their leases, reads their history. Safe to share between threads."""

    def __init__(
        self,
        rows: Rows,
        blobs: Blobs,
        world: World,
        *,
        site_id: str = "local",
        profile: str = "embedded",
        observer: Observer | None = None,
        capabilities: Mapping[str, object] | None = None,
        trace_id: str | None = None,
        run_table: Callable[[], RunTable] | None = None,
        disk: Unpushed | None = None,
    ) -> None:
        self._rows = rows
        self._blobs = blobs
        self._world = world
        if not isinstance(site_id, str) or not SITE_ID.fullmatch(site_id):
            raise ValueError(f"site_id is {site_id!r:.80}, and must be 1 to 64 of letters, digits, . _ -")
        self._site_id = site_id
        self._profile = profile
        self._observer = fenced(observer)
        self._live: Live | None = None
        self._live_turn = threading.Lock()
        self._onlookers: tuple[Onlooker, ...] = ()
        self._capabilities = capabilities or {}
        self._trace_id = trace_id
        self._closed = False
        self._process = record.Process(world.pid(), world.boot_id(), self._drawn("holder"))
        board = Board(world)
        self._holds = cast(Holds | None, self._capabilities.get(STRICT_GUARD))
        self._journal = Journal(rows, blobs, world, board, self._holds)
        self._awakeables = Awakeables(rows, world, self._journal, board)
        self._run_log = RunLog(rows, world, run_table)
        self._owners = Owners(rows, world, self._run_log, disk)
        self._records = Records(rows, world)
        self._stops = Stops(rows, world, self._owners)
        self._keeper = Keeper(rows, world)
        self._sweeper = Sweeper(rows, blobs, world, self._awakeables)

    def execution(
        self,
        scope: str,
        plan: str,
        *,
        identities: Mapping[str, str] | None = None,
        run_id: str | None = None,
    ) -> Execution:
        """Open the scope's pending execution, or a fresh one, pinned to the plan.

        Raises Transient while another attempt is live, and ExecutionPinMismatch where pending work is
        pinned to another plan (run.own.live-owner, run.own.pinned-plan-changed).
        """
        named = {"scope": scope} if run_id is None else {"scope": scope, "run_id": run_id}
        for name, given in named.items():
            if not isinstance(given, str) or not NAME.fullmatch(given):
                raise ValueError(f"{name} is {given!r:.200}, and must be 1 to 128 of letters, digits, . _ : -")
        pinned = {
            text.admitted("the name of an identity", name): text.admitted(f"identity {name}", identity)
            for name, identity in (identities or {}).items()
        }
        return self.attempt(own.HostScope(scope), own.Pins(text.admitted("plan", plan), pinned), run_id=run_id)

    def attempt(
        self,
        scope: own.Scope,
        pins: own.Pins,
        *,
        run_id: str | None = None,
        within: Execution | None = None,
        takes: Takes = nothing,
        sleeps: bool = True,
    ) -> Execution:
        """Open an attempt under any scope; where it is a part of another's work, in the trace of that.

        It takes more than its scope where that is asked for, in the same commit, and keeps a lease among that for as
        long as it is open. One that never `sleeps` closes for
        every wait.
        """
        if self._closed:
            raise StorageFailed("this engine has closed, and opens no more executions")
        self._sweeper.sweep_if_due()
        now_ms = self._world.now_ms()
        run_id = run_id or self._drawn("run")
        holder = self._drawn(self._process.holder)
        fresh = own.Owner(scope, self._drawn("exec"), pins, (run_id,), holder, now_ms)
        process = record.Process(self._process.pid, self._process.boot_id, holder)
        run = record.Run(
            run_id=run_id,
            execution_id=fresh.execution_id,
            plan_ref=pins.plan_ref,
            connector=pins.connector,
            site_id=self._site_id,
            status=RunStatus.RUNNING,
            started_ms=now_ms,
            trace_id=self._trace_id or trace.spell(self._world.draw(trace.BITS)),  ##= run.record.trace-context
            parent_run_id=None if within is None else within.run_id,
        )
        run = own.placed(run, scope)
        if within is not None:
            run = replace(run, trace_id=within.trace_id)  ##= run.record.job-trace
        owner, taken = self._owners.open(run, fresh, process, takes)
        token = Token(self._world)
        ahead = ReadAhead(self._rows, owner.execution_id, resumed=len(owner.attempts) > 1)
        guards = (journal.guarded(owner.scope.key(), owner.holder), *taken.guards)
        self._keeper.register(Kept(run_id, holder, token, taken.beside))  # last: nothing but the handle lets go of it
        observer = watched(self._observer, self._onlookers, replace(run, execution_id=owner.execution_id))
        drawn = self._world.draw(64)
        attempt = Attempt(run_id, owner, guards, ahead, drawn, token, observer, run.trace_id, sleeps)
        execution = Execution(attempt, self._journal, self._awakeables, self._owners, self._keeper, self._world)
        try:
            self._run_log.append(*owner.attempts[-2:])
        except BaseException as signal:  # nobody has the handle yet who would close it
            execution.leave(signal)
            raise
        return execution

    def gathering(self) -> AbstractContextManager[None]:
        """While within, what the store's table of runs is to be told comes together in fewer appends."""
        return self._run_log.gathering()

    def watch(self, onlooker: Onlooker) -> None:
        """Let it watch every run that is opened here from now on."""
        self._onlookers = (*self._onlookers, onlooker)

    def live(self) -> Live:
        """The live view of runs: of those opened here from now on, and through the record of all others."""
        with self._live_turn:
            if self._live is None:
                self._live = Live(self._rows, self._world)
                self.watch(self._live.hub)
                self._live.start()
            return self._live

    def recorded(self, run_id: str, reference: str) -> bytes | None:
        """The recorded bytes of a step's output, by the reference that the run's live view shows it as."""
        run = self.run(run_id)
        label, input_hash = project.referred(reference)
        return None if run is None else self._journal.recorded(journal.key(run.execution_id, label, input_hash))

    def meter(self, limiter: Limiter) -> Meter:
        """Permits of a limiter for the requests of this process's steps: one is sent `with meter.permit():`."""
        return Meter(limiter, self._world)

    def capability(self, name: str) -> object:
        """What the running profile wires under this name, asked for before any work."""
        if name not in self._capabilities:
            raise CapabilityUnwired(capability=name, profile=self._profile)  ##= run.journal.unwired-capability
        return self._capabilities[name]

    def capabilities(self) -> Sequence[str]:
        """What the running profile wires, by name."""
        return sorted(self._capabilities)

    def resolve(self, token: str, payload: object, *, caller: str | None = None) -> object:
        """Answer the run that waits under this token, once, up to its deadline; the payload on record.

        The same payload again returns it again. Raises AwakeableAlreadyResolved, AwakeableTimedOut, and
        AwakeableUnknown, also where the token is bound to another `caller` than this one (run.suspend).
        """
        return self._awakeables.resolve(token, payload, caller=caller)

    def awakeable(self, token: str, *, caller: str | None = None) -> Awakeable:
        """Where the awakeable of this token stands. Looking resolves nothing. Raises AwakeableUnknown."""
        return self._awakeables.look(token, caller)

    def awaited(self, execution_id: str) -> Sequence[Awakeable]:
        """The awakeables of an execution that wait for an answer, with their tokens."""
        asked = suspend.open_in(execution_id, self._world.now_ms())
        return [suspend.from_row(row) for row in self._rows.select(asked)]

    def stop(self, run_id: str, *, scope: str = "run", reason: str | None = None) -> Sequence[str]:
        """Ask a run to stop, or with scope `pipeline` all that its pipeline or host scope has in flight; their ids.

        A run that is at work notices within 500 ms; one that waits is canceled at once; one that lands finishes that.
        Raises CancelTargetNotInFlight where there is nothing to stop (run.cancel).
        """
        reason = None if reason is None else text.admitted("reason", reason)
        stopped = self._stops.stop(run_id, scope=text.admitted("scope", scope), reason=reason)
        self._run_log.append(*stopped)
        return stopped

    def pending(self, scope: str) -> own.Owner | None:
        """The owner of a host scope's pending work, if there is any."""
        return standing_owner(self._rows, own.HostScope(scope))

    def held_until(self, scope: own.Scope) -> int | None:
        """Until when an attempt at the scope's pending work holds its lease; none where nobody does."""
        owner = standing_owner(self._rows, scope)
        last = None if owner is None else self._records.run(owner.attempts[-1])
        if last is None or last.lease is None:
            return None
        now_ms = self._rows.now_ms(self._world.now_ms())
        until_ms = record.honoured(last.lease, now_ms).expires_ms
        return until_ms if now_ms < until_ms else None

    def rewind(self, execution_id: str, *, reason: str, force: bool = False) -> own.Owner:
        """Give up the pending work of a host or table; its scope's next open draws a fresh execution.

        Raises ExecutionRewindNotPending, ExecutionRewindUnsafe, and ExecutionRewindPlanCurrent unless forced.
        """
        reason = text.admitted("reason", reason)
        return self._owners.rewind(execution_id, reason=reason, run_id=self._drawn("rewind"), force=force)

    def supersede(self, scope: str, declared: Collection[str], *, reason: str) -> own.Owner | None:
        """Give up the pending work of a host's scope that none of the declared plans would resume; what it was.

        Raises ExecutionRewindUnsafe, and retires nothing, while somebody is at it or waits for an answer.
        """
        reason = text.admitted("reason", reason)
        return self._owners.supersede(own.HostScope(scope), declared, reason=reason, run_id=self._drawn("rewind"))

    def history(self, *, pipeline: str | None = None, since_ms: int = 0, limit: int = 50) -> Sequence[record.Run]:
        """Runs that started at or after the instant, newest first."""
        return self._records.window(Asked(pipeline, since_ms), ceiling=limit).runs

    def window(
        self,
        *,
        ceiling: int,
        pipeline: str | None = None,
        since_ms: int | None = None,
        status: RunStatus | None = None,
        error: FailureTag | None = None,
        before: Place | None = None,
    ) -> Page:
        """Up to `ceiling` runs that started at or after the instant, newest first, and whether there are more.

        The next page is the one `before` the last run of this one, however many have opened meanwhile.
        """
        return self._records.window(Asked(pipeline, since_ms, status, error, before), ceiling=ceiling)

    def steps(self, execution_id: str, *, limit: int = STEPS_MAX) -> Sequence[Step]:
        """What the journal holds of an execution's steps, in the order of their labels. Success let go of it."""
        asked = Select(journal.ENTRY, {"execution_id": execution_id}, limit=limit)
        return [steps.shown(row) for row in self._rows.select(asked)]

    def run(self, run_id: str) -> record.Run | None:
        """One run as the record knows it."""
        return self._records.run(run_id)

    def parts(self, execution_id: str) -> Parts:
        """What an execution's runs are made of: the items of a job, the origins of a sweep, landings."""
        return self._records.parts(execution_id)

    def item(self, run: record.Run) -> items.Named | None:
        """What the item that the run is an attempt at is called, as its job's input served it."""
        return items.named(self._rows.get(items.ITEM, (run.host_scope.rpartition("/")[2],)))

    def in_flight(self) -> Sequence[record.Run]:
        """The runs that have not ended, the newest of them, of each status."""
        return self._records.in_flight()

    def reap(self) -> int:
        """Close the rows of runs whose process is gone, as every startup does; how many there were."""
        reaped = self._records.reap()
        self._run_log.append(*reaped)
        self._run_log.catch_up()
        return len(reaped)

    def restore_history(self) -> int:
        """Bring the catalog up to what the store's table of runs says; how many of its rows that changed."""
        return self._run_log.restore()

    def log(self, *run_ids: str) -> None:
        """Append what the catalog has of these runs to the store's own table of runs, where there is one."""
        self._run_log.append(*run_ids)

    def window_as_of(
        self, as_of_ms: int, *, ceiling: int, pipeline: str | None = None, since_ms: int | None = None
    ) -> Page:
        """A window of history as the store told of it at an instant."""
        return self._run_log.window(pipeline=pipeline, since_ms=since_ms, ceiling=ceiling, as_of_ms=as_of_ms)

    def sweep_blobs(self) -> int:
        """Delete the blobs that nothing refers to and that are past their grace; how many went."""
        return self._sweeper.sweep()

    def close(self) -> None:
        """Let the stores go, once. Executions still open keep their owners, and are resumed when their leases lapse."""
        if self._closed:
            return
        self._closed = True
        if self._live is not None:
            self._live.close()
        self._keeper.close()
        if self._holds is not None:
            self._holds.close()
        self._rows.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _drawn(self, kind: str) -> str:
        return f"{kind}-{self._world.draw(64):016x}"
