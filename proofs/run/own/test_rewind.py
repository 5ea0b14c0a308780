"""run.own, under operator retirement, decided: when pending work may be given up."""

from __future__ import annotations

from contextful.run import record
from contextful.run.own import operator_retirement, own
from contextful.run.own.own import HostScope, Owner, Pins
from contextful.run.record import Lease
from contextful_contract.errors import ExecutionRewindPlanCurrent, ExecutionRewindUnsafe
from contextful_contract.shapes import Awakeable, AwakeableState, RunStatus
from proofs.theorem import theorem

AWAITED = Awakeable(
    token="awk-1",
    execution_id="exec-1",
    step_label="approve",
    created_at=0,
    ttl_secs=1,
    deadline=1_000,
    state=AwakeableState.PENDING,
    payload_sha256=None,
    payload=None,
)


def rewound(status: RunStatus, lease_ms: int | None, *, awaits: bool, asked: bool, force: bool, now_ms: int) -> str:
    """What comes of a rewind whose last attempt has this status and lease."""
    requested = "plan-b" if asked else None
    pins = Pins("plan-a", {})
    owner = Owner(HostScope("s"), "exec-1", pins, ("run-1",), "holder-1", opened_ms=0, requested_plan=requested)
    lease = None if lease_ms is None else Lease("holder-1", lease_ms)
    latest = record.Run("run-1", "exec-1", "plan-a", "site", status, started_ms=0, lease=lease)
    awaited = [AWAITED] if awaits else []
    try:
        changes = operator_retirement.rewind(
            owner, latest, awaited, reason="moved", run_id="run-2", force=force, now_ms=now_ms
        )
    except ExecutionRewindUnsafe:
        return "unsafe"
    except ExecutionRewindPlanCurrent:
        return "current"
    return "retired" if changes[0] == own.retirement(owner) else "something else"


@theorem(
    "run.own.rewind-unsafe",
    "run.own.rewind-plan-current",
    of=operator_retirement.rewind,
    mutants=[
        ("now_ms < latest.lease.expires_ms", "now_ms <= latest.lease.expires_ms"),
        ("latest.status is RunStatus.WAITING", "False"),
        ("elif awaited:", "elif False:"),
        ("    _safe(owner, latest, awaited, now_ms)", "    force or _safe(owner, latest, awaited, now_ms)"),
        ("owner.requested_plan is None and not force", "owner.requested_plan is None"),
        ("owner.requested_plan is None and not force", "not force"),
    ],
    leaves_open="an attempt that has closed, which holds no lease; which attempt is the last, and what may be answered",
)
def test_pending_work_is_given_up_exactly_where_nothing_goes_on_and_a_plan_or_force_asks(
    waits: bool, lease_ms: int | None, awaits: bool, asked: bool, force: bool, now_ms: int
) -> bool:
    """Work that is live, that waits or that may still be answered is given up by nobody, whatever the force. Any other
    is given up exactly where another plan was asked for, or with force.

    post: __return__
    """
    status = RunStatus.WAITING if waits else RunStatus.RUNNING
    live = lease_ms is not None and now_ms < lease_ms
    expected = "unsafe" if live or waits or awaits else "retired" if asked or force else "current"
    return expected == rewound(status, lease_ms, awaits=awaits, asked=asked, force=force, now_ms=now_ms)
