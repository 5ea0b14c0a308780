"""What the rows that a fire has entered have cost, as their bodies say."""

from __future__ import annotations

import threading
from decimal import Decimal, InvalidOperation

from contextful.ports.observer import Spent
from contextful.runner.execution import Execution


class Till:
    """One fire's. It is shown to whoever watches the fire, and goes with its process."""

    def __init__(self, run: Execution) -> None:
        self._run = run
        self._spent: dict[str, Decimal] = {}
        self._turn = threading.Lock()

    def spend(self, amount: float | Decimal, unit: str) -> None:
        """So much more. Raises ValueError where it is no amount."""
        try:
            more = Decimal(str(amount))
        except InvalidOperation:
            more = Decimal("NaN")
        if not more.is_finite() or more < 0:
            raise ValueError(f"what is spent is {amount!r:.40}, and must be a number that is not negative")
        with self._turn:
            self._spent[unit] = self._spent.get(unit, Decimal(0)) + more
            self._run.tell(Spent({each: float(total) for each, total in self._spent.items()}))
