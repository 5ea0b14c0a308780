"""run.journal, decided: who holds the claim on an entry."""

from __future__ import annotations

from contextful.kernel.change import Update
from contextful.run import record
from contextful.run.journal import journal
from contextful.run.journal.journal import Claim, Held, Mine
from proofs.run.journal.entry import CHARGE, DECLINED, FIRST, PAID, SECOND, THIRD, called, claims, row, rows_under
from proofs.theorem import theorem


@theorem(
    "run.journal.entry-key",
    of=journal.claim,
    mutants=[
        ("now_ms < lease.expires_ms", "now_ms > lease.expires_ms"),
        ("return Held(standing, lease.expires_ms)", "return Mine(standing, ())"),
        ("(Insert(ENTRY, _key(entry) | _claim(claim)),)", "()"),
    ],
    leaves_open="that the runner claims before it runs the effect, which the walk and the machine watch",
)
def test_of_two_live_callers_one_runs(neither_saw_the_other: bool, expires_ms: int, now_ms: int) -> bool:
    """Of two callers under one key one holds the claim, and the other waits for as long as the lease lasts; also
    where both saw that nobody had called.

    pre: now_ms < expires_ms
    post: __return__
    """
    rows = rows_under(expires_ms)
    second = Claim("run-1", "holder-1.1", attempt=1)
    alone = claims(rows, called(None, FIRST))
    if neither_saw_the_other and claims(rows, called(None, second)):
        return False
    verdict = called(journal.from_row(row(rows)), second, expires_ms=expires_ms, now_ms=now_ms)
    return alone and verdict == Held(FIRST, expires_ms) and journal.from_row(row(rows)) == FIRST


@theorem(
    "run.journal.claim-takeover",
    of=journal.claim,
    mutants=[
        ("now_ms < lease.expires_ms", "now_ms <= lease.expires_ms"),
        ("lease is not None and ", "lease is None or "),
        ("if lease is not None and now_ms < lease.expires_ms:", "if False:"),
    ],
)
def test_a_claim_passes_on_exactly_once_its_lease_has_lapsed(expires_ms: int | None, now_ms: int) -> bool:
    """The next caller takes a claim exactly where the run that made it holds no lease, or one that has expired.

    post: __return__ == (expires_ms is None or expires_ms <= now_ms)
    """
    return isinstance(called(FIRST, SECOND, expires_ms=expires_ms, now_ms=now_ms), Mine)


@theorem(
    "run.journal.claim-takeover",
    of=journal.claim,
    mutants=[
        ("*_still_lapsed(standing.run_id, lease)", ""),
        ('{"lease_expires_ms": lease.expires_ms}),)', "{}),)"),
    ],
)
def test_a_run_that_renews_its_lease_after_all_keeps_its_claims(expires_ms: int, renewed_ms: int, now_ms: int) -> bool:
    """A takeover that saw a lapsed lease comes to nothing where the lease was renewed before it is written.

    pre: expires_ms <= now_ms and expires_ms < renewed_ms
    post: __return__
    """
    rows = rows_under(expires_ms)
    claims(rows, called(None, FIRST))
    verdict = called(FIRST, SECOND, expires_ms=expires_ms, now_ms=now_ms)
    rows.commit(Update(record.RUN, {"run_id": "run-1"}, {}, {"lease_expires_ms": renewed_ms}))
    return not claims(rows, verdict) and journal.from_row(row(rows)) == FIRST


@theorem(
    "run.journal.claim-takeover",
    of=journal.claim,
    mutants=[("_held(standing), _claim(taken))", "{}, _claim(taken))")],
)
def test_of_two_who_take_over_one_holds_the_claim(expires_ms: int, now_ms: int) -> bool:
    """Of two callers who both saw a lapsed lease, the one who comes second takes nothing.

    pre: expires_ms <= now_ms
    post: __return__
    """
    rows = rows_under(expires_ms)
    claims(rows, called(None, FIRST))
    second, third = (called(FIRST, by, expires_ms=expires_ms, now_ms=now_ms) for by in (SECOND, THIRD))
    return claims(rows, second) and not claims(rows, third) and journal.from_row(row(rows)) == SECOND


@theorem(
    "run.journal.claim-takeover",
    "run.journal.current-owner",
    of=journal.answered,
    mutants=[('return {"state": "pending", "claim": held.claim}', 'return {"state": "pending"}')],
)
def test_a_claim_that_was_taken_over_writes_nothing(now_ms: int, attempt: int, not_before_ms: int) -> bool:
    """Once another has taken it over, a claim can neither answer nor postpone its entry.

    post: __return__
    """
    rows = rows_under(now_ms)
    claims(rows, called(None, FIRST))
    claims(rows, called(FIRST, SECOND, expires_ms=now_ms, now_ms=now_ms))
    late = (
        journal.answered(CHARGE, FIRST, PAID, 0),
        journal.postponed(CHARGE, FIRST, attempt, not_before_ms, DECLINED.failure)[1],
    )
    return [rows.commit(change) for change in late] == [False] * 2 and journal.from_row(row(rows)) == SECOND


@theorem(
    "run.retry.not-before",
    of=journal.claim,
    mutants=[
        ("standing._replace(run_id=run_id,", "standing._replace(attempt=1, run_id=run_id,"),
        ("standing._replace(run_id=run_id,", "standing._replace(not_before_ms=None, run_id=run_id,"),
    ],
)
def test_a_takeover_keeps_the_attempts_and_the_wait(attempt: int, not_before_ms: int | None, now_ms: int) -> bool:
    """Whoever takes a claim over goes on with the attempts and the instant that stand on it.

    post: __return__
    """
    verdict = called(Claim("run-1", "holder-1.0", attempt, not_before_ms), SECOND, now_ms=now_ms)
    return isinstance(verdict, Mine) and verdict.claim == Claim("run-2", "holder-2.0", attempt, not_before_ms)
