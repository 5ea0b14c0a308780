"""run.advance, decided: where a frontier stands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from contextful.kernel.failure import Transient
from contextful.run import advance
from contextful_contract.shapes import CursorKind
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


CLOCKS = (
    (-1, 0, 0.5, 1, 10**17),
    ("", "a", "b", "ä"),
    ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00.5Z", "2026-03-01T01:00:00-01:00", "2026-03-02T00:00:00Z"),
)
MARKS = [[None, *(advance.watermark("at", clock) for clock in clocks)] for clocks in CLOCKS]


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.advance.frontier", "run.advance.concurrency-by-kind")
def test_writers_come_to_the_highest_watermark_in_whatever_order(record_walk: Callable[..., None]) -> None:
    """What a monotonic commit publishes beside the standing position is the higher of the two: in whatever order three
    writers come, one of them twice, the highest stands, and one that has seen nothing moves nothing. A position of any
    other kind is not published by a writer who has not seen the standing one.
    """

    def higher(standing: str | None, position: str | None) -> str | None:
        return advance.published(CursorKind.MONOTONIC, standing, position, seen=False)

    cases = [case for marks in MARKS for case in product(marks, repeat=3)]
    for one, two, three in cases:
        assert higher(one, one) == one
        assert higher(one, two) == higher(two, one)
        assert higher(higher(one, two), three) == higher(one, higher(two, three))
        assert higher(one, None) == one
        for kind in (CursorKind.OPAQUE_TOKEN, CursorKind.SNAPSHOT_ID):
            with pytest.raises(Transient):
                advance.published(kind, one, two, seen=False)

    assert len(cases) == sum((len(clocks) + 1) ** 3 for clocks in CLOCKS)
    record_walk(
        domain="numbers, texts and instants, each three at a time, and none",
        cases=len(cases),
        leaves_open="one instant in two spellings, either of which may stand; instants among other texts",
    )
