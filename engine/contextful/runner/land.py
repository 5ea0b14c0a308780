"""Performs run.land: a fire lands every table of a pipeline, each as a run of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Protocol

from contextful.kernel.change import Change
from contextful.kernel.failure import Failed, Failure, classify
from contextful.kernel.signal import Stopped, Suspended
from contextful.pipeline import compile
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.prepare import Writer
from contextful.pipeline.spec import Origin, PipelineSpec
from contextful.ports.destination import Destination
from contextful.ports.observer import RunLanded
from contextful.ports.rows import Rows
from contextful.ports.source import Source
from contextful.ports.world import World
from contextful.run import advance, cancel, record
from contextful.runner import emitted
from contextful.runner.advance import Cursors
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.runner.own import Taken, nothing
from contextful.runner.staging_and_checkpoints import Incomplete, TableRun
from contextful.store import lay_out
from contextful.store.lay_out import Manifest
from contextful_contract import limits
from contextful_contract.base import ContextfulError
from contextful_contract.errors import (
    PipelineTableFailed,
    PipelineTypeDeclaredLate,
    RunCheckpointIdTooLong,
    RunStagedBytesExceeded,
    StoreColumnMissing,
    StoreColumnNameInvalid,
    StoreKeyWidened,
    StoreReservedColumnName,
    StoreSchemaIncompatible,
)
from contextful_contract.shapes import ConnectorPin, FailureTag, OnTableError, RunStatus, StopScope

SCHEMA_INCOMPATIBLE = (
    StoreSchemaIncompatible,
    StoreKeyWidened,
    StoreReservedColumnName,
    StoreColumnNameInvalid,
    StoreColumnMissing,
)  ##= run.own.source-stage-schema
REPLAY_STABLE = (
    RunStagedBytesExceeded,
    RunCheckpointIdTooLong,
    PipelineTypeDeclaredLate,
    Incomplete,
    *SCHEMA_INCOMPATIBLE,
)
RUN_ID_SAYS = "use up to 128 letters, digits, dots, underscores and hyphens"


@dataclass(frozen=True, slots=True)
class Success:
    """The run's rows are committed, and the position with them."""

    run_id: str
    table: str
    rows: int
    bytes: int
    parts: int
    commits: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """The run's next attempt may begin at the instant; until then it holds its place."""

    run_id: str
    until_ms: int


@dataclass(frozen=True, slots=True)
class Canceled:
    """The run was stopped. What it recorded is there for the next one; its position has not moved."""

    run_id: str
    reason: str


class Held(Protocol):
    """Something that an attempt takes as it opens, and that is done once its rows have landed."""

    def takes(self, run_id: str, now_ms: int) -> Taken:
        """What takes it."""

    def done(self) -> Sequence[Change]:
        """What is done about it as the owner retires."""


Outcome = Success | Waiting | Canceled
Sources = Callable[[Origin, str], Source]  # opens a table's source
Connectors = Callable[[Origin], ConnectorPin]  # says what would pull


def nobody(_ordinal: int, _stage: str) -> None:
    """Nobody is told which stages of its way a batch has passed."""


class Landings:
    """Table runs over their ports."""

    def __init__(
        self,
        engine: Engine,
        rows: Rows,
        world: World,
        destination: Destination,
        *,
        site_id: str,
        connectors: Connectors,
        pepper: bytes | None = None,
        checkpoint_bytes: int = limits.CHECKPOINT_BYTES,
        passing: Callable[[int, str], object] = nobody,
    ) -> None:
        self._engine = engine
        self._world = world
        self._cursors = Cursors(rows, world)
        self._destination = destination
        self._site_id = site_id
        self._checkpoint_bytes = checkpoint_bytes
        self._connectors = connectors
        self._pepper = pepper
        self._passing = passing

    def fire(
        self,
        spec: PipelineSpec,
        sources: Sources,
        *,
        run_id: str | None = None,
        told: Callable[[Outcome], object] = lambda _: None,
    ) -> Sequence[Outcome]:
        """Land every table of the pipeline, in order. Raises PipelineTableFailed, a group of them where several did.

        Each outcome is told as it comes about, for those before a failure are no less true.
        """
        outcomes: list[Outcome] = []
        failures: list[PipelineTableFailed] = []
        for plan, attempt in _attempts(compile.tables(spec), self._drawn(run_id)):
            try:
                outcomes.append(self._outcome(plan, sources, attempt))
                told(outcomes[-1])
            except PipelineTableFailed as failure:
                failures.append(failure)
                if spec.on_table_error is OnTableError.ABORT:
                    break  ##= run.land.on-table-error
            if self._halted(attempt):
                break
        if len(failures) > 1:
            raise ExceptionGroup(f"{len(failures)} tables of pipeline {spec.id} failed", failures)
        for only in failures:
            raise only
        return outcomes

    def seed(
        self,
        spec: PipelineSpec,
        sources: Sources,
        *,
        run_id: str | None = None,
        told: Callable[[Outcome], object] = lambda _: None,
    ) -> Sequence[Outcome]:
        """Land what each table of the pipeline begins with, once. The first that fails halts it."""
        outcomes: list[Outcome] = []
        for plan, attempt in _attempts(compile.seeds(spec), self._drawn(run_id)):
            if self._reconciled(plan) is None and self._cursors.cursor(plan.scope).marker is not None:
                continue
            outcomes.append(self._outcome(plan, sources, attempt))
            told(outcomes[-1])
            if self._halted(attempt):
                break
        return outcomes

    def _drawn(self, run_id: str | None) -> str:
        return f"run-{self._world.draw(64):016x}" if run_id is None else run_id

    def _outcome(self, plan: TablePlan, sources: Sources, run_id: str) -> Outcome:
        try:
            return self.run(plan, lambda: sources(plan.source, plan.table_name), run_id=run_id)
        except Suspended as waits:
            return Waiting(run_id, waits.until_ms)
        except Stopped as stopped:
            if stopped.scope is None:
                raise  # another attempt has come to own the table: it says how that one ends
            return Canceled(run_id, stopped.reason)
        except Exception as error:
            ##= run.land.table-failed
            raise PipelineTableFailed(table=plan.table_name, tag=classify(error).tag, run_id=run_id) from error

    def _halted(self, run_id: str) -> bool:
        """Whether a stop of the whole fire came while this table had its turn, whatever came of the table."""
        run = self._engine.run(run_id)
        return run is not None and run.stop is not None and cancel.grain(run.stop) is StopScope.PIPELINE

    def run(
        self,
        plan: TablePlan,
        opened: Callable[[], Source],
        *,
        run_id: str,
        admit: Callable[[], None] = lambda: None,
        within: Execution | None = None,
        first: bool = False,
        held: Held | None = None,
    ) -> Success:
        """Land the table: all that the source has from the committed position on, if `admit` lets it be published.

        `within` is the execution whose work the landing is a part of; `held` what is done together with it. Before the
        `first` under a scope there is nothing that a crash could have left.
        """
        unreadable = None if first else self._reconciled(plan)
        position = self._cursors.cursor(plan.scope).position
        pins = plan.pins(self._connectors(plan.source), position, self._pepper)  ##= run.own.admission-pin
        takes = nothing if held is None else held.takes
        with self._engine.attempt(plan.scope, pins, run_id=run_id, within=within, takes=takes) as execution:
            if unreadable is not None:
                raise unreadable  # in here, so that the run's row says why
            table_run = TableRun(
                plan,
                execution,
                self._destination,
                self._cursors,
                admit,
                nullcontext if within is None else within.holding,
                site_id=self._site_id,
                world=self._world,
                pepper=self._pepper,
                checkpoint_bytes=self._checkpoint_bytes,
                passing=self._passing,
            )
            try:
                with closing(opened()) as source:
                    newest = table_run.land(source)
            except BaseException as error:
                table_run.discard()
                execution.leave(error, counts=table_run.counts, replay_stable=isinstance(error, REPLAY_STABLE))
                raise
            counts = table_run.counts
            execution.tell(RunLanded(counts.rows, counts.bytes, counts.batches))
            also = [self._cursors.cached(plan.scope, newest), *(() if held is None else held.done())]
            execution.close(record.Closing(RunStatus.SUCCESS, counts=counts), also=also)  ##= run.own.retirement
            if held is not None:
                self._destination.collect(plan.table.table, execution.attempts[:-1])
        return Success(run_id, newest.table, counts.rows, counts.bytes, counts.batches, commits=table_run.commit_count)

    def writer(self, plan: TablePlan) -> Writer:
        """What prepares the rows of a protected table before they are recorded."""
        return plan.writing(self._pepper)

    def position(self, plan: TablePlan) -> str | None:
        """The position that is committed of the table, once what a crash left is mended."""
        unreadable = self._reconciled(plan)
        if unreadable is not None:
            raise unreadable
        return self._cursors.cursor(plan.scope).position

    def mend(self, plan: TablePlan, also: Callable[[Manifest | None], Sequence[Change]]) -> None:
        """Mend what a crash left between a marker and its cache, and in the same commit what follows from it."""
        newest = self._destination.newest(plan.table.table, plan.lane)
        self._cursors.reconcile(plan.scope, newest, also=lambda: also(newest))

    def committed_ms(self, plan: TablePlan, execution_id: str) -> int | None:
        """When the table's newest commit was made, if it was of what this execution's body emitted."""
        newest = self._destination.newest(plan.table.table, plan.lane)
        if newest is None or emitted.ordinal(newest.position, execution_id) == 0:
            return None
        return newest.committed_ms

    def forgotten(self, plan: TablePlan) -> Change:
        """The position of a table, or of a part of it, that nobody lands in any more."""
        return advance.forgotten(plan.scope)

    def _reconciled(self, plan: TablePlan) -> ContextfulError | None:
        """Mend what a crash left between a marker and its cache, before anything replays; or say what forbids it."""
        try:
            newest = self._destination.newest(plan.table.table, plan.lane)
        except ContextfulError as unreadable:
            return unreadable
        self._cursors.reconcile(plan.scope, newest)
        return None


def _attempts(plans: Sequence[TablePlan], run_id: str) -> Sequence[tuple[TablePlan, str]]:
    """The pipeline's plans, each with the run id that its attempt has: the fire's own where there is one table."""
    attempts = [(plan, run_id if len(plans) == 1 else f"{run_id}.{plan.table_name}") for plan in plans]
    for _, named in attempts:
        if not lay_out.is_run_id(named):
            raise Failed(Failure(FailureTag.CONFIG, f"{named!r} is no run id: {RUN_ID_SAYS}"))
    return attempts
