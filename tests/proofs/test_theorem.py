"""What makes a fact a theorem, and what keeps it from being one."""

from __future__ import annotations

import pytest

from contextful.run import retry
from contextful.run.retry import sleeps_in_process
from proofs import theorem
from proofs.mutants import planted
from tools.units import Proof

CEILING = ("remaining_ms <= limits", "remaining_ms < limits")
ELSEWHERE = ("if failure.deterministic:", "if False:")


def at_most_300_s_sleep(remaining_ms: int) -> bool:
    """A wait of at most 300 s is slept,
    and no longer one.

    pre: remaining_ms >= 0
    post: __return__ == (remaining_ms <= 300_000)
    """
    return retry.sleeps_in_process(remaining_ms)


def everything_sleeps(remaining_ms: int) -> bool:
    """post: __return__"""
    return retry.sleeps_in_process(remaining_ms)


def nothing_is_asked(remaining_ms: int) -> bool:
    """
    pre: remaining_ms > 0 and remaining_ms < 0
    post: __return__
    """
    return retry.sleeps_in_process(remaining_ms)


def every_sum_is_tried(count: int) -> int:
    """post: __return__ >= 0"""
    return sum(range(count)) if retry.sleeps_in_process(count) else 0


def something_else_is_asked(remaining_ms: int) -> bool:
    """post: __return__ == (remaining_ms <= 300_000)"""
    return remaining_ms <= 300_000


def half_of_it_is_wrong(remaining_ms: int) -> bool:
    """
    post: __return__ == (remaining_ms <= 300_000)
    post: __return__
    """
    return retry.sleeps_in_process(remaining_ms)


def nothing_is_claimed(remaining_ms: int) -> bool:
    """Words alone."""
    return retry.sleeps_in_process(remaining_ms)


def confirm(fact: theorem.Fact, *mutants: tuple[str, str]) -> Proof:
    proof, _ = theorem.confirm(fact, sleeps_in_process, mutants)
    return proof


def test_a_fact_is_confirmed_with_its_words_its_domain_and_its_mutants() -> None:
    proof = confirm(at_most_300_s_sleep, CEILING)

    assert proof.reason == ""
    assert proof.claim == "A wait of at most 300 s is slept, and no longer one."
    assert proof.domain == "(remaining_ms: int) where remaining_ms >= 0"
    assert proof.mutants == {"no sleeps_in_process": True, " → ".join(CEILING): True}


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        pytest.param(everything_sleeps, "theorem-refuted", id="false"),
        pytest.param(half_of_it_is_wrong, "theorem-refuted", id="one of two posts false"),
        pytest.param(nothing_is_asked, "theorem-pre-unsat", id="preconditions that nothing meets"),
        pytest.param(nothing_is_claimed, "theorem-refuted", id="no post-condition"),
    ],
)
def test_what_is_no_theorem_says_why(fact: theorem.Fact, reason: str) -> None:
    assert confirm(fact).reason == reason


def test_a_fact_that_runs_out_of_budget_is_undetermined() -> None:
    found = tuple(theorem.findings(every_sum_is_tried, budget_s=0.2))

    assert theorem.verdict(found) == "theorem-timeout"


def test_a_fact_that_never_calls_the_function_survives_its_loss() -> None:
    assert confirm(something_else_is_asked).mutants == {"no sleeps_in_process": False}


def test_a_mutant_elsewhere_survives() -> None:
    assert confirm(at_most_300_s_sleep, ELSEWHERE).mutants[" → ".join(ELSEWHERE)] is False


def test_a_mutant_lasts_as_long_as_its_block() -> None:
    with planted(retry, *CEILING):
        within = sleeps_in_process(300_000)

    assert (within, sleeps_in_process(300_000)) == (False, True)


def test_a_mutant_whose_line_is_gone_is_no_mutant() -> None:
    with pytest.raises(AssertionError, match="out of date"), planted(retry, "no such line", ""):
        pass


def test_a_mutant_outside_every_function_is_no_mutant() -> None:
    with (
        pytest.raises(AssertionError, match="changes no function"),
        planted(retry, "FACTOR_MAX = 1_000", "FACTOR_MAX = 2"),
    ):
        pass
