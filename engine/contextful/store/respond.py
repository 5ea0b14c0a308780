"""read.respond: how many rows an answer may have, and how its values are told to whoever asked."""

from __future__ import annotations

import math

from contextful.kernel import instant
from contextful_contract import limits

WIDE = 1 << 31  # the first whole number that 32 bits do not hold


def ceiling(*asked: int | None) -> int:
    """The least of what the request, the grants and the face let through."""
    ##= read.respond.row-ceiling
    return min(limits.FACE_ROW_CEILING_ROWS, *(each for each in asked if each is not None))


def cell(value: object) -> object:
    """The value as every JSON reader takes it: what is no number of theirs is text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else str(value)
    if isinstance(value, int) and not isinstance(value, bool) and not -WIDE <= value < WIDE:
        return str(value)  ##= read.respond.wide-numbers
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def bound(at_ms: int) -> str:
    """An instant among the bounds of an answer: always to the nanosecond."""
    whole, _, fraction = instant.spell(at_ms).removesuffix("Z").partition(".")
    return f"{whole}.{fraction.ljust(limits.BOUNDS_FRACTION_DIGITS, '0')}Z"  ##= read.respond.bounds-echo


def bounds(*, as_of_ms: int | None, available_as_of_ms: int | None) -> dict[str, str]:
    """The bounds of an answer, as far as they were set."""
    told = {"as_of": as_of_ms, "available_as_of": available_as_of_ms}
    return {name: bound(at_ms) for name, at_ms in told.items() if at_ms is not None}
