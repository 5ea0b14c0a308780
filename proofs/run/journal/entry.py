"""One entry and its callers, for the theorems of run.journal.

Changes are applied to `MemoryRows`, with which every other store agrees (`testing.conformance.RowsSuite`). Ids are
constants, for a claim asks only whether two are equal; instants are any whole numbers.
"""

from __future__ import annotations

from contextful.adapters.memory import MemoryRows
from contextful.kernel.change import Insert
from contextful.kernel.failure import Failure
from contextful.kernel.table import Row
from contextful.run import record
from contextful.run.journal import journal
from contextful.run.journal.journal import Claim, Held, Inline, Mine, Recorded, Refused, State
from contextful.run.record import Lease
from contextful_contract.shapes import FailureTag

CHARGE = journal.key("exec-1", "charge", "hash-1")
PAID, PAID_AGAIN = Recorded(Inline(b"1")), Recorded(Inline(b"2"))
DECLINED = Refused(Failure(FailureTag.PERMANENT, "declined"))
FIRST, SECOND, THIRD = (Claim(f"run-{number}", f"holder-{number}.0", attempt=1) for number in (1, 2, 3))

Verdict = Recorded | Refused | Held | Mine


def rows_under(expires_ms: int) -> MemoryRows:
    """A store in which run-1 holds this lease, and nothing is claimed."""
    rows = MemoryRows()
    rows.commit(Insert(record.RUN, {"run_id": "run-1", "holder": "holder-1", "lease_expires_ms": expires_ms}))
    return rows


def row(rows: MemoryRows) -> Row | None:
    """The entry's row."""
    return rows.get(journal.ENTRY, ("exec-1", "charge", "hash-1"))


def called(seen: State, by: Claim, *, expires_ms: int | None = None, now_ms: int = 0) -> Verdict:
    """What a caller decides who has seen this, under this lease of run-1."""
    lease = None if expires_ms is None else Lease("holder-1", expires_ms)
    return journal.claim(CHARGE, seen, lease, run_id=by.run_id, claim_id=by.claim, now_ms=now_ms)


def claims(rows: MemoryRows, verdict: Verdict) -> bool:
    """Whether the caller gets the claim that it decided to ask for."""
    return isinstance(verdict, Mine) and rows.commit(*verdict.changes)
