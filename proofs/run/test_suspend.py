"""run.suspend, decided: what CrossHair confirms of a deadline, and every history of three looks and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from contextful.run import suspend
from contextful.run.journal.journal import Inline
from contextful_contract.errors import AwakeableAlreadyResolved, AwakeableTimedOut
from contextful_contract.shapes import Awakeable, AwakeableState
from proofs.theorem import theorem

PENDING, RESOLVED, TIMED_OUT = AwakeableState
DEADLINE_MS = 100
FRESH = Awakeable(
    token="awk-1",
    execution_id="exec-1",
    step_label="approve",
    created_at=0,
    ttl_secs=0,
    deadline=DEADLINE_MS,
    state=PENDING,
    payload_sha256=None,
    payload=None,
)
PAYLOADS = {sha256: Inline(sha256.encode()) for sha256 in ("yes", "no")}


def until(deadline_ms: int) -> Awakeable:
    """A pending awakeable with this deadline."""
    return replace(FRESH, deadline=deadline_ms)


@theorem(
    "run.suspend.deadline",
    of=suspend.as_of,
    mutants=[
        ("awakeable.deadline < now_ms", "awakeable.deadline <= now_ms"),
        ("awakeable.deadline < now_ms", "awakeable.created_at < now_ms"),
        ("if awakeable.state is AwakeableState.PENDING and ", "if "),
    ],
    leaves_open="how the deadline comes about: two texts are read, and added up",
)
def test_an_instant_past_the_deadline_finds_it_timed_out_and_so_does_every_later_one(
    deadline_ms: int, now_ms: int, later_ms: int
) -> bool:
    """An instant finds a pending awakeable timed out exactly where it is past the deadline; every later instant then
    finds the same, whether or not the first one was kept. What is resolved no instant finds timed out.

    pre: now_ms <= later_ms
    post: __return__
    """
    awakeable = until(deadline_ms)
    found = suspend.as_of(awakeable, now_ms)
    past = found.state is TIMED_OUT
    kept = not past or suspend.as_of(awakeable, later_ms).state is suspend.as_of(found, later_ms).state is TIMED_OUT
    resolved = replace(awakeable, state=RESOLVED)
    return past == (deadline_ms < now_ms) and kept and suspend.as_of(resolved, now_ms).state is RESOLVED


@theorem(
    "run.suspend.deadline",
    "run.suspend.expired-token",
    of=suspend.resolve,
    mutants=[
        ("found = as_of(awakeable, now_ms)\n    match", "found = awakeable\n    match"),
        ("AwakeableTimedOut(deadline=found.deadline)", "AwakeableTimedOut(deadline=now_ms)"),
    ],
)
def test_nothing_resolves_past_its_deadline(deadline_ms: int, now_ms: int) -> bool:
    """An answer is taken exactly up to the deadline, that instant included; past it the refusal says the deadline.

    post: __return__ == (now_ms <= deadline_ms)
    """
    try:
        resolved = suspend.resolve(until(deadline_ms), PAYLOADS["yes"], payload_sha256="yes", now_ms=now_ms)
    except AwakeableTimedOut as refusal:
        return refusal.deadline != deadline_ms
    return resolved.state is RESOLVED


INSTANTS = (DEADLINE_MS - 1, DEADLINE_MS, DEADLINE_MS + 1)
ACTS = ("look", *PAYLOADS)


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.suspend.conflicting-resolution")
@pytest.mark.clause("run.suspend.resume-is-a-step-output")
@pytest.mark.clause("run.suspend.deadline")
def test_an_awakeable_leaves_pending_once_and_never_changes_again(record_walk: Callable[..., None]) -> None:
    """Through every history of three acts, each a look that keeps what it finds or an answer, at instants around the
    deadline in any order: the first answer in time stands for ever, or the first instant past the deadline does.
    """
    histories = list(product(product(ACTS, INSTANTS), repeat=3))
    for history in histories:
        awakeable, expected = FRESH, None
        for act, now_ms in history:
            expected = expected or (None if act == "look" and now_ms <= DEADLINE_MS else final(act, now_ms))
            awakeable = after(awakeable, act, now_ms)
            assert (awakeable.state, awakeable.payload_sha256) == (expected or (PENDING, None)), history

    assert len(histories) == (3 * 3) ** 3
    record_walk(
        domain="3 acts of a look and 2 answers, at the deadline and the milliseconds around it", cases=len(histories)
    )


def final(act: str, now_ms: int) -> tuple[AwakeableState, str | None]:
    """What a pending awakeable becomes, and stays."""
    return (TIMED_OUT, None) if now_ms > DEADLINE_MS else (RESOLVED, act)


def after(awakeable: Awakeable, act: str, now_ms: int) -> Awakeable:
    """The row after the act. A refused answer leaves it, but for what its instant found."""
    if act == "look":
        return suspend.expire(awakeable, now_ms) or awakeable
    try:
        return suspend.resolve(awakeable, PAYLOADS[act], payload_sha256=act, now_ms=now_ms)
    except AwakeableAlreadyResolved:
        return awakeable
    except AwakeableTimedOut:
        return suspend.expire(awakeable, now_ms) or awakeable
