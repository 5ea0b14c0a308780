"""Performs run.own's staging and checkpoints: one attempt at a table pulls, stages each batch as a part, and commits.

open --pull n recorded--> shaped --> part n staged --> pull n+1 … --> committed with the position
                             |                            ^
                             +-- 512 MiB staged: committed, cached, collected
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import cast

from contextful.kernel import text
from contextful.kernel.failure import Permanent, classify
from contextful.kernel.signal import Stopped, Unrecorded
from contextful.pipeline import guard_secrets, land, prepare, pull
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.prepare import Prepared, Written
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.ports.destination import Destination, Landed, Lot, Stage
from contextful.ports.observer import BatchStaged
from contextful.ports.source import Source
from contextful.ports.world import World
from contextful.run import advance
from contextful.run.own import staging_and_checkpoints
from contextful.run.record import Counts
from contextful.runner.advance import Cursors
from contextful.runner.execution import Execution
from contextful.runner.journal import idempotency_key
from contextful.store.lay_out import Manifest
from contextful.store.ledger import OK, Request
from contextful_contract import limits
from contextful_contract.errors import JournalRedactionConflict
from contextful_contract.shapes import FailureTag


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
        within: Callable[[], AbstractContextManager[None]],
        *,
        site_id: str,
        world: World,
        pepper: bytes | None,
        checkpoint_bytes: int,
        passing: Callable[[int, str], object],
    ) -> None:
        self._plan = plan
        self._execution = execution
        self._destination = destination
        self._cursors = cursors
        self._admit = admit
        self._within = within
        self._site_id = site_id
        self._checkpoint_bytes = checkpoint_bytes
        self._passing = passing
        self._world = world
        self._ledger = destination.ledger(plan.table.table, execution.run_id)
        self._writer = plan.writing(pepper)
        self._writer_identity = plan.writer_identity(pepper)
        self._landed: list[Landed] = []
        self._pulls = 0  # since the last commit: what a resumption from there counts as well
        self._replayed = False  # the last pull's answer was on record
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
        if source.journaled and self._plan.writer.removes:
            plan = self._plan
            raise JournalRedactionConflict(
                pipeline=plan.pipeline_id, table=plan.table_name
            )  ##= run.journal.redacting-source
        walk = self._opened()
        if source.journaled and not source.position_addressed and len(self._execution.attempts) > 1:
            self._see_the_beginning(source, walk)
        asked: set[str | None] = set()
        for _ in range(source.pulls_max):  ##= connector.source.page-cap
            asked.add(walk.ask.position)
            recorded = self._recorded(source, walk)
            answer = recorded.batch if isinstance(recorded, Prepared) else recorded
            onward = pull.onward(asked, walk.ask, answer, monotonic=self._plan.incremental is not None)
            written = self._written(recorded, walk)  ##= run.journal.replay-lands
            self._skipped += answer.skipped
            walk = self._staged(source, walk, answer.position, written, onward=onward)
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
        position, incremental = self._cursors.cursor(self._plan.scope).position, self._plan.incremental
        chunk = self._plan.chunk
        if incremental is None:
            window = () if chunk is None else (chunk.window.begins, chunk.window.ends)
            return Walk(Ask(position, *window), position, None)
        floor = advance.floor(position, incremental.field)
        if chunk is not None:
            begins = chunk.window.begins if floor is None else floor
            return Walk(Ask(None, begins, chunk.window.ends), position, floor)
        return Walk(Ask(None, advance.eased(floor, incremental.lateness_ms)), position, floor)

    def _see_the_beginning(self, source: Source, walk: Walk) -> None:
        """Let go of what is recorded, where the source no longer begins as it did.

        Its positions name no stable place, so the pulls to come would not go on from those on record.
        """
        before = self._recorded(source, walk)
        changed = self._replayed and before != self._recorded(source, walk, again=True)
        self._pulls = 0
        if changed:
            self._execution.collect()  ##= run.own.checkpoint-scope

    def _recorded(self, source: Source, walk: Walk, *, again: bool = False) -> Batch | Prepared:
        """The pull's recorded answer. One without rows is not recorded, nor is any of a source that opts out.

        Asked for `again`, what it answers now is not recorded either.
        """
        label, ran = f"look-{len(self._execution.attempts)}" if again else f"pull-{self._pulls}", False

        def effect() -> Batch | Prepared:
            nonlocal ran
            ran = True
            key = idempotency_key()
            answer = self._asked(source, walk.ask, label, key)  ##= run.journal.ledger-settles-first
            guarded = self._guarded(prepare.own_making(self._plan.table.table, answer))
            held = self._prepared(guarded, walk) if self._writer.protects and source.journaled else guarded
            if again or not source.journaled or (held.batch if isinstance(held, Prepared) else held).row_count == 0:
                raise Unrecorded(held)  ##= run.journal.opt-out
            return held

        self._pulls += 1
        try:
            ##= run.journal.recorded-batch
            held = self._execution.step(label, effect, retry=self._plan.schedule, input=walk.ask)
        except Unrecorded as passing:
            return cast(Batch | Prepared, passing.answer)
        self._replayed = not ran
        if ran:
            self._pass("record")
        return held

    def _asked(self, source: Source, ask: Ask, label: str, key: str) -> Batch:
        """What the source answers. A request outside is in the ledger by then, whatever came of it."""
        started_ms = self._world.now_ms()
        try:
            answer = self._execution.abandonable(
                "contextful-pull",
                lambda: source.pull(ask, idempotency_key=key),
                deadline_ms=limits.CONNECTOR_READ_DEADLINE_MS,
            )
        except (Exception, Stopped) as error:
            tag = classify(error).tag if isinstance(error, Exception) else FailureTag.CANCELED
            self._note(source, label, key, tag.value, started_ms)  ##= run.cancel.abandoned-work
            raise
        self._note(source, label, key, OK, started_ms)
        return answer

    def _note(self, source: Source, label: str, key: str, outcome: str, started_ms: int) -> None:
        if source.host is None:
            return
        self._ledger.append(
            Request(
                run_id=self._execution.run_id,
                pull=label,
                idempotency_key=key,
                connector=self._plan.source.CONNECTOR,
                method="GET",
                host=source.host,
                outcome=outcome,
                started_ms=started_ms,
                took_ms=self._world.now_ms() - started_ms,
            )
        )

    def _guarded(self, answer: Batch) -> Batch:
        """The answer as it may be recorded."""
        self._pass("pull")
        _check(answer.position)
        guarded = guard_secrets.guarded(answer) if self._plan.guards else answer
        self._pass("guard")
        return guarded

    def _prepared(self, answer: Batch, walk: Walk) -> Prepared:
        return self._writer.prepared(answer, walk.ask, self._writer_identity, field=self._clock, passing=self._pass)

    def _written(self, recorded: Batch | Prepared, walk: Walk) -> Written:
        """The rows as the table takes them: prepared before the record, or now."""
        if isinstance(recorded, Prepared):
            return self._writer.admitted(recorded, self._writer_identity)
        return self._writer.written(recorded, walk.ask, field=self._clock, passing=self._pass)

    @property
    def _clock(self) -> str | None:
        """The column by which rows have their order."""
        return None if self._plan.incremental is None else self._plan.incremental.field

    def _pass(self, stage: str) -> None:
        """The batch at hand has passed a stage of its way."""
        self._passing(self._batches, stage)  ##= run.land.stage-order

    def _staged(self, source: Source, walk: Walk, after: str | None, written: Written, *, onward: bool) -> Walk:
        """The walk once the batch is staged, and checkpointed where it is time for that."""
        field = self._clock
        if field is None:
            walk = replace(walk, position=after)
            self._add(written)
            if onward and self._due(source):
                self._checkpoint(walk.position)
            return walk
        if written.clocks and self._due(source) and advance.beyond(field, walk.frontier, written.clocks):
            self._checkpoint(walk.position)  ##= run.own.checkpoint-frontier
        frontier = advance.frontier(field, walk.frontier, written.clocks)
        self._add(written)
        position = walk.position if frontier is None else advance.watermark(field, frontier)
        return replace(walk, position=position, frontier=frontier)

    def _add(self, written: Written) -> None:
        """Stage the rows as one part; without rows there is none."""
        if written.rows:  ##= store.declare.empty-run
            land.in_time(self._plan.table.table, written.types, self._undeclared)
            table = land.typed(self._plan.table, written.types, self._stage.schema)
            batch = land.shape(table, written.rows, self._stage.schema)
            self._pass("shred")
            self._undeclared |= {column.name for column in batch.columns} - table.types.keys()
            part_bytes = self._stage.add(batch)  ##= run.own.backpressure
            self._pass("write")
            self._execution.tell(BatchStaged(self._batches, len(written.rows), part_bytes))
            self._batches += 1

    def _due(self, source: Source) -> bool:
        return staging_and_checkpoints.due(
            self._stage.staged_bytes,
            position_addressed=source.position_addressed,
            replaces=self._plan.reading.replaces or self._plan.seeds,
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
        if self._plan.chunk is not None:
            return self._plan.chunk.landed
        if self._inventory is Inventory.UNCHANGED:
            return self._cursors.cursor(self._plan.scope).position  ##= run.advance.zero-row-commit
        if self._plan.reading.replaces and self._inventory is not Inventory.COMPLETE:
            ##= run.advance.snapshot-completion
            raise Incomplete(f"the source did not say that this is all of {self._plan.table.table}, which it replaces")
        return position

    def _commit(self, position: str | None) -> Manifest:
        _check(position)
        known = self._cursors.cursor(self._plan.scope).marker
        with self._execution.holding(), self._within():
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
            Lot(plan.table, run_id, plan.lane, self._site_id, plan.cursor, replaces=plan.reading.replaces)
        )


def _check(position: str | None) -> None:
    """Refuse a position that no cursor could hold, before anything is recorded or committed under it."""
    if position is not None:
        text.admitted("position", position)
