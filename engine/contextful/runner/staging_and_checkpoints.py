"""Performs run.own's staging and checkpoints: one attempt at a table pulls, stages each batch as a part, and commits.

open --pull n recorded--> shaped --> part n staged --> pull n+1 … --> committed with the position
                             |                            ^
                             +-- 512 MiB staged: committed, cached, collected
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, cast

from contextful.kernel import text
from contextful.kernel.failure import Permanent
from contextful.kernel.signal import Unrecorded
from contextful.pipeline import land, pull
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.ports.destination import Destination, Landed, Lot, Stage
from contextful.ports.observer import BatchStaged
from contextful.ports.source import Source
from contextful.run import advance
from contextful.run.own import staging_and_checkpoints
from contextful.run.record import Counts
from contextful.runner.advance import Cursors
from contextful.runner.execution import Execution
from contextful.runner.journal import idempotency_key
from contextful.store.lay_out import Manifest


class Incomplete(Permanent):
    """A table is replaced by all that there is: what may be less is pulled anew, and not taken from the record."""


@dataclass(frozen=True, slots=True)
class Walk:
    """How far pulls have come."""

    ask: Ask
    position: str | None  # what a commit here would publish
    frontier: advance.Clock | None


class TableRun:
    """One attempt at a table: its walk over the source, its stage, and what it has committed."""

    def __init__(
        self,
        plan: TablePlan,
        execution: Execution,
        destination: Destination,
        cursors: Cursors,
        admit: Callable[[], None],
        *,
        site_id: str,
        checkpoint_bytes: int,
    ) -> None:
        self._plan = plan
        self._execution = execution
        self._destination = destination
        self._cursors = cursors
        self._admit = admit
        self._site_id = site_id
        self._checkpoint_bytes = checkpoint_bytes
        self._landed: list[Landed] = []
        self._pulls = 0  # since the last commit: what a resumption from there counts as well
        self._batches = 0
        self._skipped = 0
        self._inventory: Inventory | None = None
        self._undeclared: set[str] = set()  # columns that were staged before anybody said their type
        self._stage = self._next_stage()

    @property
    def counts(self) -> Counts:
        """What every commit of this attempt landed, and what the source skipped."""
        return Counts(
            rows=sum(landed.rows for landed in self._landed),
            bytes=sum(landed.bytes for landed in self._landed),
            batches=sum(len(landed.manifest.parts) for landed in self._landed),
            skipped=self._skipped,
        )

    @property
    def commit_count(self) -> int:
        """How many commits those were."""
        return len(self._landed)

    def land(self, source: Source) -> Manifest:
        """Pull until the source has no more, and commit; the last commit."""
        walk = self._opened()
        asked: set[str | None] = set()
        for _ in range(source.pulls_max):  ##= connector.source.page-cap
            asked.add(walk.ask.position)
            answer = self._recorded(source, walk.ask)
            onward = pull.onward(asked, walk.ask, answer, monotonic=self._plan.incremental is not None)
            walk = self._staged(source, walk, answer, onward=onward)  ##= run.journal.replay-lands
            self._inventory = answer.inventory
            if not onward:
                break
            walk = replace(walk, ask=replace(walk.ask, position=answer.position))
        return self._commit(self._whole(walk.position))  ##= run.own.one-commit-per-run

    def discard(self) -> None:
        """Remove what is staged and not committed."""
        self._stage.discard()

    def _opened(self) -> Walk:
        """Where the first pull begins: at the committed position."""
        position = self._cursors.cursor(self._plan.scope).position
        if self._plan.incremental is None:
            return Walk(Ask(position), position, None)
        floor = advance.floor(position, self._plan.incremental.field)
        return Walk(Ask(None, advance.eased(floor, self._plan.incremental.lateness_ms)), position, floor)

    def _recorded(self, source: Source, ask: Ask) -> Batch:
        """The pull's recorded answer. One without rows is not recorded, nor is any of a source that opts out."""

        def effect() -> Batch:
            key = idempotency_key()
            answer = self._execution.abandonable("contextful-pull", lambda: source.pull(ask, idempotency_key=key))
            _check(answer.position)
            if not source.journaled or answer.row_count == 0:
                raise Unrecorded(answer)  ##= run.journal.opt-out
            return answer

        label = f"pull-{self._pulls}"
        self._pulls += 1
        try:
            ##= run.journal.recorded-batch
            return self._execution.step(label, effect, retry=self._plan.schedule, input=ask)
        except Unrecorded as passing:
            return cast(Batch, passing.answer)

    def _staged(self, source: Source, walk: Walk, answer: Batch, *, onward: bool) -> Walk:
        """The walk once the batch is staged, and checkpointed where it is time for that."""
        rows = answer.records()
        self._skipped += answer.skipped
        if self._plan.incremental is None:
            walk = replace(walk, position=answer.position)
            self._add(rows, answer.types)
            if onward and self._due(source):
                self._checkpoint(walk.position)
            return walk
        field = self._plan.incremental.field
        clocks = [advance.clock(field, row) for row in rows]
        if rows and self._due(source) and advance.beyond(field, walk.frontier, clocks):
            self._checkpoint(walk.position)  ##= run.own.checkpoint-frontier
        frontier = advance.frontier(field, walk.frontier, clocks)  # first, for what has no order makes no part
        self._add(list(compress(rows, advance.admitted(field, walk.ask.floor, clocks))), answer.types)
        position = walk.position if frontier is None else advance.watermark(field, frontier)
        return replace(walk, position=position, frontier=frontier)

    def _add(self, rows: list[dict[str, Any]], types: Mapping[str, str]) -> None:
        """Stage the rows as one part; without rows there is none."""
        if rows:
            land.in_time(self._plan.table.table, types, self._undeclared)
            table = land.typed(self._plan.table, types, self._stage.schema)
            batch = land.shape(table, rows, self._stage.schema)
            self._undeclared |= {column.name for column in batch.columns} - table.types.keys()
            part_bytes = self._stage.add(batch)  ##= run.own.backpressure
            self._execution.tell(BatchStaged(self._batches, len(rows), part_bytes))
            self._batches += 1

    def _due(self, source: Source) -> bool:
        return staging_and_checkpoints.due(
            self._stage.staged_bytes,
            position_addressed=source.position_addressed,
            replaces=self._plan.reading.replaces,
            checkpoint_bytes=self._checkpoint_bytes,
        )

    def _checkpoint(self, position: str | None) -> None:
        """Commit what is staged, cache the position, and let go of the pulls that led to it; the owner stays."""
        staging_and_checkpoints.admit_id(self._execution.run_id, len(self._landed) + 1)
        manifest = self._commit(position)
        self._execution.collect(self._cursors.cached(self._plan.scope, manifest))  ##= run.own.checkpoint-resume
        self._pulls = 0
        self._stage = self._next_stage()

    def _whole(self, position: str | None) -> str | None:
        """The position, where the run has all that its table is to hold, or leaves the table as it is."""
        if self._inventory is Inventory.UNCHANGED:
            return self._cursors.cursor(self._plan.scope).position  ##= run.advance.zero-row-commit
        if self._plan.reading.replaces and self._inventory is not Inventory.COMPLETE:
            ##= run.advance.snapshot-completion
            raise Incomplete(f"the source did not say that this is all of {self._plan.table.table}, which it replaces")
        return position

    def _commit(self, position: str | None) -> Manifest:
        _check(position)
        known = self._cursors.cursor(self._plan.scope).marker
        landed = self._stage.commit(
            position,
            known=None if known is None else known.run_id,
            attempts=self._execution.attempts,
            admit=self._check_both,
            complete=self._inventory is Inventory.COMPLETE,
        )
        self._landed.append(landed)  ##= run.own.checkpoint-landed
        return landed.manifest

    def _check_both(self) -> None:
        """Right before the marker: this run still owns its table, and whoever it lands for has nothing against it."""
        self._execution.check()
        self._admit()

    def _next_stage(self) -> Stage:
        run_id = staging_and_checkpoints.commit_id(self._execution.run_id, len(self._landed))
        plan = self._plan
        return self._destination.stage(
            Lot(plan.table, run_id, plan.pipeline_id, self._site_id, plan.cursor, replaces=plan.reading.replaces)
        )


def _check(position: str | None) -> None:
    """Refuse a position that no cursor could hold, before anything is recorded or committed under it."""
    if position is not None:
        text.admitted("position", position)
