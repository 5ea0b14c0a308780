"""Instants, spelled and read."""

import pytest

from contextful.kernel import instant

SPELLED = {
    0: "1970-01-01T00:00:00Z",
    1_772_323_200_000: "2026-03-01T00:00:00Z",
    1_772_323_200_120: "2026-03-01T00:00:00.12Z",
    -1: "1969-12-31T23:59:59.999Z",
}


@pytest.mark.parametrize(("now_ms", "text"), SPELLED.items())
def test_an_instant_is_spelled_and_read_back(now_ms: int, text: str) -> None:
    assert instant.spell(now_ms) == text
    assert instant.read(text) == now_ms


@pytest.mark.parametrize("text", ["2026-03-01", "2026-03-01T00:00:00+00:00", "2026-13-01T00:00:00Z", "now", ""])
def test_another_spelling_is_no_instant(text: str) -> None:
    assert instant.read(text) is None


def test_what_is_finer_than_a_millisecond_is_cut() -> None:
    assert instant.read("1970-01-01T00:00:00.0019Z") == 1
