"""run.record, decided: how much of its history is told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from contextful.run import history
from contextful.run.record import Run
from contextful_contract.shapes import RunStatus
from proofs.theorem import theorem


@theorem(
    "run.record.describe-window",
    of=history.described,
    mutants=[
        ("min(asked, limits.DESCRIBE_HISTORY_CEILING_ROWS)", "asked"),
        (
            "limits.DESCRIBE_HISTORY_DEFAULT_ROWS if ceiling is None",
            "limits.DESCRIBE_HISTORY_CEILING_ROWS if ceiling is None",
        ),
    ],
)
def test_a_description_lists_what_was_asked_for_up_to_500_runs(ceiling: int | None) -> int:
    """A description lists as many runs as were asked for, and never more than 500; 5 where nobody said.

    post: __return__ == (5 if ceiling is None else ceiling if ceiling < 500 else 500)
    """
    return history.described(ceiling)


@theorem(
    "run.record.export-ceiling",
    of=history.exported,
    mutants=[
        ("min(asked, limits.EXPORT_HISTORY_CEILING_ROWS)", "asked"),
        (
            "limits.EXPORT_HISTORY_DEFAULT_ROWS if ceiling is None",
            "limits.EXPORT_HISTORY_CEILING_ROWS if ceiling is None",
        ),
    ],
)
def test_an_export_holds_what_was_asked_for_up_to_5000_runs(ceiling: int | None) -> int:
    """An export holds as many runs as were asked for, and never more than 5,000; 500 where nobody said.

    post: __return__ == (500 if ceiling is None else ceiling if ceiling < 5_000 else 5_000)
    """
    return history.exported(ceiling)


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.record.truncation-flag")
def test_a_page_says_that_it_is_truncated_exactly_where_it_leaves_runs_out(record_walk: Callable[..., None]) -> None:
    """A page has the first runs of its window up to its ceiling, and is flagged exactly where the window has more."""
    runs = [Run(f"run-{n}", f"exec-{n}", "plan", "site", RunStatus.SUCCESS, started_ms=n) for n in range(6)]
    cases = list(product(range(5), range(7)))
    for ceiling, there in cases:
        found = runs[: min(there, ceiling + 1)]  # what a store is asked for: one more than the ceiling
        page = history.page(None, ceiling, found)

        assert (page.runs, page.truncated) == (runs[: min(there, ceiling)], there > ceiling)

    assert len(cases) == 5 * 7
    record_walk(domain="ceilings of 0 to 4, windows of 0 to 6 runs", cases=len(cases))
