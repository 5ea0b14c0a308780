"""Performs run.backfill: cuts a table's history into chunks, and lands those that are pending, some at a time.

planned --claimed, with its owner's open--> at work --landed, with its owner's retirement--> done
                                               |
                                               +-- failed, stopped or waiting: free again
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from contextful.kernel import text
from contextful.kernel.change import Change
from contextful.kernel.failure import Failed, Failure, classify
from contextful.kernel.signal import Stopped, Suspended
from contextful.kernel.table import Row, Select
from contextful.pipeline import compile
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.spec import PipelineSpec
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import advance, backfill, cancel, record
from contextful.run.backfill import Chunk, Span, Status
from contextful.run.journal import journal
from contextful.run.own import own
from contextful.runner import join
from contextful.runner.engine import Engine
from contextful.runner.land import Canceled, Landings, Outcome, Sources, Waiting
from contextful.runner.own import Taken, standing_owner
from contextful.runner.settle import settle
from contextful.store.lay_out import Manifest
from contextful_contract import limits
from contextful_contract.errors import PipelineTableFailed
from contextful_contract.shapes import FailureTag, RunStatus, StopMark, StopScope

CHUNKS_MAX = 20_000  # of one table, those of every declaration that it has had
TOGETHER = 50  # chunks that are planned in one commit


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody else is at work on it, until then unless they renew their lease."""

    until_ms: int


@dataclass(frozen=True, slots=True)
class Worked:
    """What came of one chunk."""

    chunk: Chunk
    outcome: Outcome | Busy


Told = Callable[[Worked], object]


class Claim:
    """One attempt's hold on a chunk: taken, renewed and let go of with the attempt's own lease."""

    renewal_ms = limits.CHUNK_LEASE_RENEWAL_MS

    def __init__(self, rows: Rows, world: World, chunk: Chunk) -> None:
        self._rows = rows
        self._world = world
        self.chunk = chunk

    def takes(self, run_id: str, now_ms: int) -> Taken:
        """The chunk, for this attempt."""
        standing = _standing(self._rows, self.chunk)
        self.chunk = backfill.claimed(standing, run_id, now_ms)
        return Taken((backfill.claim(standing, self.chunk, now_ms),), beside=self)

    def renewed(self, now_ms: int) -> Change:
        """Five more minutes."""
        return backfill.renewed(self.chunk, now_ms)

    def done(self) -> Sequence[Change]:
        """The chunk is done, in the commit that retires its owner."""
        return (backfill.done(self.chunk, self._world.now_ms()),)

    def release(self) -> None:
        """Let the next attempt have the chunk, if it is still this one's to give."""
        if self.chunk.holder is not None:
            self._rows.commit(backfill.released(self.chunk))


class Backfill:
    """A pipeline's backfill over its ports."""

    def __init__(
        self, spec: PipelineSpec, engine: Engine, rows: Rows, world: World, landings: Landings, sources: Sources
    ) -> None:
        self._spec = spec
        self._engine = engine
        self._rows = rows
        self._world = world
        self._landings = landings
        self._sources = sources

    def chunks(self) -> Sequence[Chunk]:
        """The chunks that are on record, table by table."""
        return [chunk for table in self._spec.tables for chunk in self._chunks(table.name)]

    def plan(self) -> Sequence[Chunk]:
        """The chunks of every table, those that were not yet on record among them."""
        spec, span = self._spec, _span(self._spec)
        for table in spec.tables:
            standing = self._chunks(table.name)
            first = 1 + max((chunk.ordinal for chunk in standing), default=0)
            windows = backfill.extended(spec.cursor, span, standing)
            cut = [Chunk(spec.id, table.name, first + at, window) for at, window in enumerate(windows)]
            for at in range(0, len(cut), TOGETHER):
                self._rows.commit(*map(backfill.planned, cut[at : at + TOGETHER]))  # else somebody else has
        return self.chunks()

    def run(
        self, *, units: int | None = None, run_id: str | None = None, told: Told = lambda _: None
    ) -> Sequence[Worked]:
        """Land every chunk that is pending, so many at a time as is asked or declared. The first that fails halts it.

        Raises PipelineChunkParallelism, and PipelineTableFailed once those at work beside it have ended.
        """
        spec = self._spec
        units = backfill.admit_units(spec.id, spec.cursor, units or _span(spec).units)
        fire = run_id or f"run-{self._world.draw(64):016x}"
        plans = {plan.table_name: plan for plan in compile.tables(spec)}
        ahead = deque(chunk for chunk in self.plan() if chunk.status is Status.PENDING)
        work = _Work(ahead, told)

        def unit() -> None:
            while (chunk := work.next()) is not None:  # ends: with the last chunk, or the first that fails
                named = _named(spec, chunk, fire)
                try:
                    work.ended(self._chunk(plans[chunk.table], chunk, named))
                except BaseException:
                    work.halt()
                    raise
                if self._halted(named):
                    work.halt()

        branches: dict[str, Callable[[], object]] = {f"unit-{at + 1}": unit for at in range(min(units, len(ahead)))}
        if len(branches) == 1:
            unit()
            return work.done
        for end in join.ends(self._world, "backfill", branches).values():
            join.value(end)
        return work.done

    def rewind(self, window: str, *, reason: str) -> Sequence[Chunk]:
        """Send each chunk that the window overlaps back to pending, and leave a row that says why.

        Raises PipelineRewindWindowInvalid.
        """
        reason, found = text.admitted("reason", reason), self.chunks()
        overlapping = backfill.overlapping(backfill.to_rewind(window, found), found)
        run_id = f"rewind-{self._world.draw(64):016x}"
        for chunk in overlapping:
            self._engine.log(*self._rewind(chunk, reason, _named(self._spec, chunk, run_id)))
        return overlapping

    def _chunks(self, table: str) -> Sequence[Chunk]:
        asked = Select(backfill.CHUNK, {"pipeline_id": self._spec.id, "table_name": table}, limit=CHUNKS_MAX)
        return [backfill.from_row(row) for row in self._rows.select(asked)]

    def _chunk(self, plan: TablePlan, chunk: Chunk, run_id: str) -> Worked | None:
        """Land one chunk; nothing where it turns out to be done."""
        plan = replace(plan, chunk=chunk)
        self._landings.mend(plan, lambda newest: self._landed(chunk, newest))
        standing = _standing(self._rows, chunk)
        if standing.status is Status.DONE:
            return None
        if standing.expires_ms is not None and self._rows.now_ms(self._world.now_ms()) < standing.expires_ms:
            return Worked(chunk, Busy(standing.expires_ms))
        claim = Claim(self._rows, self._world, standing)
        try:
            outcome: Outcome = self._landings.run(
                plan, lambda: self._sources(plan.source, plan.table_name), run_id=run_id, held=claim
            )
        except Suspended as waits:
            outcome = Waiting(run_id, waits.until_ms)
        except Stopped as stopped:
            outcome = Canceled(run_id, stopped.reason)
        except Exception as error:
            raise PipelineTableFailed(table=plan.table_name, tag=classify(error).tag, run_id=run_id) from error
        finally:
            claim.release()
        return Worked(claim.chunk, outcome)

    def _landed(self, chunk: Chunk, newest: Manifest | None) -> Sequence[Change]:
        """The chunk is done where its last commit stands, whoever died before saying so."""
        standing = _standing(self._rows, chunk)
        if newest is None or newest.position != chunk.landed or standing.status is Status.DONE:
            return ()
        return (backfill.done(standing, self._world.now_ms()),)

    def _halted(self, run_id: str) -> bool:
        """Whether a stop of the whole pipeline came while this chunk had its turn."""
        run = self._engine.run(run_id)
        return run is not None and run.stop is not None and cancel.grain(run.stop) is StopScope.PIPELINE

    def _rewind(self, chunk: Chunk, reason: str, run_id: str) -> Sequence[str]:
        """Send it back, and its owner's execution with it; the runs whose rows say so."""

        def decide() -> tuple[Sequence[str], Sequence[Change]]:
            standing = _standing(self._rows, chunk)
            owner = standing_owner(self._rows, chunk.scope)
            now_ms = self._rows.now_ms(self._world.now_ms())
            row = own.placed(_row(owner, run_id, now_ms), chunk.scope)
            changes: list[Change] = [
                backfill.rewound(standing),
                record.retired(row, reason, now_ms),
                advance.forgotten(chunk.scope),
            ]
            if owner is not None:
                changes += [own.retirement(owner), journal.collection(owner.execution_id)]
                changes += self._ended(owner, reason, now_ms)
            return (run_id,) if owner is None else (owner.attempts[-1], run_id), changes

        return settle(self._rows, decide)

    def _ended(self, owner: own.Owner, reason: str, now_ms: int) -> Sequence[Change]:
        """The owner's last attempt ends with it, where it has not ended yet."""
        row: Row | None = self._rows.get(record.RUN, (owner.attempts[-1],))
        latest = None if row is None else record.from_row(row)
        if latest is None or latest.ended_ms is not None:
            return ()
        mark = StopMark(requested_at=now_ms, scope=StopScope.RUN.value, reason=reason)
        ending = cancel.canceled(record.Closing(latest.status), mark)
        return (record.marked(latest, mark, ending, now_ms),)


class _Work:
    """The chunks that are left, shared by those who work on them."""

    def __init__(self, ahead: deque[Chunk], told: Told) -> None:
        self._turn = threading.Lock()
        self._ahead = ahead
        self._told = told
        self.done: list[Worked] = []

    def next(self) -> Chunk | None:
        """The next chunk, if there is one."""
        with self._turn:
            return self._ahead.popleft() if self._ahead else None

    def halt(self) -> None:
        """Nobody begins another."""
        with self._turn:
            self._ahead.clear()

    def ended(self, worked: Worked | None) -> None:
        """A chunk has come to its end."""
        if worked is not None:
            with self._turn:
                self.done.append(worked)
                self._told(worked)


def _span(spec: PipelineSpec) -> Span:
    if spec.backfill is None:
        raise Failed(Failure(FailureTag.CONFIG, f"pipeline {spec.id} declares no backfill"))
    return spec.backfill


def _named(spec: PipelineSpec, chunk: Chunk, run_id: str) -> str:
    """The run id of one chunk's part in something that is done to several."""
    return f"{run_id}.{chunk.name}" if len(spec.tables) == 1 else f"{run_id}.{chunk.table}.{chunk.name}"


def _standing(rows: Rows, chunk: Chunk) -> Chunk:
    row = rows.get(backfill.CHUNK, (chunk.pipeline_id, chunk.table, chunk.ordinal))
    assert row is not None, "a chunk that was planned stays on record"
    return backfill.from_row(row)


def _row(owner: own.Owner | None, run_id: str, now_ms: int) -> record.Run:
    return record.Run(
        run_id=run_id,
        execution_id="" if owner is None else owner.execution_id,
        plan_ref=None if owner is None else owner.pins.plan_ref,
        site_id="",
        status=RunStatus.CANCELED,
        started_ms=now_ms if owner is None else owner.opened_ms,
    )
