"""What every `Source` does."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch
from contextful.ports.source import Source

ROWS = [{"id": number, "at": number} for number in range(1, 8)]
Opened = Callable[[], Source]


def walked(source: Source, position: str | None = None) -> list[Batch]:
    """The answers of a walk from the position on, up to its end."""
    answers: list[Batch] = []
    for number in range(100):
        answers.append(source.pull(Ask(position), idempotency_key=f"key-{number}"))
        if not answers[-1].more:
            return answers
        assert answers[-1].position != position, "a walk goes on"
        position = answers[-1].position
    raise AssertionError("a walk of seven rows ends")


def ids(answers: list[Batch]) -> list[int]:
    """Which rows were told."""
    return [int(row["id"]) for answer in answers for row in answer.records()]


class SourceSuite:
    """Give it an `opened` fixture, which opens the source anew each time, over `ROWS`, two or three a batch."""

    def test_a_walk_tells_each_row_once_and_ends(self, opened: Opened) -> None:
        assert ids(walked(opened())) == [row["id"] for row in ROWS]

    def test_it_says_what_is_needed_to_record_and_to_resume_it(self, opened: Opened) -> None:
        source = opened()

        assert isinstance(source.journaled, bool)
        assert isinstance(source.position_addressed, bool)
        assert source.pulls_max >= 1
        assert source.host is None or source.host

    @pytest.mark.clause("run.advance.cursor-bytes")
    def test_positions_are_json_and_batches_count_their_rows(self, opened: Opened) -> None:
        for answer in walked(opened()):
            json.loads(answer.position or "null")
            assert answer.row_count == len(answer.records()) == len(pull.unpacked(answer) and answer.records())

    @pytest.mark.clause("run.journal.opt-out")
    def test_what_is_recorded_can_be_gone_on_from_by_another_process(self, opened: Opened) -> None:
        if not opened().journaled:
            pytest.skip("a walk that nobody records begins anew")
        first, *rest = walked(opened())

        assert ids(walked(opened(), first.position)) == ids(rest)

    @pytest.mark.clause("run.own.checkpoint-scope")
    def test_a_stable_position_answers_the_same_twice(self, opened: Opened) -> None:
        if not opened().position_addressed:
            pytest.skip("its positions name no stable place")
        first, *_ = walked(opened())
        again = [opened().pull(Ask(first.position), idempotency_key="key") for _ in range(2)]

        assert [each.records() for each in again] == [again[0].records()] * 2
        assert again[0].position == again[1].position

    def test_closing_it_twice_harms_nothing(self, opened: Opened) -> None:
        source = opened()

        source.close()
        source.close()
