"""Rows as their pipeline wants them, and what is refused on the way."""

from __future__ import annotations

import pytest

from contextful.kernel.failure import Failed
from contextful.pipeline import reshape
from contextful.pipeline.reshape import Drop, Keep, Rename, Row, Transform


@pytest.mark.clause("run.land.normalize")
@pytest.mark.parametrize(
    ("levels", "row"),
    [
        (0, {"a": {"b": {"c": 1}}, "d": {}, "e": [{"f": 1}]}),
        (1, {"a__b": {"c": 1}, "d": {}, "e": [{"f": 1}]}),
        (2, {"a__b__c": 1, "d": {}, "e": [{"f": 1}]}),
    ],
)
def test_objects_become_columns_so_many_levels_deep(levels: int, row: Row) -> None:
    assert reshape.normalized([{"a": {"b": {"c": 1}}, "d": {}, "e": [{"f": 1}]}], levels) == [row]


@pytest.mark.clause("run.land.transform")
@pytest.mark.parametrize(
    ("transform", "rows"),
    [
        (Rename({"a": "b"}), [{"b": 1}, {"b": True}, {"c": 2}]),
        (Drop(("a",)), [{}, {}, {"c": 2}]),
        (Keep("a", (1,)), [{"a": 1}]),
        (Keep("a", (1,), turned=True), [{"a": True}, {"c": 2}]),
        (Keep("a", (True, "x")), [{"a": True}]),
    ],
)
def test_a_transform_does_what_it_says(transform: Transform, rows: list[Row]) -> None:
    assert reshape.transformed([{"a": 1}, {"a": True}, {"c": 2}], [transform]) == rows


@pytest.mark.parametrize("names", [{"a": "b"}, {"b": "a"}, {"a": "c", "b": "c"}])
def test_no_value_is_lost_under_the_name_of_another(names: dict[str, str]) -> None:
    with pytest.raises(Failed, match="two columns"):
        reshape.transformed([{"a": 1, "b": 2}], [Rename(names)])


def test_names_may_be_exchanged() -> None:
    assert reshape.transformed([{"a": 1, "b": 2}], [Rename({"a": "b", "b": "a"})]) == [{"b": 1, "a": 2}]


def test_a_type_goes_with_its_column() -> None:
    assert reshape.retyped({"a": "utf8"}, [Drop(("c",)), Rename({"a": "b"})]) == {"b": "utf8"}


@pytest.mark.clause("authority.redact.clock-lineage")
@pytest.mark.parametrize(
    ("field", "columns"), [("at", {"at", "born"}), ("/by/at", {"by", "by__at", "since"}), ("/a/b/c", {"a", "a__b"})]
)
def test_a_clock_is_traced_to_the_columns_it_lands_in(field: str, columns: set[str]) -> None:
    chain = [Rename({"at": "born", "by__at": "since"})]

    assert reshape.lands_as(field, 1, chain) == columns
