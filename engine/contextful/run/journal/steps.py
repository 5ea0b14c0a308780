"""run.journal: what is told of an execution's steps. Their values are nobody's who only looks: they have sizes here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from contextful.kernel import instant
from contextful.kernel.table import Row
from contextful.run.journal import journal
from contextful_contract.shapes import FailureTag


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of the journal, without what it holds."""

    label: str
    input_hash: str
    state: str
    run_id: str
    attempt: int | None
    content_bytes: int | None
    not_before_ms: int | None
    error_kind: FailureTag | None
    error_message: str | None


def shown(row: Row) -> Step:
    """What is told of the entry in a row."""
    state = journal.from_row(row)
    failure = state.failure if isinstance(state, journal.Claim | journal.Refused) else None
    return Step(
        label=cast(str, row["step_label"]),
        input_hash=cast(str, row["input_hash"]),
        state=cast(str, row["state"]),
        run_id=cast(str, row["run_id"] or ""),
        attempt=cast(int | None, row["attempt"]),
        content_bytes=cast(int | None, row["content_bytes"]),
        not_before_ms=cast(int | None, row["not_before_ms"]) if isinstance(state, journal.Claim) else None,
        error_kind=None if failure is None else failure.tag,
        error_message=None if failure is None else failure.message,
    )


def to_json(step: Step) -> dict[str, str | int | None]:
    """The step as every face shows it."""
    told = {
        "label": step.label,
        "input_hash": step.input_hash,
        "state": step.state,
        "run_id": step.run_id,
        "attempt": step.attempt,
        "content_bytes": step.content_bytes,
        "not_before": None if step.not_before_ms is None else instant.spell(step.not_before_ms),
        "error_kind": None if step.error_kind is None else step.error_kind.value,
        "error_message": step.error_message,
    }
    return {name: value for name, value in told.items() if value is not None}
