"""run.journal under callers at once, sampled over seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType

import pytest

from contextful.runner import journal as journal_runner
from contextful.testing import SimWorld
from proofs.effort import FULL
from proofs.mutants import planted
from proofs.simulation.callers import Callers

SEEDS = range(2_000 if FULL else 100)


def of_live_callers_one_runs(seed: int) -> Callers:
    """Three callers of one process, which neither dies nor loses its lease."""
    callers = Callers(SimWorld(seed), tasks=3)
    callers.live("a")
    assert callers.calls == 1
    assert list(callers.given.values()) == [[1, 1, 1]]
    assert callers.leftovers() == 0
    return callers


def all_are_given_one_value(seed: int) -> Callers:
    """Two callers in each of three processes, which die, and whose leases lapse while they work."""
    callers = Callers(SimWorld(seed, crash=0.02, jump=0.05), tasks=2)
    callers.live("a", "b", "c")
    assert all(len(set(values)) == 1 for values in callers.given.values()), callers.given
    assert callers.leftovers() == 0
    return callers


@pytest.mark.theorem("sampled")
@pytest.mark.clause("run.journal.entry-key")
def test_of_live_callers_one_runs_and_all_are_given_its_value(record_proof: Callable[..., None]) -> None:
    for seed in SEEDS:
        of_live_callers_one_runs(seed)

    record_proof(
        claim="Of callers at once under one key, whose lease stands, one runs the effect and all are given its value.",
        domain="three callers of one process, each port call an instant at which another may go first",
        cases=len(SEEDS),
    )


@pytest.mark.theorem("sampled")
@pytest.mark.clause("run.journal.step-output", "run.journal.claim-takeover", "run.journal.current-owner")
def test_callers_of_one_execution_are_given_one_value_whoever_dies(record_proof: Callable[..., None]) -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        callers = all_are_given_one_value(seed)
        seen += callers.seen
        seen["ran again"] += callers.calls > len(callers.given)

    record_proof(
        claim="Whoever dies and whoever takes over, all callers of one execution are given one value.",
        domain="two callers in each of three processes, any of which may die or lose its lease at any port call",
        cases=len(SEEDS),
        budget=", ".join(f"{number} {name}" for name, number in sorted(seen.items())),
    )
    assert [name for name in ("closed", "died", "ran again", "superseded", "turned away") if not seen[name]] == []


BUGS = {
    "a live claim is taken over": (
        journal_runner,
        "return ENDLESS if claim.claim in self._live else None",
        "return None",
    ),
    "nobody asks for the lease": (
        journal_runner,
        "self._lease(attempt, standing) if isinstance(standing, journal.Claim) else None",
        "None",
    ),
}


@pytest.mark.parametrize(("module", "was", "becomes"), BUGS.values(), ids=BUGS)
def test_a_planted_race_is_found(module: ModuleType, was: str, becomes: str) -> None:
    def all_seeds() -> None:
        for seed in SEEDS:
            of_live_callers_one_runs(seed)

    with planted(module, was, becomes), pytest.raises(AssertionError):
        all_seeds()
