"""A bench is a module here with `rows()`, which measures and returns a row for each figure.

Figures hold only beside others of the same run, so a row may name the row that it is a ratio to.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on a row's value, or on its ratio to another row."""

    at_most: float | None = None
    at_least: float | None = None
    of_ratio: bool = False

    def reached(self, figure: float) -> bool:
        """Whether the figure keeps to the bound."""
        not_over = self.at_most is None or figure <= self.at_most
        return not_over and (self.at_least is None or figure >= self.at_least)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    name: str
    value: float
    unit: str
    ratio_to: str = ""
    goal: Goal | None = None


def best_s(action: Callable[[], object], *, rounds: int) -> float:
    """The shortest of several times that the action takes; the first warms up and is not counted."""
    action()
    return min(_once_s(action) for _ in range(rounds))


def _once_s(action: Callable[[], object]) -> float:
    start = perf_counter()
    action()
    return perf_counter() - start
