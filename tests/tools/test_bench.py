"""tools/bench: figures beside what they are compared with, held to goals."""

import json
from collections.abc import Sequence

import pytest

from tools import bench
from tools.bench import Result
from tools.benches import Goal, Row, best_s
from tools.command import Trouble

RAW = Row("raw loop", 200, "steps/s")


@pytest.mark.parametrize(
    ("row", "ratio", "reached"),
    [
        (Row("steps", 100, "steps/s"), None, True),
        (Row("steps", 100, "steps/s", "raw loop"), 0.5, True),
        (Row("steps", 100, "steps/s", goal=Goal(at_least=100)), None, True),
        (Row("steps", 100, "steps/s", goal=Goal(at_least=101)), None, False),
        (Row("wait", 100, "ms", goal=Goal(at_most=99)), None, False),
        (Row("steps", 100, "steps/s", "raw loop", Goal(at_least=0.5, of_ratio=True)), 0.5, True),
        (Row("steps", 100, "steps/s", "raw loop", Goal(at_least=0.6, of_ratio=True)), 0.5, False),
    ],
)
def test_a_row_is_held_to_its_goal(row: Row, ratio: float | None, reached: bool) -> None:
    assert bench.judge([RAW, row])[1] == Result(row, ratio, reached)


def rows(_: str) -> Sequence[Row]:
    """What a bench returns that misses one of two goals."""
    return (
        Row("raw loop", 200, "steps/s"),
        Row("steps", 100, "steps/s", "raw loop", Goal(at_least=0.6, of_ratio=True)),
        Row("wait", 0.05, "s", goal=Goal(at_most=0.2)),
    )


def test_it_prints_rows_and_fails_where_a_goal_is_missed(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["spec"], rows) == 1
    assert capsys.readouterr().out.split("\n") == [
        "raw loop  200 steps/s",
        "steps     100 steps/s  0.5 x raw loop  goal at least 0.6 x: MISSED",
        "wait      0.05 s  goal at most 0.2 s: reached",
        "",
    ]


def test_it_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["spec", "--json"], rows)

    told = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["ratio"], row["reached"]) for row in told["rows"]] == [
        ("raw loop", None, True),
        ("steps", 0.5, False),
        ("wait", None, True),
    ]


def test_it_lists_the_benches(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([]) == 0
    assert "spec" in capsys.readouterr().out.split("\n")


def test_an_unknown_bench_is_a_sentence() -> None:
    with pytest.raises(Trouble, match=r"there is no bench nothing; there is .*spec"):
        bench.main(["nothing"])


def test_the_first_round_warms_up() -> None:
    calls: list[int] = []

    best_s(lambda: calls.append(1), rounds=3)

    assert len(calls) == 4
