"""run.journal, decided: what is on record stays there."""

from __future__ import annotations

from contextful.kernel.change import Change, Insert
from contextful.run.journal import journal
from contextful.run.journal.journal import Claim
from contextful.run.own import own
from proofs.run.journal.entry import (
    CHARGE,
    DECLINED,
    FIRST,
    PAID,
    PAID_AGAIN,
    SECOND,
    called,
    claims,
    row,
    rows_under,
)
from proofs.theorem import theorem


@theorem(
    "run.journal.step-output",
    of=journal.claim,
    mutants=[
        ("case Recorded() | Refused():", "case Recorded():"),
        ("case Recorded() | Refused():", "case Recorded() | Refused() if lease is not None:"),
        ("return standing  #", "return Recorded(Inline(b'')) #"),
    ],
)
def test_every_call_returns_what_was_recorded(refused: bool, expires_ms: int | None, now_ms: int) -> bool:
    """Whoever calls, whenever and under whatever lease, is answered by what was recorded, be it a value or a failure.

    post: __return__
    """
    recorded = DECLINED if refused else PAID
    return called(recorded, SECOND, expires_ms=expires_ms, now_ms=now_ms) == recorded


@theorem(
    "run.journal.step-output",
    of=journal.answered,
    mutants=[
        ('return {"state": "pending", "claim": held.claim}', 'return {"claim": held.claim}'),
        ('Delete(ENTRY, _key(entry), {"state": "failed"})', "Delete(ENTRY, _key(entry))"),
        ("return Delete(ENTRY, _key(entry), _held(held))", "return Delete(ENTRY, _key(entry))"),
    ],
    leaves_open="the retirement of its execution, which deletes every entry",
)
def test_nothing_changes_a_recorded_value(
    which: int, attempt: int, not_before_ms: int, ordinal: int, now_ms: int
) -> bool:
    """A value stays as it was recorded, whatever is still asked for under its claim: another value, a failure, another
    attempt, that it be withdrawn or forgotten, a takeover.

    pre: 0 <= which < 6
    post: __return__
    """
    rows = rows_under(0)
    claims(rows, called(None, FIRST))
    rows.commit(journal.answered(CHARGE, FIRST, PAID, 0))
    before = row(rows)
    rows.commit(*asked(which, Claim("run-1", "holder-1.0", attempt), not_before_ms, ordinal, now_ms))
    return row(rows) == before and journal.from_row(before) == PAID


def asked(which: int, held: Claim, not_before_ms: int, ordinal: int, now_ms: int) -> tuple[Change, ...]:
    """One of the six changes that there are."""
    if which == 0:
        return (journal.answered(CHARGE, held, PAID_AGAIN, ordinal),)
    if which == 1:
        return (journal.answered(CHARGE, held, DECLINED, ordinal),)
    if which == 2:
        return (journal.postponed(CHARGE, held, held.attempt, not_before_ms, DECLINED.failure)[1],)
    if which == 3:
        return (journal.withdrawn(CHARGE, held),)
    if which == 4:
        forgotten = journal.forget(CHARGE, DECLINED.failure)
        assert forgotten is not None
        return (forgotten,)
    taken = called(held, SECOND, now_ms=now_ms)
    assert isinstance(taken, journal.Mine)
    return taken.changes


@theorem(
    "run.journal.current-owner",
    of=journal.guarded,
    mutants=[('{"scope": scope}, {"holder": holder}', '{"scope": scope}')],
)
def test_nothing_is_written_for_a_superseded_attempt(superseded: bool, claimed: bool) -> bool:
    """A claim or an answer under the owner's guard is written exactly where the attempt still owns the execution.

    post: __return__ == (not superseded)
    """
    rows = rows_under(0)
    rows.commit(Insert(own.OWNER, {"scope": "host/s", "holder": "holder-2" if superseded else "holder-1"}))
    verdict = called(None, FIRST)
    assert isinstance(verdict, journal.Mine)
    changes = verdict.changes
    if claimed:
        rows.commit(*changes)
        changes = (journal.answered(CHARGE, FIRST, PAID, 0),)
    return rows.commit(*changes, journal.guarded("host/s", "holder-1"))
