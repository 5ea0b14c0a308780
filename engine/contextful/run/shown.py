"""run.record: the one projection of a run that every surface serves, and that the store keeps."""

from __future__ import annotations

from contextful.run.record import Run
from contextful_contract.shapes import Owner, RunRow


def run_row(run: Run) -> RunRow:
    """A run, as whoever asks for it is shown it."""
    counts, pulls = run.counts, run.connector
    return RunRow(
        run_id=run.run_id,
        execution_id=run.execution_id,
        pipeline_id=run.pipeline_id,
        table=run.table,
        host_scope=run.host_scope or None,
        chunk=run.chunk,
        site_id=run.site_id,
        phase=run.phase,
        status=run.status,
        owner=_owner(run),
        stop=run.stop,
        started_at=run.started_ms,
        ended_at=run.ended_ms,
        next_attempt_at=run.next_attempt_ms,
        plan_ref=run.plan_ref,
        connector_id="" if pulls is None else pulls.id,
        connector_version="" if pulls is None else pulls.version,
        connector_hash="" if pulls is None else pulls.hash,
        trace_id=run.trace_id,
        rows=counts.rows,
        bytes=counts.bytes,
        batches=counts.batches,
        skipped=counts.skipped,
        error_kind=run.error_kind,
        error_message=run.error_message,
        failed_branches=tuple(run.failed_branches),
        bound_hits=tuple(run.bound_hits),
        reason=run.reason,
        input=run.input,
    )


def _owner(run: Run) -> Owner | None:
    if run.process is None or run.lease is None:
        return None
    process = run.process
    return Owner(pid=process.pid, boot_id=process.boot_id, holder=process.holder, lease_expires_at=run.lease.expires_ms)
