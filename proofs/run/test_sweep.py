"""run.sweep, decided: at which instants its question is asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from contextful.kernel import instant
from contextful.run import sweep
from contextful_contract.errors import RunSweepOriginAfterOpen
from contextful_contract.shapes import Sweep, SweepState
from proofs.theorem import theorem

STEPS = {"1s": 1_000, "2s": 2_000, "7s": 7_000, "1m": 60_000, "1h": 3_600_000, "1d": 86_400_000}


def swept(start_ms: int, end_ms: int, step: str = "1h") -> Sweep:
    """A sweep from here to there."""
    return Sweep(start=start_ms, end=end_ms, step=step, state=SweepState.FRESH)


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.sweep.origins")
def test_origins_go_from_the_start_by_the_step_through_the_end(record_walk: Callable[..., None]) -> None:
    """The first origin is the start, each is the one before it and a step, and none is later than the end: one that
    falls on the end is an origin, and one that a millisecond would bring past it is none.
    """
    cases = list(product(STEPS.items(), range(5), (-1, 0, 1)))
    for (step, step_ms), whole_steps, off_ms in cases:
        start_ms = 1_772_323_200_000
        found = list(sweep.origins(swept(start_ms, start_ms + whole_steps * step_ms + off_ms, step)))

        last = whole_steps if off_ms >= 0 else whole_steps - 1
        assert found == [start_ms + number * step_ms for number in range(last + 1)]
        assert len({sweep.scope(sweep.HostScope("job:x"), at).scope for at in found}) == len(found), instant.spell(
            start_ms
        )

    assert len(cases) == len(STEPS) * 5 * 3
    record_walk(
        domain=f"steps of {', '.join(STEPS)}; ends on an origin, a millisecond before and a millisecond after it",
        cases=len(cases),
        leaves_open="more than 5 origins, which come out of the same range",
    )


@theorem(
    "run.sweep.origin-after-open",
    of=sweep.admit,
    mutants=[
        ("if sweep.end > as_of_ms:", "if sweep.end >= as_of_ms:"),
        ("if sweep.end > as_of_ms:", "if sweep.start > as_of_ms:"),
        ("end=sweep.end, as_of", "end=sweep.start, as_of"),
    ],
)
def test_a_sweep_is_refused_exactly_where_it_ends_after_it_opens(start_ms: int, end_ms: int, as_of_ms: int) -> bool:
    """A sweep is refused exactly where its end is later than what it reads as of; the refusal says both.

    pre: start_ms <= end_ms
    post: __return__
    """
    try:
        sweep.admit("forecast", swept(start_ms, end_ms), as_of_ms)
    except RunSweepOriginAfterOpen as refusal:
        return end_ms > as_of_ms and (refusal.end, refusal.as_of) == (end_ms, as_of_ms)
    return end_ms <= as_of_ms


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.sweep.fresh-state", "run.sweep.carried-state")
def test_an_origin_reads_the_jobs_tables_as_the_last_commit_before_it_left_them(
    record_walk: Callable[..., None],
) -> None:
    """A fresh origin reads nothing that another has committed. A carried one reads the job's own tables as of the last
    commit of those before it, and as of the sweep itself while none has committed.
    """
    cases = list(product(SweepState, *[(None, 10, 20)] * 4))
    for state, *committed_ms in cases:
        of = Sweep(start=0, end=1, step="1s", state=state)
        known = [at_ms for at_ms in committed_ms if at_ms is not None]
        expected = {"a": known[-1], "b": known[-1]} if known and state is SweepState.CARRIED else {}

        assert sweep.carried(of, ("a", "b"), committed_ms) == expected

    assert len(cases) == len(SweepState) * 3**4
    record_walk(domain="both states, four origins before it, each without a commit or with one", cases=len(cases))
