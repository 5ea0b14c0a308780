"""run.own, under operator retirement: an operator gives up pending work, and the record says so.

pending --rewind, another plan was asked for, or --force--> (none), and a canceled run row
   |
   +-- rewind, an attempt live or waiting --> ExecutionRewindUnsafe
   +-- rewind, no other plan asked for --> ExecutionRewindPlanCurrent
"""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel.change import Change
from contextful.run import record
from contextful.run.own import own
from contextful_contract.errors import ExecutionRewindNotPending, ExecutionRewindPlanCurrent, ExecutionRewindUnsafe
from contextful_contract.shapes import RunStatus


def pending(owner: own.Owner | None, execution_id: str) -> own.Owner:
    """The owner of a host or table that holds the execution."""
    if owner is None:
        raise ExecutionRewindNotPending(execution_id=execution_id)  ##= run.own.rewind-not-pending
    return owner


def rewind(
    owner: own.Owner, latest: record.Run | None, *, reason: str, run_id: str, force: bool, now_ms: int
) -> Sequence[Change]:
    """What retires the owner and records that it was. `latest` is the row of its last attempt."""
    _safe(owner, latest, now_ms)
    if owner.requested_plan is None and not force:
        ##= run.own.rewind-plan-current
        raise ExecutionRewindPlanCurrent(execution_id=owner.execution_id, plan_ref=owner.pins.plan_ref)
    return own.retirement(owner), record.retired(_row(owner, latest, run_id), reason, now_ms)


def _safe(owner: own.Owner, latest: record.Run | None, now_ms: int) -> None:
    """Nothing that goes on, or waits to go on, is retired; no force changes that."""
    if latest is None:
        return
    if latest.lease is not None and now_ms < latest.lease.expires_ms:
        ##= run.own.rewind-unsafe
        raise ExecutionRewindUnsafe(execution_id=owner.execution_id, blocker=f"the live attempt {latest.run_id}")
    if latest.status is RunStatus.WAITING:
        raise ExecutionRewindUnsafe(execution_id=owner.execution_id, blocker=f"the waiting attempt {latest.run_id}")


def _row(owner: own.Owner, latest: record.Run | None, run_id: str) -> record.Run:
    """A row started at the owner's open, for one that started now would put off the scope's next due fire."""
    scope = owner.scope
    return record.Run(
        run_id=run_id,
        execution_id=owner.execution_id,
        plan_ref=owner.pins.plan_ref,
        connector=owner.pins.connector,
        site_id="" if latest is None else latest.site_id,
        status=RunStatus.CANCELED,
        started_ms=owner.opened_ms,  ##= run.own.rewind-record
        pipeline_id=scope.pipeline_id if isinstance(scope, own.TableScope) else "",
        table=scope.table if isinstance(scope, own.TableScope) else "",
        host_scope=scope.scope if isinstance(scope, own.HostScope) else "",
    )
