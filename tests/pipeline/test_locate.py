"""Every key of a manifest has a place, wherever TOML lets it stand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from contextful.pipeline.locate import Path, Place, places

EVERYTHING = '''# a comment = "no"
top = 1
"quoted key" = 'x # not a comment'
dotted . "inner key" .last = """
many [lines] = "here"
""" # after
escaped = "a \\\\" # "b"
dates = 2026-03-01T00:00:00Z
literal = \'\'\'
] } ' "
\'\'\'
list = [
  1, # one
  [2, { deep = 3 }, "]"],
  { a = 1, b = { c = [4] } },
]
empty = []
nothing = {}

[ table . sub ]
key = true

[[many]]
name = "first"
  [many.under]
  x = 1
  [[many.inner]]
  y = 1
  [[many.inner]]
  y = 2

[[many]]
name = "second"
  [[many.inner]]
  y = 3
'''


def paths(held: object, path: Path = ()) -> Iterator[Path]:
    """Every path that a value has."""
    items = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from paths(item, (*path, key))


def test_every_path_of_a_manifest_has_its_place() -> None:
    assert set(places(EVERYTHING)) == set(paths(tomllib.loads(EVERYTHING)))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("top",), Place(2, 1)),
        (("quoted key",), Place(3, 1)),
        (("dotted", "inner key", "last"), Place(4, 23)),
        (("list", 1, 1, "deep"), Place(14, 9)),
        (("list", 2, "b", "c", 0), Place(15, 23)),
        (("table", "sub"), Place(20, 11)),
        (("table", "sub", "key"), Place(21, 1)),
        (("many", 0), Place(23, 1)),
        (("many", 0, "under", "x"), Place(26, 3)),
        (("many", 0, "inner", 1, "y"), Place(30, 3)),
        (("many", 1, "inner", 0, "y"), Place(35, 3)),
    ],
)
def test_a_place_is_where_the_key_begins(path: Path, place: Place) -> None:
    assert places(EVERYTHING)[path] == place


def test_a_key_is_found_however_it_is_spelled() -> None:
    text = 'a = 1\n"\\u0062\\t\\U0001F600" = 2\n'

    assert places(text)[("b\t\U0001f600",)] == Place(2, 1)
    assert set(places(text)) == set(paths(tomllib.loads(text)))
