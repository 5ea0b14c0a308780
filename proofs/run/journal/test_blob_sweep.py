"""run.journal, decided: which blobs go, and when somebody looks."""

from __future__ import annotations

from contextful.adapters.memory import MemoryRows
from contextful.kernel.change import Insert
from contextful.run.journal import journal
from proofs.theorem import theorem

HOUR_MS = 3_600_000


@theorem(
    "run.journal.blob-sweep",
    of=journal.sweepable,
    mutants=[
        ("not referenced and", ""),
        ("not referenced and", "not referenced or"),
        ("age_ms > limits", "age_ms >= limits"),
    ],
    leaves_open="what counts as a reference, which the sweeper finds out",
)
def test_a_blob_goes_exactly_where_nothing_refers_to_it_past_its_hour(referenced: bool, age_ms: int) -> bool:
    """A pass deletes a blob exactly where nothing references it and it is older than 1 h.

    post: __return__ == (not referenced and age_ms > HOUR_MS)
    """
    return journal.sweepable(referenced=referenced, age_ms=age_ms)


@theorem(
    "run.journal.blob-sweep",
    of=journal.sweep_due,
    mutants=[
        ("if now_ms - swept_ms < limits", "if now_ms - swept_ms <= limits"),
        ('{"swept_ms": swept_ms}, {"swept_ms": now_ms}', '{}, {"swept_ms": now_ms}'),
        ('{"swept_ms": swept_ms}, {"swept_ms": now_ms}', '{"swept_ms": swept_ms}, {"swept_ms": swept_ms}'),
    ],
)
def test_a_pass_begins_once_a_day_whoever_asks(swept_ms: int, now_ms: int) -> tuple[bool, bool]:
    """A pass begins exactly where the last one began at least 24 h ago. Of two who find that, one begins it.

    post: __return__ == (now_ms - swept_ms >= 24 * HOUR_MS, False)
    """
    rows = MemoryRows()
    rows.commit(Insert(journal.SWEEP, {"name": "blobs", "swept_ms": swept_ms}))
    begun = journal.sweep_due(rows.get(journal.SWEEP, ("blobs",)), now_ms)
    if begun is None:
        return False, False
    return rows.commit(begun), rows.commit(begun)
