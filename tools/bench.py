"""tools/bench: measures one thing, beside what it is to be compared with, and holds it to its goals."""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

from tools.benches import Goal, Row
from tools.command import Trouble, run

BENCHES = Path(__file__).with_name("benches")


@dataclass(frozen=True, slots=True)
class Result:
    """A row, its ratio to another of the same run, and whether it reached its goal."""

    row: Row
    ratio: float | None
    reached: bool


def measure(name: str) -> Sequence[Row]:
    """The rows of a bench, by the name of its module."""
    rows: Sequence[Row] = import_module(f"tools.benches.{name}").rows()
    return rows


def main(arguments: Sequence[str], measure: Callable[[str], Sequence[Row]] = measure) -> int:
    """Run one bench; without a name, say which there are."""
    parser = argparse.ArgumentParser(prog="tools/bench", description=__doc__)
    parser.add_argument("name", nargs="?", help="a module of tools/benches; without it they are listed")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    asked = parser.parse_args(arguments)
    names = sorted(path.stem for path in BENCHES.glob("*.py") if path.stem != "__init__")
    if asked.name is None:
        print("\n".join(names))
        return 0
    if asked.name not in names:
        raise Trouble(f"there is no bench {asked.name}; there is {', '.join(names)}")
    results = judge(measure(asked.name))
    print(_json(asked.name, results) if asked.json else "\n".join(_lines(results)))
    return 0 if all(result.reached for result in results) else 1


def judge(rows: Iterable[Row]) -> tuple[Result, ...]:
    """Each row beside its ratio and its goal."""
    every = tuple(rows)
    values = {row.name: row.value for row in every}
    return tuple(_result(row, values) for row in every)


def _result(row: Row, values: Mapping[str, float]) -> Result:
    ratio = row.value / values[row.ratio_to] if row.ratio_to else None
    if row.goal is None:
        return Result(row, ratio, reached=True)
    figure = ratio if row.goal.of_ratio else row.value
    assert figure is not None, f"{row.name} has a goal for a ratio, and no ratio"
    return Result(row, ratio, row.goal.reached(figure))


def _json(name: str, results: Sequence[Result]) -> str:
    rows = [{**asdict(each.row), "ratio": each.ratio, "reached": each.reached} for each in results]
    return json.dumps({"bench": name, "rows": rows}, indent=1)


def _lines(results: Sequence[Result]) -> list[str]:
    width = max(len(result.row.name) for result in results)
    return [f"{result.row.name:<{width}}  {'  '.join(_figures(result))}" for result in results]


def _figures(result: Result) -> Iterable[str]:
    row = result.row
    yield f"{row.value:.4g} {row.unit}"
    if result.ratio is not None:
        yield f"{result.ratio:.3g} x {row.ratio_to}"
    if row.goal is not None:
        yield f"goal {_bound(row.goal, row.unit)}: {'reached' if result.reached else 'MISSED'}"


def _bound(goal: Goal, unit: str) -> str:
    kind = "x" if goal.of_ratio else unit
    bounds = (("at most", goal.at_most), ("at least", goal.at_least))
    return " and ".join(f"{word} {bound:g} {kind}" for word, bound in bounds if bound is not None)


if __name__ == "__main__":
    run("tools/bench", main)
