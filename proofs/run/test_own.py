"""run.own, decided: what CrossHair confirms of an open, and every way in which an attempt can close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.kernel.change import Insert
from contextful.run.own import own
from contextful.run.own.own import HostScope, Live, Opened, Owner, Pins
from contextful.run.record import Lease
from contextful_contract.errors import ExecutionPinMismatch
from contextful_contract.shapes import RunStatus
from proofs.theorem import theorem

SCOPE = HostScope("index-42")
PLAN_A, PLAN_B = Pins("plan-a", {"model": "m-1"}), Pins("plan-b", {"model": "m-1"})
PENDING = Owner(SCOPE, "exec-1", PLAN_A, ("run-1",), "holder-1", opened_ms=0)


def newcomer(number: int, pins: Pins = PLAN_A) -> Owner:
    """What an open would own, if nothing were pending."""
    return Owner(SCOPE, f"exec-{number}", pins, (f"run-{number}",), f"holder-{number}", opened_ms=1)


def lease_until(expires_ms: int | None) -> Lease | None:
    """The lease of the pending owner's attempt; none once that has closed."""
    return None if expires_ms is None else Lease("holder-1", expires_ms)


@theorem(
    "run.own.live-owner",
    "run.own.unclosed-execution",
    of=own.admit,
    mutants=[
        ("now_ms < lease.expires_ms", "now_ms <= lease.expires_ms"),
        ("if lease is not None and now_ms < lease.expires_ms:", "if False:"),
        ("lease is not None and ", "lease is None or "),
    ],
)
def test_an_open_is_turned_away_exactly_while_an_attempt_is_live(expires_ms: int | None, now_ms: int) -> bool:
    """With equal pins an open is turned away while the pending owner's attempt holds a lease that has not expired,
    which it names; from then on it joins the execution.

    post: __return__
    """
    verdict = own.admit(newcomer(2), PENDING, lease_until(expires_ms), now_ms=now_ms)
    if expires_ms is not None and now_ms < expires_ms:
        return verdict == Live("run-1", expires_ms)
    return isinstance(verdict, Opened) and verdict.owner.execution_id == "exec-1"


@theorem(
    "run.own.pinned-plan-changed",
    of=own.admit,
    mutants=[
        ("changed = standing.pins != fresh.pins", "changed = standing.pins != fresh.pins and lease is None"),
        ("changed = standing.pins != fresh.pins", "changed = standing.pins == fresh.pins"),
    ],
    leaves_open="pins that differ elsewhere than in their plan",
)
def test_an_open_with_other_pins_is_refused_whatever_the_lease(same: bool, expires_ms: int | None, now_ms: int) -> bool:
    """An open whose pins differ from the pending owner's is refused, live attempt or not; one with equal pins never is.

    post: __return__ == (not same)
    """
    try:
        own.admit(newcomer(2, PLAN_A if same else PLAN_B), PENDING, lease_until(expires_ms), now_ms=now_ms)
    except ExecutionPinMismatch as refusal:
        return refusal.execution_id == "exec-1"
    return False


@theorem(
    "run.own.unclosed-execution",
    of=own.admit,
    mutants=[
        ('{"holder": standing.holder}, to_row(owner)', "{}, to_row(owner)"),
        ("(*standing.attempts, *fresh.attempts)", "fresh.attempts"),
        ("holder=fresh.holder", "holder=standing.holder"),
    ],
)
def test_of_two_who_join_one_owns_the_execution(waiting_until_ms: int, expires_ms: int, now_ms: int) -> bool:
    """Of two opens that both saw a lapsed lease one joins: the execution, its pins and its attempts are kept, with
    the newcomer's at their end, and no instant is waited for any more.

    pre: expires_ms <= now_ms
    post: __return__
    """
    rows, standing = MemoryRows(), replace(PENDING, waiting_until_ms=waiting_until_ms)
    rows.commit(Insert(own.OWNER, own.to_row(PENDING)))
    second, third = (own.admit(newcomer(n), standing, lease_until(expires_ms), now_ms=now_ms) for n in (2, 3))
    assert isinstance(second, Opened)
    assert isinstance(third, Opened)
    joined = rows.commit(second.change) and not rows.commit(third.change)
    return joined and second.owner == Owner(SCOPE, "exec-1", PLAN_A, ("run-1", "run-2"), "holder-2", opened_ms=0)


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.own.pin-release")
def test_what_an_attempt_closes_with_releases_its_owner_or_not(record_walk: Callable[..., None]) -> None:
    """An owner is released by success, by a failure with no batch written, and by one that comes back alike at each
    replay; under every other status it is held.
    """
    cases = list(product(RunStatus, (False, True), (False, True)))
    released = {
        (RunStatus.SUCCESS, False, False),
        (RunStatus.SUCCESS, False, True),
        (RunStatus.SUCCESS, True, False),
        (RunStatus.SUCCESS, True, True),
        (RunStatus.FAILED, False, False),
        (RunStatus.FAILED, False, True),
        (RunStatus.FAILED, True, True),
    }
    for status, wrote_batch, replay_stable in cases:
        releases = own.releases(status, wrote_batch=wrote_batch, replay_stable=replay_stable)
        assert releases == ((status, wrote_batch, replay_stable) in released)

    assert len(cases) == 7 * 2 * 2
    record_walk(
        domain="every status, with and without a batch written, replay-stable or not",
        cases=len(cases),
        leaves_open="which failures come back alike at each replay: the closer says so",
    )
