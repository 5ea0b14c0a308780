"""One history of a body on a real store: its processes die where the history says, and the next one resumes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.run.journal import journal
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingRows, SkippingWorld
from contextful_contract import limits
from contextful_contract.shapes import RunStatus

NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Body:
    """Steps by label. Chained ones each take the value of the one before, so that another value is another entry."""

    labels: str
    chained: bool

    def perform(self, step: Callable[[str, object], object]) -> None:
        """Call the steps in order."""
        taken: object = None
        for label in self.labels:
            value = step(label, taken)
            taken = value if self.chained else None

    def entries(self) -> int:
        """How many entries it makes: steps apart share one by their label."""
        return len(self.labels) if self.chained else len(set(self.labels))


class History:
    """A scope of its own in the store. An effect returns how many calls there were, so that a second call shows."""

    def __init__(self, rows: Rows, body: Body) -> None:
        self._rows = rows
        self._body = body
        self._number = next(NUMBERS)
        self._world = SkippingWorld(seed=self._number)
        self._attempts = 0
        self._execution_ids: set[str] = set()
        self.calls = 0
        self.given: list[list[object]] = []

    def attempt(self, dies_at: int | None = None) -> int:
        """Perform the body, the last lease lapsed, in a process that dies there; how many operations it came to."""
        self._attempts += 1
        self._world.skip(limits.OWNER_LEASE_TTL_MS)
        self.given.append([])
        crashes = Crashes(dies_at)
        rows, blobs = CrashingRows(self._rows, crashes), CrashingBlobs(RowBlobs(self._rows), crashes)
        engine = contextful.Engine(rows, blobs, self._world)
        try:
            with engine.execution(self._scope, "plan", run_id=self._run_id) as run:
                self._execution_ids.add(run.execution_id)
                self._body.perform(lambda label, taken: self._step(run, label, taken))
        except Crash:
            pass
        return crashes.count

    def closed(self) -> bool:
        """Whether the last attempt has closed: its process may have died with only the answer outstanding."""
        run = self._onlooker().run(self._run_id)
        return run is not None and run.status is RunStatus.SUCCESS

    def leftovers(self) -> list[object]:
        """The owner and the entries that still stand."""
        owner = self._onlooker().pending(self._scope)
        return [*([owner] if owner else []), *(row for id in sorted(self._execution_ids) for row in self._entries(id))]

    @property
    def _scope(self) -> str:
        return f"history-{self._number}"

    @property
    def _run_id(self) -> str:
        return f"{self._scope}.{self._attempts}"

    def _step(self, run: contextful.Execution, label: str, taken: object) -> object:
        def effect() -> int:
            standing = [journal.from_row(row) for row in self._entries(run.execution_id) if row["step_label"] == label]
            assert sum(isinstance(state, journal.Claim) for state in standing) == 1, "an effect runs under its claim"
            self.calls += 1
            return self.calls

        value = run.step(label, effect, input=taken)
        self.given[-1].append(value)
        return value

    def _entries(self, execution_id: str) -> list[Row]:
        return list(self._rows.select(Select(journal.ENTRY, {"execution_id": execution_id})))

    def _onlooker(self) -> contextful.Engine:
        return contextful.Engine(self._rows, RowBlobs(self._rows), self._world)
