"""Trace ids, as W3C's `traceparent` spells them."""

from __future__ import annotations

import re

BITS = 128
TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")


def of_caller(traceparent: str | None) -> str | None:
    """The id of the caller's trace, if it says one."""
    match = TRACEPARENT.fullmatch(traceparent or "")
    return None if match is None else match[1]


def spell(drawn: int) -> str:
    """The id of a fresh trace, out of a number of 128 bits."""
    return f"{drawn:032x}"
