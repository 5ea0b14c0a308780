"""Link headers, as servers write them."""

from __future__ import annotations

import pytest

from contextful.adapters.sources import http_link


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ("", None),
        ('<https://v/x?page=2>; rel="next"', "https://v/x?page=2"),
        ("<?page=2>;rel=next", "?page=2"),
        ('<?page=9>; rel="last", <?page=2>; rel="next"', "?page=2"),
        ('<?page=2>; rel="self prefetch Next"', "?page=2"),
        ('<?page=2>; title="a, <b>; rel=\\"last\\""; rel="next"', "?page=2"),
        ('<?ids=1,2;3>; rel="next"', "?ids=1,2;3"),
        ('<?page=2>; rel="prev"; rel="next"', None),
        ('<?page=2>; rel="next"; anchor="#part"', None),
        ('<?page=2> ; REL = "next" ; results="true",', "?page=2"),
        ('<?page=2>; rel="next", <?page=3>; rel="next"', "?page=2"),
        ("<?page=2>; rel=next; crossorigin; title*=UTF-8'en'x", "?page=2"),
        ('<?page=2>; rel="nextish"', None),
        ('<>; rel="next"', ""),
    ],
)
def test_the_next_page_of_a_header(header: str, target: str | None) -> None:
    assert http_link.target(header, "next") == target


@pytest.mark.parametrize("header", ["?page=2; rel=next", '<?page=2; rel="next"', '<?page=2>; rel="next', "<a> <b>"])
def test_what_is_no_header_is_said(header: str) -> None:
    with pytest.raises(ValueError, match="cannot be read from"):
        http_link.target(header, "next")


def test_a_long_header_is_read_in_passing_time() -> None:
    assert http_link.target("<a>;x=" + "=" * 50_000 + ', <b>; rel="next"', "next") == "b"
    with pytest.raises(ValueError, match="cannot be read from"):
        http_link.target("<a>" + "; " * 50_000 + '"', "next")
