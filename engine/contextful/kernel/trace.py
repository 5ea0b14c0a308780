"""Ids of traces and spans, as W3C's `traceparent` spells them."""

from __future__ import annotations

import re

from contextful.kernel import digest

BITS = 128
TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?")


def of_caller(traceparent: str | None) -> str | None:
    """The id of the caller's trace, if it says one."""
    match = TRACEPARENT.fullmatch(traceparent or "")
    return None if match is None else match[1]


def span_of_caller(traceparent: str | None) -> str | None:
    """The id of the caller's span, if it says one."""
    match = TRACEPARENT.fullmatch(traceparent or "")
    return None if match is None else match[2]


def span_of_run(run_id: str) -> str:
    """The id of a run's span: made from the run's, so that whatever belongs to the run can name its parent."""
    return digest.of_bytes(run_id.encode())[:16]


def spell(drawn: int) -> str:
    """The id of a fresh trace, out of a number of 128 bits."""
    return f"{drawn:032x}"
