"""run.own, under operator retirement: an operator gives up pending work, and the record says so.

pending --rewind, another plan was asked for, or --force--> (none), and a canceled run row
   |
   +-- rewind, an attempt live or waiting, or an answer still to come --> ExecutionRewindUnsafe
   +-- rewind, no other plan asked for --> ExecutionRewindPlanCurrent
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from contextful.kernel import instant
from contextful.kernel.change import Change
from contextful.run import record
from contextful.run.own import own
from contextful_contract.errors import ExecutionRewindNotPending, ExecutionRewindPlanCurrent, ExecutionRewindUnsafe
from contextful_contract.shapes import Awakeable, RunStatus


def pending(owner: own.Owner | None, execution_id: str) -> own.Owner:
    """The owner of a host or table that holds the execution."""
    if owner is None or isinstance(owner.scope, own.ChunkScope):
        raise ExecutionRewindNotPending(execution_id=execution_id)  ##= run.own.rewind-not-pending
    return owner


def superseded(owner: own.Owner, declared: Collection[str]) -> bool:
    """Whether an applied project declares none of the plans that could resume the pending work."""
    ##= run.own.apply-retires-superseded
    return owner.pins.identities.get("input", owner.pins.plan_ref) not in declared


def rewind(
    owner: own.Owner,
    latest: record.Run | None,
    awaited: Sequence[Awakeable],
    *,
    reason: str,
    run_id: str,
    force: bool,
    now_ms: int,
) -> Sequence[Change]:
    """What retires the owner and records that it was. `latest` is the row of its last attempt.

    `awaited` are its awakeables that may still be answered.
    """
    _safe(owner, latest, awaited, now_ms)
    if owner.requested_plan is None and not force:
        ##= run.own.rewind-plan-current
        raise ExecutionRewindPlanCurrent(execution_id=owner.execution_id, plan_ref=owner.pins.plan_ref)
    return own.retirement(owner), record.retired(_row(owner, latest, run_id), reason, now_ms)


def _safe(owner: own.Owner, latest: record.Run | None, awaited: Sequence[Awakeable], now_ms: int) -> None:
    """Nothing that goes on, or waits to go on, is retired; no force changes that."""
    blocker = None
    if latest is not None and latest.lease is not None and now_ms < latest.lease.expires_ms:
        blocker = f"the live attempt {latest.run_id}"
    elif latest is not None and latest.status is RunStatus.WAITING:
        blocker = f"the waiting attempt {latest.run_id}"
    elif awaited:
        blocker = f"the awakeable {awaited[0].step_label}, which has until {instant.spell(awaited[0].deadline)}"
    if blocker is not None:
        raise ExecutionRewindUnsafe(execution_id=owner.execution_id, blocker=blocker)  ##= run.own.rewind-unsafe


def _row(owner: own.Owner, latest: record.Run | None, run_id: str) -> record.Run:
    """A row started at the owner's open, for one that started now would put off the scope's next due fire."""
    row = record.Run(
        run_id=run_id,
        execution_id=owner.execution_id,
        plan_ref=owner.pins.plan_ref,
        connector=owner.pins.connector,
        site_id="" if latest is None else latest.site_id,
        status=RunStatus.CANCELED,
        started_ms=owner.opened_ms,  ##= run.own.rewind-record
    )
    return own.placed(row, owner.scope)
