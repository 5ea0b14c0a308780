"""surface.dispatch: which of the units that are due are fired at a beat.

due --in flight already--> left        due --4 are in flight--> due still        due --> fired
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from contextful_contract import limits
from contextful_contract.shapes import CycleAnswer

WAITS = 75  # how a fire leaves whose run waits, as systems spell "try again later": neither well nor badly


def fired(due: Sequence[str], in_flight: Collection[str]) -> Sequence[str]:
    """The keys that are fired now, of those that are due."""
    idle = [key for key in due if key not in in_flight]  ##= surface.dispatch.exclusion
    return idle[: max(0, limits.FIRE_POOL_UNITS - len(in_flight))]  ##= surface.dispatch.pool-bound


def failed(code: int) -> bool:
    """Whether a unit that left so has failed."""
    return code not in (0, WAITS)


def exit_code(answer: CycleAnswer) -> int:
    """How a cycle's process leaves."""
    return 1 if answer.failed else 0  ##= surface.dispatch.cycle-exit
