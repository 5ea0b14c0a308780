"""The source of a job's landings: what its body emitted, as the rows' own steps recorded it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextful.kernel.failure import Permanent
from contextful.pipeline.pull import Ask, Batch, batch

BATCH_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Emission:
    """A row for an output table."""

    table: str
    record: dict[str, Any]


class Undeclared(Permanent):
    """A body has emitted to a table that its job does not have. What it did stays on record, until it does."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}: declare it and fire again, for nothing is paid for twice")


class Emitted:
    """The rows of one output table, in the order of the input. Their position is how far into the input they are."""

    journaled = False  # every row of it is on record already, in its parent's journal (run.journal.escape-hatch)
    position_addressed = True
    host = None  # nobody is asked
    pulls_max = 1 << 31

    def __init__(
        self,
        execution_id: str,
        table: str,
        row_count: int,
        recorded: Callable[[int], Sequence[Emission]],
        *,
        parent: Callable[[], None],
    ) -> None:
        self._execution_id = execution_id
        self._table = table
        self._row_count = row_count
        self._recorded = recorded
        self._parent = parent

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:  # noqa: ARG002 (nobody outside is asked)
        """Up to so many emitted rows from the position on."""
        self._parent()  ##= run.own.body-parent
        at = ordinal(ask.position, self._execution_id)
        rows: list[dict[str, Any]] = []
        while at < self._row_count and len(rows) < BATCH_ROWS:
            rows += [each.record for each in self._recorded(at) if each.table == self._table]
            at += 1
        position = json.dumps({"execution": self._execution_id, "row": at})
        return batch(rows, position=position, more=at < self._row_count)

    def close(self) -> None:
        """Nothing is held open."""


def ordinal(position: str | None, execution_id: str) -> int:
    """Where a landing of this execution begins: at its first row, or after what an attempt of it has committed."""
    held: Mapping[str, Any] = {} if position is None else json.loads(position)
    return int(held["row"]) if held.get("execution") == execution_id else 0
