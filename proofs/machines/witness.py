"""A witness to one scope's work: looks past the processes at what the store holds, and forgets nothing.

Each of its assertions is a clause of run.journal, run.retry or run.own, as it shows in one execution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.table import Select
from contextful.ports.rows import Rows
from contextful.run import record, retry
from contextful.run.journal import journal
from contextful.testing import SkippingWorld
from contextful_contract import limits
from proofs.machines.body import FOR_GOOD, Step

SCOPE = "machine"
REFUSED = b"refused"


class Witness:
    """What was seen of the scope's pending execution, and of every effect."""

    def __init__(self, rows: Rows, world: SkippingWorld) -> None:
        self._rows = rows
        self._world = world
        self._execution_id = ""
        self._recorded: dict[Step, bytes] = {}
        self._attempts: Counter[Step] = Counter()
        self._instants_ms: Counter[Step] = Counter()
        self.calls: Counter[Step] = Counter()

    def lease_left_ms(self) -> int:
        """For how long an attempt is still live, whether its process is or not."""
        owner = self._onlooker().pending(SCOPE)
        lease = record.lease(self._rows.get(record.RUN, (owner.attempts[-1],))) if owner is not None else None
        return 0 if lease is None else max(0, lease.expires_ms - self._world.now_ms())

    def opens(self, execution_id: str, body: Iterable[Step]) -> None:
        """An attempt owns this execution, and will perform this body."""
        assert execution_id == self._execution_id or not self._recorded, "no recorded work is left behind"
        self._execution_id = execution_id
        for step in body:
            if self._state(step) is None:
                del self._attempts[step], self._instants_ms[step]

    def calls_effect(self, step: Step, *, again: bool) -> None:
        """A process calls an effect, `again` if it has called it before."""
        state = self._state(step)
        assert step not in self._recorded, "no effect runs once its answer is on record"
        assert isinstance(state, journal.Claim), "no effect runs but under its claim"
        instant_ms = max(self._instants_ms[step], state.not_before_ms or 0)
        assert instant_ms <= self._world.now_ms(), "and not before its instant"
        assert state.attempt <= retry.DEFAULT.attempts, "nor past its last attempt"
        assert state.attempt - self._attempts[step] in ((1,) if again else (0, 1)), "attempts count on"
        self._attempts[step] = state.attempt
        self.calls[step] += 1

    def gives(self, step: Step, value: bytes) -> None:
        """The body is given this value."""
        assert self.calls[step] > 0, "an answer comes from an effect that ran"
        assert self._answer(step) == value, "what is given stands on record"
        assert self._recorded.setdefault(step, value) == value, "and is given again as it was"

    def ends(self, body: Iterable[Step]) -> None:
        """A process is gone; what it left is what the next one has to go on from."""
        for step in body:
            answer, state = self._answer(step), self._state(step)
            if answer is not None:
                self._recorded.setdefault(step, answer)
            if isinstance(state, journal.Claim):
                self._instants_ms[step] = state.not_before_ms or 0

    def retires(self) -> None:
        """The execution is over."""
        assert self._onlooker().pending(SCOPE) is None, "no owner outlives its work"
        assert not self._rows.select(Select(journal.ENTRY, {"execution_id": self._execution_id})), "nor does an entry"
        self._recorded = {}

    def stands(self) -> None:
        """Whatever happens meanwhile."""
        for step, value in self._recorded.items():
            assert self._answer(step) == value, "no record changes"
        assert max(self._world.waits_ms, default=0) <= limits.RETRY_AFTER_CEILING_MS, "a long wait closes its attempt"

    def _onlooker(self) -> contextful.Engine:
        return contextful.Engine(self._rows, RowBlobs(self._rows), self._world)

    def _state(self, step: Step) -> journal.State:
        return journal.from_row(self._rows.get(journal.ENTRY, (self._execution_id, step.label, step.input_hash)))

    def _answer(self, step: Step) -> bytes | None:
        """What the journal holds of it for good."""
        match self._state(step):
            case journal.Recorded(journal.Inline(content)):
                return content
            case journal.Recorded(journal.Blob(sha256)):
                return RowBlobs(self._rows).get(sha256)
            case journal.Refused(failure) if failure.message == FOR_GOOD:
                return REFUSED
        return None
