"""run.journal, store-driven input: a run over the rows of one statement, which is read once and recorded.

opened --input recorded--> row 0 … row n, so many at once --each its output recorded--> landed --> retired
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextful.kernel import digest
from contextful.run.own.body_pins import Registration
from contextful.run.own.own import HostScope, Pins
from contextful_contract.errors import RunInputTruncated
from contextful_contract.shapes import Json, RecordedInput

NOTHING_MORE: Mapping[str, object] = {}
INPUT = "input"  # the label of the step that reads the statement


def scope(job: str) -> HostScope:
    """What a job's fires own."""
    return HostScope(f"job:{job}")


def pins(
    registration: Registration,
    statement: str,
    as_of_ms: int | None,
    *,
    identity: str | None,
    declared: Mapping[str, object] = NOTHING_MORE,
) -> Pins:
    """What pending work is bound to: the plan that its statement, body and bound make, and what executes it.

    `declared` is what else its job says of how its rows are run.
    """
    identities = registration.identities() | ({} if identity is None else {"structural": identity})
    ##= run.journal.input-pin
    plan = {
        "body": registration.name,
        "statement": statement,
        "as_of": as_of_ms,
        "projection": _structure(registration),
        **identities,
        **declared,
    }
    return Pins(digest.of(plan), identities)  ##= run.own.body-fresh


def as_of(declared_ms: int | None, opened_ms: int) -> int:
    """The instant as of which the statement is read: the declared one, or that at which the execution opened."""
    return opened_ms if declared_ms is None else declared_ms  ##= run.journal.open-as-of


def recorded(
    as_of_ms: int, snapshots: Mapping[str, str], rows: Sequence[dict[str, Json]], *, truncated: bool
) -> RecordedInput:
    """What the statement answered, as the first step records it. Raises RunInputTruncated where there was more."""
    if truncated:
        raise RunInputTruncated(ceiling=len(rows))  ##= run.journal.input-truncated
    return RecordedInput(as_of=as_of_ms, snapshots=dict(snapshots), rows=tuple(rows))


def row_label(ordinal: int, label: str | None = None) -> str:
    """The label of a row, or of a step that its body takes."""
    return f"row/{ordinal}" if label is None else f"row/{ordinal}/{label}"  ##= run.journal.row-step


def _structure(registration: Registration) -> dict[str, object]:
    ##= run.journal.body-projection
    outputs = {table: dict(types) for table, types in registration.projection.outputs.items()}
    types = {label: dict(columns) for label, columns in registration.projection.types.items()}
    structure: dict[str, object] = {"effects": sorted(registration.projection.effects), "outputs": outputs}
    return structure | ({"types": types} if types else {})
