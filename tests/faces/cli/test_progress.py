"""What a person at the terminal is told of a job's rows."""

from __future__ import annotations

import pytest

from contextful.faces.cli.progress import Watcher, watching
from contextful.kernel.failure import Failure
from contextful.ports.observer import ItemCame, RowCame, RunLanded, Spent
from contextful_contract.shapes import FailureTag, ItemOutcome


class Told:
    """A watcher whose clock stands where a test puts it, and what it has said."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.lines: list[str] = []
        self.watcher = Watcher(self.lines.append, lambda: self.now_ms, every_ms=5_000)


def test_rows_are_told_of_now_and_then_with_their_cost_and_the_time_that_is_left() -> None:
    told = Told()

    for through in range(1, 101):
        told.now_ms = through * 200
        told.watcher.tell(Spent({"USD": through * 0.02}))
        told.watcher.tell(RowCame(through, 1, 200))

    assert told.lines[1] == "50 of 200 rows: 50 through, 1 parked, 1.00 USD spent, about 30 s left"
    assert len(told.lines) == 4


def test_items_are_told_of_by_their_outcome_and_each_that_does_not_succeed_by_itself() -> None:
    told = Told()
    failure = Failure(FailureTag.PERMANENT, "no such order")

    told.watcher.tell(RowCame(0, 0, 3))
    told.watcher.tell(RunLanded(1, 512, 1))
    told.watcher.tell(ItemCame("a", ItemOutcome.SUCCESS, {"success": 1}, 3))
    told.watcher.tell(ItemCame("b", ItemOutcome.DEFERRED, {"success": 1, "deferred": 1}, 3))
    told.watcher.tell(ItemCame("b", ItemOutcome.WAITING, {"success": 1, "waiting": 1}, 3))
    told.watcher.tell(ItemCame("c", ItemOutcome.FAILURE, {"success": 1, "failure": 1, "waiting": 1}, 3, failure))
    told.watcher.tell(ItemCame("b", ItemOutcome.SUCCESS, {"success": 2, "failure": 1}, 3))

    assert told.lines == ["item b: waiting", "item c: failure, no such order", "3 of 3 rows: 2 success, 1 failure"]


def test_a_pace_that_nobody_knows_promises_nothing() -> None:
    told = Told()

    told.now_ms = 6_000
    told.watcher.tell(RowCame(1, 0, 50_000))

    assert told.lines == ["1 of 50,000 rows: 1 through"]


def test_a_statement_that_answers_nothing_is_told_of_as_that() -> None:
    told = Told()

    told.watcher.tell(RowCame(0, 0, 0))

    assert told.lines == ["0 of 0 rows"]


def test_what_a_body_prints_is_for_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    with watching():
        print("from a body")

    assert capsys.readouterr() == ("", "from a body\n")
