"""Performs run.own: an attempt opens under its scope, and closes with what its status says of the owner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from contextful.kernel import instant
from contextful.kernel.change import Change, Require
from contextful.kernel.failure import Failed, Failure, Transient, classify
from contextful.kernel.signal import Stopped
from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import cancel, items, record, suspend, unpushed
from contextful.run.journal import journal
from contextful.run.own import operator_retirement, own
from contextful.runner import admitted
from contextful.runner.drain import Unpushed
from contextful.runner.keeper import Beside
from contextful.runner.run_table import RunLog
from contextful.runner.settle import settle
from contextful_contract.errors import ExecutionPinMismatch
from contextful_contract.shapes import AwakeableState, EntryKey, FailureTag, RunStatus, StopMark

ITEMS_TOGETHER = 200


@dataclass(frozen=True, slots=True)
class Taken:
    """What an attempt takes as it opens, and what has to stand of that for as long as it works.

    `beside` is a lease that is renewed with its own.
    """

    changes: Sequence[Change] = ()
    guards: tuple[Require, ...] = ()
    beside: Beside | None = None


Takes = Callable[[str, int], Taken]  # by the attempt's run id, at an instant; raises where it cannot be had


def nothing(_run_id: str, _now_ms: int) -> Taken:
    """An attempt owns its scope, and takes no more."""
    return Taken()


def standing_owner(rows: Rows, scope: own.Scope) -> own.Owner | None:
    """The scope's pending owner, if there is one."""
    row = rows.get(own.OWNER, (scope.key(),))
    return None if row is None else own.from_row(row)


class Owners:
    """Execution owners over their ports."""

    def __init__(self, rows: Rows, world: World, run_log: RunLog, disk: Unpushed | None = None) -> None:
        self._rows = rows
        self._world = world
        self._run_log = run_log
        self._disk = disk
        self._node_id = None if disk is None else disk.node_id

    def open(
        self, run: record.Run, fresh: own.Owner, process: record.Process, takes: Takes = nothing
    ) -> tuple[own.Owner, Taken]:
        """Own the scope's execution, fresh or resumed, and take what else it needs; or leave a failed row that says
        why not."""
        admitted.open_(fresh.scope)

        def decide() -> tuple[tuple[own.Owner, Taken], Sequence[Change]]:
            if self._rows.get(record.RUN, (run.run_id,)) is not None:
                raise Failed(Failure(FailureTag.CONFIG, f"run id {run.run_id} was used before: choose another"))
            standing = standing_owner(self._rows, fresh.scope)
            now_ms = self._rows.now_ms(self._world.now_ms())
            before = None if standing is None else self._run(standing)
            lease = None if before is None or before.lease is None else record.honoured(before.lease, now_ms)
            verdict = own.admit(fresh, standing, lease, now_ms=now_ms)
            if isinstance(verdict, own.Live):
                raise Transient(
                    f"attempt {verdict.attempt} holds {fresh.scope}, until {instant.spell(verdict.until_ms)}"
                    " unless it renews its lease: wait for it to end, or for its lease to lapse"
                )
            followed = () if before is None else record.followed(before, run.run_id, now_ms)
            taken = takes(run.run_id, now_ms)
            row = record.opened(_under(run, verdict.owner), process, now_ms, node_id=self._node_id)
            reset = () if verdict.resets is None else (journal.collection(verdict.resets),)
            return (verdict.owner, taken), (verdict.change, *reset, *followed, *taken.changes, row)

        try:
            return settle(self._rows, decide)
        except (ExecutionPinMismatch, Transient) as refusal:
            self._turn_away(run, fresh, refusal)
            raise

    def close(
        self, owner: own.Owner, closing: record.Closing, *, refused: Sequence[EntryKey], also: Sequence[Change] = ()
    ) -> StopMark | None:
        """Close the attempt's row and, in the same commit, retire its owner or hold it for the next attempt.

        `refused` are the entries whose failures ended the run; `also` is part of the commit, as a position is.
        The stop is returned that came before an attempt could wait, if one did: it has ended the attempt.
        """
        admitted.keep(owner.scope)

        def decide() -> tuple[StopMark | None, Sequence[Change]]:
            standing = standing_owner(self._rows, owner.scope)
            if standing is None or standing.holder != owner.holder:
                raise Stopped(f"attempt {owner.attempts[-1]} no longer owns {owner.scope}")
            attempt = self._run(owner)
            if attempt is None or attempt.lease is None:
                raise Stopped(f"attempt {owner.attempts[-1]} was closed as lost, for its lease had lapsed")
            forgotten = self._forgotten(refused)
            now_ms = self._world.now_ms()
            stop = attempt.stop if closing.status is RunStatus.WAITING else None  ##= run.cancel.land-path-uncut
            ends, unanswered = self._awaiting(
                owner, closing if stop is None else cancel.canceled(closing, stop), now_ms
            )
            row = record.closed(owner.attempts[-1], owner.holder, ends, now_ms, also=self._unmarked(owner))
            keeps = closing.holds or self._keeps(owner, forgotten)
            if own.releases(ends.status, wrote_batch=keeps, replay_stable=ends.replay_stable) or cancel.releases(
                ends.status, recorded=keeps
            ):
                return stop, (row, own.retirement(owner), journal.collection(owner.execution_id), *also)
            held = own.held(owner, waiting_until_ms=ends.next_attempt_ms)
            return stop, (row, held, *forgotten, *unanswered, *also)

        stop = settle(self._rows, decide)
        self._run_log.append(owner.attempts[-1])
        return stop

    def abandoned(self, run: record.Run) -> Sequence[Change]:
        """What becomes of the owner of an attempt that is stopped while it waits, if the owner is still its own."""
        owner = self._holding(run.execution_id)
        if owner is None or owner.attempts[-1] != run.run_id:
            return ()
        if cancel.releases(RunStatus.CANCELED, recorded=self._keeps(owner, ())):
            return own.retirement(owner), journal.collection(owner.execution_id)
        return (own.held(owner, waiting_until_ms=None),)

    def rewind(self, execution_id: str, *, reason: str, run_id: str, force: bool) -> own.Owner:
        """Retire the pending owner that holds the execution, and leave a row that says why."""

        def decide() -> tuple[own.Owner, Sequence[Change]]:
            owner = operator_retirement.pending(self._holding(execution_id), execution_id)
            admitted.keep(owner.scope)
            latest = self._run(owner)
            now_ms = self._rows.now_ms(self._world.now_ms())
            awaited = [suspend.from_row(row) for row in self._rows.select(suspend.open_in(execution_id, now_ms))]
            retired = operator_retirement.rewind(
                owner, latest, awaited, reason=reason, run_id=run_id, force=force, now_ms=now_ms
            )
            return owner, (*retired, journal.collection(owner.execution_id))

        owner = settle(self._rows, decide)
        self._run_log.append(owner.attempts[-1], run_id)
        if isinstance(owner.scope, own.HostScope):
            self._give_up_beneath(owner.scope)
        return owner

    def _give_up_beneath(self, scope: own.HostScope) -> None:
        """The items of a job whose pending work was given up keep no execution of theirs."""
        job = scope.scope.removeprefix("job:")
        while rows := self._rows.select(items.still_open(job, ITEMS_TOGETHER)):  # ends: each is closed, or ends itself
            for row in rows:
                owner = standing_owner(self._rows, items.beneath(scope, row))
                gone = () if owner is None else (own.retirement(owner), journal.collection(owner.execution_id))
                self._rows.commit(*items.given_up(row), *gone)

    def supersede(self, scope: own.Scope, declared: Collection[str], *, reason: str, run_id: str) -> own.Owner | None:
        """Retire the scope's pending owner, where an applied project has no plan for it any more."""
        owner = standing_owner(self._rows, scope)
        if owner is None or not operator_retirement.superseded(owner, declared):
            return None
        return self.rewind(owner.execution_id, reason=reason, run_id=run_id, force=True)

    def _unmarked(self, owner: own.Owner) -> Row:
        """What a closing row says of its mark: it goes where nothing was committed that a push has to carry."""
        if self._disk is None or self._disk.landed(owner.attempts[-1]):
            return unpushed.UNMARKED
        return unpushed.CLEARED

    def _turn_away(self, run: record.Run, fresh: own.Owner, refusal: Exception) -> None:
        """Leave the row of an open that was refused; on the owner, which plan it asked for; no lease without end."""
        self._rows.commit(record.turned_away(run, classify(refusal), self._world.now_ms()))
        self._run_log.append(run.run_id)
        standing = standing_owner(self._rows, fresh.scope)
        latest = None if standing is None else self._run(standing)
        if latest is not None and latest.lease is not None:
            now_ms = self._rows.now_ms(self._world.now_ms())
            if shorter := record.shortened(latest.run_id, latest.lease, now_ms):
                self._rows.commit(*shorter)
        if standing is not None and standing.pins.plan_ref != fresh.pins.plan_ref:
            self._rows.commit(own.another_plan(standing, fresh.pins.plan_ref))

    def _awaiting(
        self, owner: own.Owner, closing: record.Closing, now_ms: int
    ) -> tuple[record.Closing, Sequence[Change]]:
        """The closing, and what its commit has to find: nobody waits for an answer that has come."""
        unanswered = []
        for label in closing.awaits:
            row = self._rows.get(suspend.AWAKEABLE, (owner.execution_id, label))
            assert row is not None, "an owner outlives no awakeable of its own"
            awakeable = suspend.from_row(row)
            if awakeable.state is not AwakeableState.PENDING:
                return replace(closing, next_attempt_ms=now_ms), ()
            unanswered.append(suspend.unanswered(awakeable))
        return closing, unanswered

    def _holding(self, execution_id: str) -> own.Owner | None:
        """The pending owner that holds the execution."""
        held = self._rows.select(Select(own.OWNER, {"execution_id": execution_id}, limit=1))
        return own.from_row(held[0]) if held else None

    def _run(self, owner: own.Owner) -> record.Run | None:
        """The row of the owner's last attempt."""
        row = self._rows.get(record.RUN, (owner.attempts[-1],))
        return None if row is None else record.from_row(row)

    def _keeps(self, owner: own.Owner, forgotten: Sequence[Change]) -> bool:
        """Whether more is recorded than what is let go: work that a resumption would use."""
        execution: Row = {"execution_id": owner.execution_id}
        answers = self._rows.select(Select(journal.ENTRY, execution, order="ahead", limit=len(forgotten) + 1))
        return len(answers) > len(forgotten) or bool(self._rows.select(Select(suspend.AWAKEABLE, execution, limit=1)))

    def _forgotten(self, refused: Sequence[EntryKey]) -> Sequence[Change]:
        keys = [(entry.execution_id, entry.step_label, entry.input_hash) for entry in refused]
        states = [journal.from_row(self._rows.get(journal.ENTRY, key)) for key in keys]
        changes = [
            journal.forget(entry, state.failure)
            for entry, state in zip(refused, states, strict=True)
            if isinstance(state, journal.Refused)
        ]
        return [change for change in changes if change is not None]


def _under(run: record.Run, owner: own.Owner) -> record.Run:
    return replace(run, execution_id=owner.execution_id)
