"""Every order in which the tasks of a simulated world may take turns, up to a number of interruptions.

A task goes on until it waits or ends, unless it is interrupted. Two interruptions, wherever they strike, show nearly
every race between two tasks; without a bound the orders are too many to walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from contextful.testing.simulation import SimWorld

ORDERS_MAX = 100_000


def every_order(history: Callable[[SimWorld], None], *, interruptions: int = 2) -> int:
    """Let the history happen in each order, in a fresh world; how many orders there are."""
    given: list[int] = []
    for count in range(1, ORDERS_MAX):
        order = _Given(given, interruptions)
        history(SimWorld(0, order=order))
        given = order.next()
        if not given:
            return count
    raise AssertionError(f"there are more than {ORDERS_MAX} orders")


class _Given:
    """The choices that are given, and the first one at every turn after them."""

    def __init__(self, given: Sequence[int], interruptions: int) -> None:
        self._given = given
        self._left = interruptions
        self._taken: list[int] = []
        self._open: list[int] = []
        self._last: object = None

    def choice(self, ready: Sequence[Any]) -> Any:
        """Whoever had the last turn goes first; another one interrupts it, while interruptions are left."""
        goes_on = self._last in ready
        options = sorted(ready, key=lambda task: task is not self._last)
        if goes_on and self._left == 0:
            options = options[:1]
        at = self._given[len(self._taken)] if len(self._taken) < len(self._given) else 0
        self._taken.append(at)
        self._open.append(len(options))
        self._left -= goes_on and at > 0
        self._last = options[at]
        return self._last

    def random(self) -> float:
        """Chance never strikes."""
        return 1.0

    def next(self) -> list[int]:
        """The choices of the next order, depth first; none once this was the last."""
        for at in reversed(range(len(self._taken))):
            if self._taken[at] + 1 < self._open[at]:
                return [*self._taken[:at], self._taken[at] + 1]
        return []
