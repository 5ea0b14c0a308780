"""run.own, under staging and checkpoints, decided: where a run is cut, and what it may stage."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from contextful.run import advance
from contextful.run.own import staging_and_checkpoints
from contextful_contract.errors import RunStagedBytesExceeded
from proofs.theorem import theorem

MIB_512, GIB = 512 * 1_024**2, 1_024**3


@theorem(
    "run.own.checkpoint-commit",
    "run.own.checkpoint-scope",
    of=staging_and_checkpoints.due,
    mutants=[
        ("if replaces or not position_addressed:", "if replaces:"),
        ("if replaces or not position_addressed:", "if not position_addressed:"),
        ("staged_bytes >= checkpoint_bytes", "staged_bytes > checkpoint_bytes"),
    ],
)
def test_a_checkpoint_is_due_exactly_at_512_mib_of_a_source_that_resumes(
    staged_bytes: int, position_addressed: bool, replaces: bool
) -> bool:
    """A checkpoint is due exactly from 512 MiB on, where the source resumes from a position and no table is replaced.

    post: __return__ == (staged_bytes >= MIB_512 and position_addressed and not replaces)
    """
    return staging_and_checkpoints.due(staged_bytes, position_addressed=position_addressed, replaces=replaces)


@theorem(
    "run.own.staged-bytes",
    of=staging_and_checkpoints.within_bound,
    mutants=[
        ("if total > bound_bytes:", "if total >= bound_bytes:"),
        ("if total > bound_bytes:", "if part_bytes > bound_bytes:"),
        ("total = staged_bytes + part_bytes", "total = staged_bytes"),
    ],
)
def test_a_part_is_staged_exactly_where_all_of_them_are_within_1_gib(staged_bytes: int, part_bytes: int) -> bool:
    """A part is staged exactly where it and those before it come to at most 1 GiB; the refusal says to how much.

    pre: staged_bytes >= 0 and part_bytes >= 0
    post: __return__
    """
    total = staged_bytes + part_bytes
    try:
        return staging_and_checkpoints.within_bound("orders", staged_bytes, part_bytes) == total <= GIB
    except RunStagedBytesExceeded as refusal:
        return refusal.staged_bytes == total > GIB


@theorem(
    "run.own.checkpoint-commit",
    of=advance.beyond,
    mutants=[
        ("all(before(field, frontier, clock)", "any(before(field, frontier, clock)"),
        ("before(field, frontier, clock) for clock", "not before(field, clock, frontier) for clock"),
        ("frontier is not None and all", "frontier is None or all"),
    ],
    leaves_open="clocks that are texts or fractions; windows of more than 2 rows, which go through the same test",
)
def test_no_cut_has_rows_of_one_instant_on_either_side(earlier: int | None, first: int, second: int, rows: int) -> bool:
    """Where a run may be cut before a window, every row of the window is later than every row before the cut; where it
    may not, one of them is not, or nothing stands before it. What has been staged so far reaches up to the frontier.

    pre: 1 <= rows <= 2
    post: __return__
    """
    window = [first, second][:rows]
    later = earlier is not None and min(window) > earlier
    return advance.beyond("at", earlier, window) == later


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.own.checkpoint-run-id")
def test_every_commit_of_a_run_has_a_name_of_its_own(record_walk: Callable[..., None]) -> None:
    """No two commits of a run, or of two runs of which neither is named as a commit of the other, share a name; each is
    known as made by its own run and by no other.
    """
    runs, ordinals = ("r", "r-1", "r-10", "r.1", "s"), (0, 1, 9, 10, 99, 999_999)
    names = {staging_and_checkpoints.commit_id(run, at): (run, at) for run, at in product(runs, ordinals)}
    for name, (made_by, _) in names.items():
        for run in runs:
            assert staging_and_checkpoints.made_by(name, ("t", run)) == (run == made_by)

    assert len(names) == len(runs) * len(ordinals)
    record_walk(domain=f"runs {', '.join(runs)}; commits {ordinals}", cases=len(names) * len(runs))
