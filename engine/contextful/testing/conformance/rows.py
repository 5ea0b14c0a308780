"""What every `Rows` does."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from contextful.kernel.change import Clear, Delete, Insert, Require, Survives, Update
from contextful.kernel.table import Kind, Select, Table
from contextful.ports.rows import Rows

LETTER = Table(
    "letter",
    key=("box", "number"),
    columns={
        "box": Kind.TEXT,
        "number": Kind.INTEGER,
        "holder": Kind.TEXT,
        "content": Kind.BYTES,
        "sent": Kind.INTEGER,
    },
    indexes=(("holder", "sent"),),
)
SEAL = Table("seal", key=("name",), columns={"name": Kind.TEXT, "holder": Kind.TEXT})
TABLES = (LETTER, SEAL)
RACERS = 8


def letter(number: int = 1, **columns: str | int | bytes | None) -> dict[str, str | int | bytes | None]:
    """A whole row of LETTER."""
    whole: dict[str, str | int | bytes | None] = {"box": "a", "number": number}
    return whole | {"holder": None, "content": None, "sent": None} | columns


class RowsSuite:
    """Give it a `rows` fixture over TABLES, empty."""

    def test_a_missing_row_is_none(self, rows: Rows) -> None:
        assert rows.get(LETTER, ("a", 1)) is None

    def test_an_inserted_row_is_read_back_whole(self, rows: Rows) -> None:
        whole = letter(holder="ada\x00é", content=b"\x00\xff", sent=2**63 - 1)

        assert rows.commit(Insert(LETTER, whole))
        assert rows.get(LETTER, ("a", 1)) == whole

    def test_columns_left_out_are_null(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, {"box": "a", "number": 1}))

        assert rows.get(LETTER, ("a", 1)) == letter()

    def test_an_insert_over_a_standing_row_changes_nothing(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, letter(holder="ada")))

        assert not rows.commit(Insert(LETTER, letter(holder="bob")))
        assert rows.get(LETTER, ("a", 1)) == letter(holder="ada")

    def test_an_update_changes_what_it_names_and_nothing_else(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, letter(holder="ada", sent=1)))

        assert rows.commit(Update(LETTER, {"box": "a", "number": 1}, {"holder": "ada"}, {"sent": None}))
        assert rows.get(LETTER, ("a", 1)) == letter(holder="ada")

    @pytest.mark.parametrize(
        "expect", [{"holder": "bob"}, {"holder": None}, {"sent": 2}], ids=["another value", "null", "a null column"]
    )
    def test_an_update_that_finds_something_else_changes_nothing(
        self, rows: Rows, expect: dict[str, str | int | bytes | None]
    ) -> None:
        rows.commit(Insert(LETTER, letter(holder="ada")))

        assert not rows.commit(Update(LETTER, {"box": "a", "number": 1}, expect, {"sent": 9}))
        assert rows.get(LETTER, ("a", 1)) == letter(holder="ada")

    def test_an_expected_null_is_found(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, letter()))

        assert rows.commit(Update(LETTER, {"box": "a", "number": 1}, {"holder": None}, {"holder": "ada"}))

    def test_a_delete_takes_the_row_it_expects(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, letter(holder="ada")))

        assert not rows.commit(Delete(LETTER, {"box": "a", "number": 1}, {"holder": "bob"}))
        assert rows.commit(Delete(LETTER, {"box": "a", "number": 1}, {"holder": "ada"}))
        assert rows.get(LETTER, ("a", 1)) is None

    def test_a_requirement_holds_the_whole_commit(self, rows: Rows) -> None:
        rows.commit(Insert(SEAL, {"name": "s", "holder": "ada"}))

        assert not rows.commit(Insert(LETTER, letter()), Require(SEAL, {"name": "s"}, {"holder": "bob"}))
        assert not rows.commit(Insert(LETTER, letter()), Require(SEAL, {"name": "t"}))
        assert rows.get(LETTER, ("a", 1)) is None
        assert rows.commit(Insert(LETTER, letter()), Require(SEAL, {"name": "s"}, {"holder": "ada"}))

    def test_a_late_change_that_fails_undoes_the_early_ones(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, letter(1)), Insert(SEAL, {"name": "s", "holder": "ada"}))

        applied = rows.commit(
            Update(SEAL, {"name": "s"}, {}, {"holder": "bob"}),
            Clear(LETTER, {"box": "a"}),
            Delete(LETTER, {"box": "b", "number": 1}),
        )

        assert not applied
        assert rows.get(SEAL, ("s",)) == {"name": "s", "holder": "ada"}
        assert rows.get(LETTER, ("a", 1)) == letter(1)

    def test_a_clear_takes_everything_under_its_prefix(self, rows: Rows) -> None:
        rows.commit(*(Insert(LETTER, letter(number)) for number in range(3)), Insert(LETTER, letter(1, box="b")))

        assert rows.commit(Clear(LETTER, {"box": "a"}))
        assert [row["box"] for row in rows.select(Select(LETTER, {"box": "a"}))] == []
        assert rows.get(LETTER, ("b", 1)) == letter(1, box="b")

    def test_a_clear_of_nothing_is_applied(self, rows: Rows) -> None:
        assert rows.commit(Clear(LETTER, {"box": "nowhere"}))

    def test_a_selection_keeps_order_range_and_limit(self, rows: Rows) -> None:
        rows.commit(*(Insert(LETTER, letter(n, holder="ada", sent=10 - n)) for n in range(6)))
        rows.commit(Insert(LETTER, letter(6, holder="ada")), Insert(LETTER, letter(7, holder="bob", sent=7)))

        def numbers(**asked: int | bool) -> list[object]:
            selected = rows.select(Select(LETTER, {"holder": "ada"}, order="sent", **asked))  # type: ignore[arg-type]
            return [row["number"] for row in selected]

        assert numbers() == [5, 4, 3, 2, 1, 0]
        assert numbers(descending=True, limit=2) == [0, 1]
        assert numbers(since=7, before=9) == [3, 2]

    def test_ties_are_ordered_by_the_key(self, rows: Rows) -> None:
        rows.commit(*(Insert(LETTER, letter(n, holder="ada", sent=1)) for n in (3, 1, 2)))

        selected = rows.select(Select(LETTER, {"holder": "ada"}, order="sent"))

        assert [row["number"] for row in selected] == [1, 2, 3]

    def test_text_is_ordered_by_its_code_points(self, rows: Rows) -> None:
        boxes = [
            "",
            "\x00",
            "\x00a",
            "\x01",
            "\x01\x02",
            "\x02",
            " ",
            "A",
            "Z",
            "_",
            "a",
            "a/b",
            "ab",
            "é",
            "\uffff",
            "😀",
        ]
        rows.commit(*(Insert(LETTER, letter(box=box)) for box in reversed(boxes)))

        assert [row["box"] for row in rows.select(Select(LETTER, {}, order="box"))] == boxes
        assert [row["box"] for row in rows.select(Select(LETTER, {}, order="box", since="A", before="ab"))] == boxes[
            7:12
        ]

    def test_numbers_are_ordered_by_their_size(self, rows: Rows) -> None:
        sent = [-(2**63), -10, -9, -1, 0, 9, 10, 2**63 - 1]
        rows.commit(*(Insert(LETTER, letter(number, sent=at)) for number, at in enumerate(reversed(sent))))

        selected = rows.select(Select(LETTER, {"holder": None}, order="sent"))
        before = rows.select(Select(LETTER, {"holder": None}, order="sent", before=0, descending=True))

        assert [row["sent"] for row in selected] == sent
        assert [row["sent"] for row in before] == sent[3::-1]

    @pytest.mark.parametrize("box", ["b" * 256, "字" * 256, "😀" * 256], ids=["long", "of three bytes", "of four"])
    def test_a_long_key_is_a_key_like_others(self, rows: Rows, box: str) -> None:
        rows.commit(Insert(LETTER, letter(box=box)), Insert(LETTER, letter(box=box[1:])))

        assert rows.get(LETTER, (box, 1)) == letter(box=box)
        assert [row["box"] for row in rows.select(Select(LETTER, {}, order="box"))] == [box[1:], box]

    def test_a_row_leaves_the_order_that_it_was_in(self, rows: Rows) -> None:
        rows.commit(*(Insert(LETTER, letter(n, holder="ada", sent=n)) for n in range(4)))
        rows.commit(Update(LETTER, {"box": "a", "number": 0}, {}, {"sent": 9}))
        rows.commit(Update(LETTER, {"box": "a", "number": 1}, {}, {"sent": None}))
        rows.commit(Delete(LETTER, {"box": "a", "number": 2}))

        selected = rows.select(Select(LETTER, {"holder": "ada"}, order="sent"))

        assert [row["number"] for row in selected] == [3, 0]

    def test_the_clock_that_judges_leases_does_not_go_back(self, rows: Rows) -> None:
        first, second = rows.now_ms(7), rows.now_ms(7)

        assert 7 <= first <= second

    @pytest.mark.clause("run.journal.sqlite-write-lock")
    def test_of_many_inserts_of_one_key_one_lands(self, rows: Rows) -> None:
        start = threading.Barrier(RACERS)

        def race(racer: int) -> bool:
            start.wait()
            return rows.commit(Insert(LETTER, letter(holder=str(racer))))

        with ThreadPoolExecutor(RACERS) as pool:
            applied = list(pool.map(race, range(RACERS)))

        assert applied.count(True) == 1
        assert rows.get(LETTER, ("a", 1)) == letter(holder=str(applied.index(True)))

    def test_of_many_commits_at_once_each_learns_its_own_outcome(self, rows: Rows) -> None:
        rows.commit(Insert(SEAL, {"name": "s", "holder": "ada"}))

        def write(number: int) -> bool:
            holder = "ada" if number % 2 else "bob"
            require = Require(SEAL, {"name": "s"}, {"holder": holder})
            return rows.commit(Insert(LETTER, letter(number)), require, survives=Survives.PROCESS)

        with ThreadPoolExecutor(RACERS) as pool:
            applied = list(pool.map(write, range(100)))

        assert applied == [bool(number % 2) for number in range(100)]
        assert [row["number"] for row in rows.select(Select(LETTER, {"box": "a"}))] == list(range(1, 100, 2))

    def test_counting_together_loses_no_turn(self, rows: Rows) -> None:
        rows.commit(Insert(LETTER, letter(sent=0)))

        def count(_: int) -> None:
            for _ in range(100_000):  # ends: some writer always comes first
                row = rows.get(LETTER, ("a", 1))
                assert row is not None
                sent = row["sent"]
                assert isinstance(sent, int)
                if rows.commit(Update(LETTER, {"box": "a", "number": 1}, {"sent": sent}, {"sent": sent + 1})):
                    return

        with ThreadPoolExecutor(RACERS) as pool:
            list(pool.map(count, range(40)))

        assert rows.get(LETTER, ("a", 1)) == letter(sent=40)
