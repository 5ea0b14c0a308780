"""What a bounded read takes in."""

from __future__ import annotations

import pytest

from contextful.store import bound_time
from contextful.store.lay_out import Manifest

MARCH_MS = 1_772_323_200_000  # 2026-03-01T00:00:00Z
DAY_MS = 24 * 3_600_000


def manifest(run_id: str, committed_ms: int, commit_seq: int) -> Manifest:
    """A commit."""
    return Manifest(run_id, "orders", "node", (), committed_ms, commit_seq, "shop", None)


FIRST, SECOND = manifest("r-9", MARCH_MS, 1), manifest("r-1", MARCH_MS + DAY_MS, 2)


@pytest.mark.clause("store.bound-time.as-of")
@pytest.mark.parametrize(
    ("as_of_ms", "seen"),
    [
        (None, [FIRST, SECOND]),
        (MARCH_MS - 1, []),
        (MARCH_MS, [FIRST]),
        (MARCH_MS + DAY_MS - 1, [FIRST]),
        (MARCH_MS + DAY_MS, [FIRST, SECOND]),
    ],
)
def test_a_read_takes_in_what_was_committed_by_its_bound(as_of_ms: int | None, seen: list[Manifest]) -> None:
    assert bound_time.visible([SECOND, FIRST], as_of_ms) == seen


@pytest.mark.clause("store.bound-time.date-only")
@pytest.mark.parametrize(
    ("text", "bound_ms"),
    [
        ("2026-03-01", MARCH_MS + DAY_MS - 1),
        ("2026-03-01T00:00:00Z", MARCH_MS),
        ("2026-03-01T00:00:00.25Z", MARCH_MS + 250),
        ("2026-02-30", None),
        ("2026-03-01T00:00:00+01:00", None),
        ("yesterday", None),
    ],
)
def test_a_day_is_taken_in_whole(text: str, bound_ms: int | None) -> None:
    assert bound_time.bound_ms(text) == bound_ms
