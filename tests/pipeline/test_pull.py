"""Answers of a source, and whether another pull follows."""

from __future__ import annotations

import pytest

from contextful.errors import ConnectorPageLoop
from contextful.kernel import codec
from contextful.kernel.failure import Permanent
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask

ROWS = [{"id": 1, "name": "é", "wide": 2**70, "nested": {"a": [1.5, None]}}, {}]


def test_a_batch_comes_back_from_the_journal_as_it_was() -> None:
    batch = pull.batch(ROWS, position='{"page":2}', more=True, skipped=3)

    recorded = codec.decode(codec.encode(batch))

    assert recorded == batch
    assert batch.records() == ROWS


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), {"a": [-float("inf")]}], ids=["NaN", "infinite", "inside"]
)
def test_a_number_that_is_none_is_refused_by_its_column_and_row(value: object) -> None:
    with pytest.raises(Permanent, match="column 'x' of row 1 of this batch has "):
        pull.pack([{"x": None}, {"x": value}])


@pytest.mark.parametrize(
    ("more", "position", "monotonic", "onward"),
    [
        (False, "b", False, False),
        (True, "b", False, True),
        (True, "b", True, True),
        (True, "a", True, False),
    ],
    ids=["no more", "more", "more of a monotonic walk", "a monotonic walk that stands still"],
)
@pytest.mark.clause("run.advance.walk-position")
def test_another_pull_follows_where_there_is_more(more: bool, position: str, monotonic: bool, onward: bool) -> None:
    answer = pull.batch([], position=position, more=more)

    assert pull.onward({None, "a"}, Ask("a"), answer, monotonic=monotonic) is onward


@pytest.mark.clause("connector.source.page-loop")
@pytest.mark.parametrize("position", [None, "a"], ids=["the beginning", "the page itself"])
def test_a_walk_that_is_pointed_to_where_it_has_been_is_refused(position: str | None) -> None:
    with pytest.raises(ConnectorPageLoop) as refusal:
        pull.onward({None, "a"}, Ask("a"), pull.batch([], position=position, more=True), monotonic=False)

    assert refusal.value.url == str(position)
