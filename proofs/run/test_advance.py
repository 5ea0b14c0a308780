"""run.advance, decided: where a frontier stands."""

from __future__ import annotations

from contextful.run import advance
from proofs.theorem import theorem


@theorem(
    "run.advance.frontier",
    of=advance.frontier,
    mutants=[
        ("so_far is None or not before(field, clock, so_far)", "so_far is None or before(field, clock, so_far)"),
        ("so_far is None or not before(field, clock, so_far)", "so_far is None"),
        ("so_far is None or not before(field, clock, so_far)", "True"),
    ],
    leaves_open="clocks that are texts or fractions; windows of more than 2 rows, which go through the same loop",
)
def test_a_frontier_is_the_highest_value_seen(
    stood: int | None, first: int, second: int, rows: int
) -> tuple[object, list[int]]:
    """The frontier is the highest of where it stood and of every row that was fetched; an older or an empty window
    takes it nowhere.

    pre: 0 <= rows <= 2
    post: __return__[0] == max(__return__[1], default=None)
    """
    window = [first, second][:rows]
    return advance.frontier("at", stood, window), window if stood is None else [stood, *window]
