"""Performs run.land and run.advance: a table's run pulls, stages each batch as a part, and commits once.

open --pull n recorded--> shaped --> part n staged --> pull n+1 … --> committed with the position --> closed
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import compress
from typing import cast

from contextful.kernel.change import Change
from contextful.kernel.failure import Failed, Failure, classify
from contextful.kernel.signal import Stopped, Suspended, Unrecorded
from contextful.pipeline import compile, land, pull
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import PipelineSpec, SourceSpec
from contextful.ports.destination import Destination, Landed, Lot, Stage
from contextful.ports.observer import BatchStaged, Observer, RunLanded
from contextful.ports.rows import Rows
from contextful.ports.source import Source
from contextful.ports.world import World
from contextful.run import advance, cancel, record
from contextful.run.own import own
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.runner.journal import idempotency_key
from contextful.runner.own import standing_owner
from contextful.runner.settle import settle
from contextful.store import lay_out
from contextful.store.lay_out import Manifest
from contextful_contract.base import ContextfulError
from contextful_contract.errors import (
    PipelineTableFailed,
    RunStagedBytesExceeded,
    StoreKeyWidened,
    StoreReservedColumnName,
    StoreSchemaIncompatible,
)
from contextful_contract.shapes import ConnectorPin, FailureTag, OnTableError, RunStatus, StopScope

REPLAY_STABLE = (RunStagedBytesExceeded, StoreSchemaIncompatible, StoreKeyWidened, StoreReservedColumnName)
RUN_ID_SAYS = "use up to 128 letters, digits, dots, underscores and hyphens"


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a run's pulls have come."""

    ask: Ask
    position: str | None  # what a commit here would publish
    frontier: advance.Clock | None
    batches: int = 0
    skipped: int = 0


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


Outcome = Landed | Waiting | Canceled
Sources = Callable[[SourceSpec, str], Source]  # opens a table's source
Connectors = Callable[[SourceSpec], ConnectorPin]  # says what would pull


class Landings:
    """Table runs over their ports."""

    def __init__(
        self,
        engine: Engine,
        rows: Rows,
        world: World,
        destination: Destination,
        observer: Observer,
        *,
        site_id: str,
        connectors: Connectors,
    ) -> None:
        self._engine = engine
        self._rows = rows
        self._world = world
        self._destination = destination
        self._observer = observer
        self._site_id = site_id
        self._connectors = connectors

    def fire(self, spec: PipelineSpec, sources: Sources, *, run_id: str | None = None) -> Sequence[Outcome]:
        """Land every table of the pipeline, in order. Raises PipelineTableFailed, a group of them where several did."""
        outcomes: list[Outcome] = []
        failures: list[PipelineTableFailed] = []
        for plan, attempt in _attempts(spec, f"run-{self._world.draw(64):016x}" if run_id is None else run_id):
            try:
                outcomes.append(self._landed(plan, sources, attempt))
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

    def _landed(self, plan: TablePlan, sources: Sources, run_id: str) -> Outcome:
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

    def run(self, plan: TablePlan, opened: Callable[[], Source], *, run_id: str | None = None) -> Landed:
        """Land the table once: everything that the source has from the committed position on, or nothing."""
        unreadable = self._reconciled(plan)
        pins = plan.pins(self._connectors(plan.source), self._cursor(plan.scope).position)  ##= run.own.admission-pin
        with self._engine.attempt(plan.scope, pins, run_id=run_id) as execution:
            if unreadable is not None:
                raise unreadable  # in here, so that the run's row says why
            stage = self._destination.stage(Lot(plan.table, execution.run_id, plan.pipeline_id, self._site_id))
            try:
                with closing(opened()) as source:
                    walk = self._pulled(plan, source, execution, stage)
                landed = stage.commit(walk.position, attempts=execution.attempts, admit=execution.check)
            except REPLAY_STABLE as refusal:
                stage.discard()
                ##= run.own.source-stage-schema
                execution.close(record.Closing(RunStatus.FAILED, classify(refusal), replay_stable=True))
                raise
            except BaseException:
                stage.discard()
                raise
            self._observer.tell(RunLanded(landed.rows, landed.bytes, len(landed.manifest.parts)))
            self._close(plan, execution, landed, walk)
        return landed

    def _pulled(self, plan: TablePlan, source: Source, execution: Execution, stage: Stage) -> Walk:
        """Pull until the source has no more, and stage each batch before the next pull."""
        walk = self._opened(plan)
        asked: frozenset[str | None] = frozenset()
        for ordinal in range(source.pulls_max):
            asked |= {walk.ask.position}
            answer = _recorded(plan, source, execution, ordinal, walk.ask)
            onward = pull.onward(asked, walk.ask, answer, monotonic=plan.incremental is not None)
            walk = self._staged(plan, stage, walk, answer)  ##= run.own.backpressure
            if not onward:
                return walk
            walk = replace(walk, ask=replace(walk.ask, position=answer.position))
        return walk  ##= connector.source.page-cap

    def _opened(self, plan: TablePlan) -> Walk:
        """Where the first pull begins: at the committed position."""
        position = self._cursor(plan.scope).position
        if plan.incremental is None:
            return Walk(Ask(position), position, None)
        floor = advance.floor(position, plan.incremental.field)
        return Walk(Ask(None, advance.eased(floor, plan.incremental.lateness_ms)), position, floor)

    def _staged(self, plan: TablePlan, stage: Stage, walk: Walk, answer: Batch) -> Walk:
        """The walk once the batch is staged. A batch without rows makes no part."""
        rows = answer.records()
        frontier, position = walk.frontier, answer.position
        if plan.incremental is not None:
            name = plan.incremental.field
            clocks = [advance.clock(name, row) for row in rows]
            frontier = advance.frontier(name, frontier, clocks)
            position = walk.position if frontier is None else advance.watermark(name, frontier)
            rows = list(compress(rows, advance.admitted(name, walk.ask.floor, clocks)))
        if rows:
            part_bytes = stage.add(land.shape(plan.table, rows, stage.schema))
            self._observer.tell(BatchStaged(walk.batches, len(rows), part_bytes))
        return Walk(walk.ask, position, frontier, walk.batches + bool(rows), walk.skipped + answer.skipped)

    def _close(self, plan: TablePlan, execution: Execution, landed: Landed, walk: Walk) -> None:
        """The run has succeeded: its owner retires and the position is cached, in one commit."""
        parts = len(landed.manifest.parts)
        counts = record.Counts(landed.rows, landed.bytes, parts, walk.skipped)
        cached = advance.cached(self._cursor(plan.scope), _marker(landed.manifest))
        execution.close(record.Closing(RunStatus.SUCCESS, counts=counts), also=[cached])  ##= run.own.retirement

    def _reconciled(self, plan: TablePlan) -> ContextfulError | None:
        """Mend what a crash left between a marker and its cache, before anything replays; or say what forbids it."""
        try:
            newest = self._destination.newest(plan.table.table, plan.pipeline_id)
        except ContextfulError as unreadable:
            return unreadable

        def decide() -> tuple[None, Sequence[Change]]:
            owner = standing_owner(self._rows, plan.scope)
            lease = None if owner is None else record.lease(self._rows.get(record.RUN, (owner.attempts[-1],)))
            marker = None if newest is None else _marker(newest)
            return None, advance.reconciled(self._cursor(plan.scope), marker, owner, lease, now_ms=self._world.now_ms())

        settle(self._rows, decide)
        return None

    def _cursor(self, scope: own.TableScope) -> advance.Cursor:
        return advance.from_row(self._rows.get(advance.CURSOR, (scope.key(),)), scope)


def _attempts(spec: PipelineSpec, run_id: str) -> Sequence[tuple[TablePlan, str]]:
    """The pipeline's plans, each with the run id that its attempt has: the fire's own where there is one table."""
    plans = compile.tables(spec)
    attempts = [(plan, run_id if len(plans) == 1 else f"{run_id}.{plan.table_name}") for plan in plans]
    for _, named in attempts:
        if not lay_out.is_run_id(named):
            raise Failed(Failure(FailureTag.CONFIG, f"{named!r} is no run id: {RUN_ID_SAYS}"))
    return attempts


def _recorded(plan: TablePlan, source: Source, execution: Execution, ordinal: int, ask: Ask) -> Batch:
    """The pull's recorded answer. One without rows is not recorded, nor is any of a source that opts out."""

    def effect() -> Batch:
        key = idempotency_key()
        answer = execution.abandonable("contextful-pull", lambda: source.pull(ask, idempotency_key=key))
        if not source.journaled or answer.row_count == 0:
            raise Unrecorded(answer)  ##= run.journal.opt-out
        return answer

    try:
        return execution.step(f"pull-{ordinal}", effect, retry=plan.schedule, input=ask)
    except Unrecorded as passing:
        return cast(Batch, passing.answer)


def _marker(manifest: Manifest) -> advance.Marker:
    return advance.Marker(manifest.run_id, manifest.committed_ms, manifest.position)
