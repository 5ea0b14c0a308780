"""run.record: one row a run, written at open and again at close.

running --close--> success | failed | canceled          waiting --next attempt--> (a run of its own)
   |  ^                                                     ^
   |  +-- renew, every 10 s, 30 s of lease                  |
   +-- a step's next attempt is too far off to sleep -------+
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import cast

from contextful.kernel import credential, text
from contextful.kernel.change import Change, Insert, Update
from contextful.kernel.failure import Failure
from contextful.kernel.table import Kind, Row, Scalar, Table
from contextful.run import input_bounds, unpushed
from contextful_contract import limits
from contextful_contract.shapes import (
    BoundHit,
    ConnectorPin,
    FailedBranch,
    FailureTag,
    InputBounds,
    Phase,
    RunStatus,
    StopMark,
)

RUN = Table(
    "run",
    key=("run_id",),
    columns={
        "run_id": Kind.TEXT,
        "pipeline_id": Kind.TEXT,
        "table_name": Kind.TEXT,
        "host_scope": Kind.TEXT,
        "chunk": Kind.TEXT,
        "execution_id": Kind.TEXT,
        "plan_ref": Kind.TEXT,
        "connector_id": Kind.TEXT,
        "connector_version": Kind.TEXT,
        "connector_world": Kind.TEXT,
        "connector_hash": Kind.TEXT,
        "site_id": Kind.TEXT,
        "trace_id": Kind.TEXT,
        "phase": Kind.TEXT,
        "status": Kind.TEXT,
        "holder": Kind.TEXT,
        "pid": Kind.INTEGER,
        "boot_id": Kind.TEXT,
        "lease_expires_ms": Kind.INTEGER,
        "started_ms": Kind.INTEGER,
        "ended_ms": Kind.INTEGER,
        "next_attempt_ms": Kind.INTEGER,
        "landed_rows": Kind.INTEGER,
        "landed_bytes": Kind.INTEGER,
        "batches": Kind.INTEGER,
        "skipped": Kind.INTEGER,
        "error_kind": Kind.TEXT,
        "error_message": Kind.TEXT,
        "failed_branches": Kind.TEXT,
        "bound_hits": Kind.TEXT,
        "reason": Kind.TEXT,
        "stop_requested_ms": Kind.INTEGER,
        "stop_scope": Kind.TEXT,
        "stop_reason": Kind.TEXT,
        "input": Kind.TEXT,
        "unappended_ms": Kind.INTEGER,  # since when the store's own table lacks what this row says
        "planned": Kind.INTEGER,  # 1 once it has the row of the open
        **unpushed.COLUMNS,
    },
    indexes=(
        ("started_ms",),
        ("pipeline_id", "started_ms"),
        ("status", "started_ms"),
        ("pipeline_id", "status", "started_ms"),
        ("host_scope", "status", "started_ms"),
        ("status", "stop_requested_ms"),
        ("error_kind", "started_ms"),
        ("pipeline_id", "error_kind", "started_ms"),
        ("unappended_ms",),
        ("execution_id", "started_ms"),
        *unpushed.INDEXES,
    ),
)
LOOKED_THROUGH_CHARS = 4 * limits.RUN_ERROR_CAP_BYTES  # of an error's text: what is far past the cut is cut first


@dataclass(frozen=True, slots=True)
class Lease:
    """Who holds an attempt, and until when nobody else may."""

    holder: str
    expires_ms: int


@dataclass(frozen=True, slots=True)
class Process:
    """The process behind an attempt. Containers share ids and boots, so a holder drawn at random tells them apart."""

    pid: int
    boot_id: str
    holder: str


@dataclass(frozen=True, slots=True)
class Counts:
    """What landed at the destination, and what the source declined to hand over whole."""

    rows: int = 0
    bytes: int = 0
    batches: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt, as the record knows it."""

    run_id: str
    execution_id: str
    plan_ref: str | None
    site_id: str
    status: RunStatus
    started_ms: int
    pipeline_id: str = ""
    table: str = ""
    host_scope: str = ""
    chunk: str | None = None
    connector: ConnectorPin | None = None
    trace_id: str | None = None
    phase: Phase = Phase.PLAN
    process: Process | None = None
    lease: Lease | None = None
    ended_ms: int | None = None
    next_attempt_ms: int | None = None
    counts: Counts = Counts()
    error_kind: FailureTag | None = None
    error_message: str | None = None
    failed_branches: Sequence[FailedBranch] = ()
    bound_hits: Sequence[BoundHit] = ()
    reason: str | None = None
    stop: StopMark | None = None
    input: InputBounds | None = None
    parent_run_id: str | None = None  # whose work it is a part of; only whoever watches it is told


@dataclass(frozen=True, slots=True)
class Closing:
    """How an attempt ends: its status, what failed, what landed, when the next attempt may begin.

    `awaits` are the labels of the awakeables that it waits for: an answer lets the next attempt begin at once. A
    failure that `holds` leaves the owner be, whatever is recorded.
    """

    status: RunStatus
    failure: Failure | None = None
    counts: Counts = Counts()
    next_attempt_ms: int | None = None
    failed_branches: Sequence[FailedBranch] = ()
    replay_stable: bool = False
    holds: bool = False
    awaits: Sequence[str] = ()
    input: InputBounds | None = None


def opened(run: Run, process: Process, now_ms: int, *, node_id: str | None = None) -> Change:
    """The row at open, before any work, with a fresh lease; marked with the node, where its disk may go."""
    ##= run.record.row-at-open
    return Insert(
        RUN,
        {
            **_identity(run),
            **unpushed.marked(run.run_id, node_id),
            "phase": Phase.PLAN.value,
            "status": RunStatus.RUNNING.value,
            "holder": process.holder,
            "pid": process.pid,
            "boot_id": process.boot_id,
            "lease_expires_ms": now_ms + limits.OWNER_LEASE_TTL_MS,  ##= run.record.owner-lease
            "unappended_ms": now_ms,
        },
    )


def turned_away(run: Run, failure: Failure, now_ms: int) -> Change:
    """The row of an open that was refused: closed where it began, and holding nothing."""
    return Insert(RUN, _identity(run) | _closing(Closing(RunStatus.FAILED, failure), now_ms))


def retired(run: Run, reason: str, now_ms: int) -> Change:
    """The row of an operator's retirement: canceled, with the reason that was given."""
    return Insert(RUN, _identity(run) | _closing(Closing(RunStatus.CANCELED), now_ms) | {"reason": capped(reason)})


def renewed(run_id: str, holder: str, now_ms: int) -> Change:
    """Thirty more seconds, if the attempt is still this holder's and still running."""
    return Update(
        RUN,
        {"run_id": run_id},
        {"holder": holder, "status": RunStatus.RUNNING.value},
        {"lease_expires_ms": now_ms + limits.OWNER_LEASE_TTL_MS},
    )


def closed(run_id: str, holder: str, closing: Closing, now_ms: int, *, also: Row = unpushed.UNMARKED) -> Change:
    """The row at close, if the attempt is still this holder's. No lease outlives its attempt.

    A row with a stop on it does not come to wait: nobody would be left to heed it.
    """
    standing: dict[str, Scalar] = {"holder": holder, "status": RunStatus.RUNNING.value}
    if closing.status is RunStatus.WAITING:
        standing["stop_requested_ms"] = None
    return Update(RUN, {"run_id": run_id}, standing, {**_closing(closing, now_ms), **also})


def marked(run: Run, mark: StopMark, ending: Closing | None, now_ms: int) -> Change:
    """The row with a stop on it, in place of an older one, while its status is the one that was seen.

    `ending` closes it too.
    """
    set_ = {} if ending is None else _closing(ending, now_ms)
    ##= run.cancel.catalog-channel
    set_ |= {
        "stop_requested_ms": mark.requested_at,
        "stop_scope": mark.scope,
        "stop_reason": None if mark.reason is None else capped(mark.reason),
    }
    return Update(RUN, {"run_id": run.run_id}, {"status": run.status.value}, set_)


def struck(run: Run, hit: BoundHit) -> Change:
    """The row with one more bound that a connector has struck, as long as no other has come in between."""
    hits = (*run.bound_hits, hit)
    standing: Row = {"bound_hits": _hits_text(run.bound_hits)}
    return Update(
        RUN, {"run_id": run.run_id}, standing, {"bound_hits": _hits_text(hits)}
    )  ##= run.retry.bound-hit-recorded


def orphaned(run: Run, now_ms: int) -> bool:
    """Whether the run's process let its lease lapse without closing it."""
    return not run.status.terminal and run.lease is not None and run.lease.expires_ms <= now_ms


def reaped(run: Run, now_ms: int) -> Change:
    """The row of an orphan, closed for it, unless its process renews the lease after all."""
    assert run.lease is not None, "an orphan's lease has lapsed"
    lost = Closing(
        RunStatus.PARTIAL_FAILURE, Failure(FailureTag.TRANSIENT, "the process ended without closing the run")
    )
    standing: Row = {"holder": run.lease.holder, "lease_expires_ms": run.lease.expires_ms}
    return Update(RUN, {"run_id": run.run_id}, standing, _closing(lost, now_ms))  ##= run.record.orphan-reap


def followed(run: Run, run_id: str, now_ms: int) -> Sequence[Change]:
    """What becomes of an attempt's row as the next one takes its work over, where it is not closed for good.

    One whose lease has lapsed can renew it no more. One that waits has waited long enough.
    """
    if run.lease is not None:
        return (reaped(run, now_ms),)  ##= run.record.taken-over
    if run.status is not RunStatus.WAITING or run.ended_ms is not None:
        return ()
    standing: Row = {"status": RunStatus.WAITING.value}
    over: Row = {
        "ended_ms": now_ms,
        "next_attempt_ms": None,
        "reason": f"run {run_id} goes on with it",
        "unappended_ms": now_ms,
    }
    return (Update(RUN, {"run_id": run.run_id}, standing, over),)


def honoured(lease: Lease, now_ms: int) -> Lease:
    """The lease as far as one reaches from now: what says more was written by a clock that was ahead."""
    return replace(lease, expires_ms=min(lease.expires_ms, now_ms + limits.OWNER_LEASE_TTL_MS))


def shortened(run_id: str, lease: Lease, now_ms: int) -> Sequence[Change]:
    """The row with no longer a lease than anybody honours, which its holder goes on renewing if it is alive."""
    reach = honoured(lease, now_ms)
    if reach == lease:
        return ()
    standing: Row = {"holder": lease.holder, "lease_expires_ms": lease.expires_ms}
    return (Update(RUN, {"run_id": run_id}, standing, {"lease_expires_ms": reach.expires_ms}),)


def lease(row: Row | None) -> Lease | None:
    """The lease on a run row; none once the attempt has closed."""
    if row is None or row["lease_expires_ms"] is None:
        return None
    return Lease(cast(str, row["holder"]), cast(int, row["lease_expires_ms"]))


def capped(message: str) -> str:
    """The message as every surface shows it: credentials masked, at most 2 KiB."""
    ##= run.record.error-cap
    encoded = credential.masked(text.mended(message[:LOOKED_THROUGH_CHARS])).encode()
    if len(encoded) <= limits.RUN_ERROR_CAP_BYTES:
        return encoded.decode()
    return encoded[: limits.RUN_ERROR_CAP_BYTES - 3].decode("utf-8", "ignore") + "…"


def from_row(row: Row) -> Run:
    """The run that a row stands for."""
    return Run(
        run_id=cast(str, row["run_id"]),
        execution_id=cast(str, row["execution_id"]),
        plan_ref=cast(str | None, row["plan_ref"]),  ##= run.record.plan-identity
        site_id=cast(str, row["site_id"]),
        status=RunStatus(cast(str, row["status"])),
        started_ms=cast(int, row["started_ms"]),
        pipeline_id=cast(str, row["pipeline_id"]),
        table=cast(str, row["table_name"]),
        host_scope=cast(str, row["host_scope"]),
        chunk=cast(str | None, row["chunk"]),
        connector=_connector(row),
        trace_id=cast(str | None, row["trace_id"]),
        phase=Phase(cast(str, row["phase"])),
        process=_process(row),
        lease=lease(row),
        ended_ms=cast(int | None, row["ended_ms"]),
        next_attempt_ms=cast(int | None, row["next_attempt_ms"]),
        counts=Counts(*(cast(int, row[name] or 0) for name in ("landed_rows", "landed_bytes", "batches", "skipped"))),
        error_kind=None if row["error_kind"] is None else FailureTag(cast(str, row["error_kind"])),
        error_message=cast(str | None, row["error_message"]),
        failed_branches=_branches(cast(str | None, row["failed_branches"])),
        bound_hits=_hits(cast(str | None, row["bound_hits"])),
        reason=cast(str | None, row["reason"]),
        stop=_stop(row),
        input=input_bounds.read(cast(str | None, row["input"])),
    )


def _stop(row: Row) -> StopMark | None:
    if row["stop_requested_ms"] is None:
        return None
    return StopMark(
        requested_at=cast(int, row["stop_requested_ms"]),
        scope=cast(str, row["stop_scope"]),
        reason=cast(str | None, row["stop_reason"]),
    )


def _process(row: Row) -> Process | None:
    if row["holder"] is None:
        return None
    return Process(cast(int, row["pid"]), cast(str, row["boot_id"]), cast(str, row["holder"]))


def _connector(row: Row) -> ConnectorPin | None:
    if row["connector_id"] is None:
        return None
    return ConnectorPin(**{name: cast(str, row[f"connector_{name}"]) for name in ("id", "version", "world", "hash")})


def _branches(text: str | None) -> Sequence[FailedBranch]:
    return tuple(FailedBranch(label=label, tag=FailureTag(tag)) for label, tag in json.loads(text or "[]"))


def _hits(text: str | None) -> Sequence[BoundHit]:
    return tuple(
        BoundHit(step_label=label, attempt=number, bound=bound) for label, number, bound in json.loads(text or "[]")
    )


def _hits_text(hits: Sequence[BoundHit]) -> str | None:
    return json.dumps([[hit.step_label, hit.attempt, hit.bound] for hit in hits]) if hits else None


def _identity(run: Run) -> dict[str, str | int | None]:
    return {
        "run_id": run.run_id,
        "pipeline_id": run.pipeline_id,
        "table_name": run.table,
        "host_scope": run.host_scope,
        "chunk": run.chunk,
        "execution_id": run.execution_id,
        "plan_ref": run.plan_ref,
        **({} if run.connector is None else {f"connector_{n}": v for n, v in asdict(run.connector).items()}),
        "site_id": run.site_id,
        "trace_id": run.trace_id,
        "started_ms": run.started_ms,
    }


def _closing(closing: Closing, now_ms: int) -> dict[str, str | int | None]:
    failure, counts = closing.failure, closing.counts
    return {
        "phase": Phase.COMMIT.value,
        "status": closing.status.value,
        "lease_expires_ms": None,
        "ended_ms": now_ms if closing.status.terminal else None,
        "next_attempt_ms": closing.next_attempt_ms,
        "landed_rows": counts.rows,
        "landed_bytes": counts.bytes,
        "batches": counts.batches,
        "skipped": counts.skipped,
        "error_kind": None if failure is None else failure.tag.value,
        "error_message": None if failure is None else capped(failure.message),
        "failed_branches": json.dumps([[branch.label, branch.tag.value] for branch in closing.failed_branches]),
        "input": input_bounds.spelled(closing.input),  ##= run.record.sweep-bounds
        "unappended_ms": now_ms,
    }
