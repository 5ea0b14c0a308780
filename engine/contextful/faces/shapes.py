"""Values as every face shows them: in the shapes of the contract, and those as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any, cast

from contextful.kernel import instant
from contextful.ports.read_face import Answer
from contextful.run.history import Page
from contextful.run.record import Run
from contextful.store import respond
from contextful_contract.shapes import HistoryPage, HistoryWindow, Json, Owner, ReadAnswer, RunRow


def run_row(run: Run) -> RunRow:
    """A run, as whoever asks for it is shown it."""
    counts, pulls = run.counts, run.connector
    return RunRow(
        run_id=run.run_id,
        execution_id=run.execution_id,
        pipeline_id=run.pipeline_id,
        table=run.table,
        host_scope=run.host_scope or None,
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
    )


def read_answer(answer: Answer, *, as_of_ms: int | None = None, available_as_of_ms: int | None = None) -> ReadAnswer:
    """What a statement answers, as whoever asked is told it."""
    rows = [[respond.cell(cell) for cell in row] for row in answer.rows]
    return ReadAnswer(
        columns=answer.columns,
        rows=cast(tuple[Json, ...], tuple(rows)),
        truncated=answer.truncated,
        bounds=respond.bounds(as_of_ms=as_of_ms, available_as_of_ms=available_as_of_ms),
    )  ##= read.respond.projection


def export_lines(store: str, page: Page) -> Iterator[dict[str, object]]:
    """A window of history as NDJSON: what it is of, and then a run a line."""
    shown = history_page(page)
    yield {"store": store, "window": to_json(shown.window), "count": len(shown.runs), "truncated": shown.truncated}
    yield from map(to_json, shown.runs)  ##= run.record.history-export


def history_page(page: Page) -> HistoryPage:
    """A window of history, as whoever asks for it is shown it."""
    window = HistoryWindow(since=page.since_ms, ceiling=page.ceiling)
    return HistoryPage(window=window, runs=tuple(map(run_row, page.runs)), truncated=page.truncated)


def to_json(shape: Any) -> dict[str, object]:
    """The shape as JSON spells it. A field that has a default is absent where it has that value."""
    shown = [field for field in fields(shape) if getattr(shape, field.name) != _default(field)]
    return {field.name.rstrip("_"): _spelled(getattr(shape, field.name), str(field.type)) for field in shown}


def _owner(run: Run) -> Owner | None:
    if run.process is None or run.lease is None:
        return None
    process = run.process
    return Owner(pid=process.pid, boot_id=process.boot_id, holder=process.holder, lease_expires_at=run.lease.expires_ms)


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _spelled(value: object, kind: str) -> object:
    match value:
        case Enum():
            return value.value
        case int() if kind.startswith("Instant"):
            return instant.spell(value)
        case tuple():
            return [_spelled(item, "") for item in value]
        case Mapping():
            return dict(value)
        case _ if is_dataclass(value):
            return to_json(value)
        case _:
            return value
