"""run.suspend, decided: what an instant makes of an awakeable."""

from __future__ import annotations

from dataclasses import replace

from contextful.run import suspend
from contextful.run.journal.journal import Inline
from contextful_contract.errors import AwakeableAlreadyResolved, AwakeableTimedOut
from contextful_contract.shapes import Awakeable, AwakeableState
from proofs.theorem import theorem

PENDING = Awakeable(
    token="token-1",
    execution_id="exec-1",
    step_label="approve",
    created_at=0,
    ttl_secs=1,
    deadline=1_000,
    state=AwakeableState.PENDING,
    payload_sha256=None,
    payload=None,
    caller=None,
)


def resolved(awakeable: Awakeable, answer: str, now_ms: int) -> Awakeable:
    """The awakeable once this answer has come."""
    return suspend.resolve(awakeable, Inline(answer.encode()), payload_sha256=answer, now_ms=now_ms)


@theorem(
    "run.suspend.deadline",
    of=suspend.as_of,
    mutants=[("awakeable.deadline < now_ms", "awakeable.deadline <= now_ms"), ("awakeable.deadline < now_ms", "True")],
)
def test_an_awakeable_is_timed_out_exactly_past_its_deadline(deadline_ms: int, now_ms: int) -> bool:
    """An instant finds a pending awakeable timed out exactly where it is past the deadline, and pending up to then.

    post: __return__ == (now_ms > deadline_ms)
    """
    return suspend.as_of(replace(PENDING, deadline=deadline_ms), now_ms).state is AwakeableState.TIMED_OUT


@theorem(
    "run.suspend.deadline",
    of=suspend.as_of,
    mutants=[
        (
            "return replace(awakeable, state=AwakeableState.TIMED_OUT)\n    return awakeable",
            "pass\n    return awakeable",
        )
    ],
)
def test_what_is_timed_out_stays_so(deadline_ms: int, found_ms: int, now_ms: int) -> AwakeableState:
    """What one instant found past its deadline is timed out at every other.

    pre: found_ms > deadline_ms
    post: __return__ is AwakeableState.TIMED_OUT
    """
    found = suspend.as_of(replace(PENDING, deadline=deadline_ms), found_ms)
    return suspend.as_of(found, now_ms).state


@theorem(
    "run.suspend.expired-token",
    "run.suspend.deadline",
    of=suspend.resolve,
    mutants=[("found = as_of(awakeable, now_ms)\n    match", "found = awakeable\n    match")],
)
def test_nothing_resolves_past_its_deadline(deadline_ms: int, now_ms: int) -> bool:
    """An answer resolves a pending awakeable exactly where it comes by the deadline; a later one is refused.

    post: __return__ == (now_ms <= deadline_ms)
    """
    try:
        return resolved(replace(PENDING, deadline=deadline_ms), "yes", now_ms).state is AwakeableState.RESOLVED
    except AwakeableTimedOut:
        return False


@theorem(
    "run.suspend.conflicting-resolution",
    of=suspend.resolve,
    mutants=[
        (" if found.payload_sha256 == payload_sha256:", " if True:"),
        (" if found.payload_sha256 == payload_sha256:", " if False:"),
    ],
)
def test_the_first_answer_is_the_answer(same: bool, deadline_ms: int, first_ms: int, now_ms: int) -> bool:
    """Once answered, an awakeable takes the same answer again at any instant, and refuses another.

    pre: first_ms <= deadline_ms
    post: __return__ == same
    """
    first = resolved(replace(PENDING, deadline=deadline_ms), "yes", first_ms)
    try:
        return resolved(first, "yes" if same else "no", now_ms) == first
    except AwakeableAlreadyResolved as refusal:
        return refusal.recorded != "yes"
