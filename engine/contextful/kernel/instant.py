"""Instants: milliseconds since 1970 in the engine, RFC 3339 in UTC with a `Z` outside it; and spans."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SPELLING = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z", re.ASCII)
LATEST_MS = 253_402_300_799_999  # the last of year 9999
SPAN = re.compile(r"(\d{1,18})([smhd])", re.ASCII)
SPAN_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def spell(now_ms: int) -> str:
    """`2013-01-01T05:00:00Z`, with a fraction only where it is not zero."""
    whole, fraction_ms = divmod(now_ms, 1_000)
    text = (EPOCH + timedelta(seconds=whole)).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = f".{fraction_ms:03d}".rstrip("0") if fraction_ms else ""
    return f"{text.zfill(19)}{fraction}Z"


def read(text: object) -> int | None:
    """The instant that `text` spells, or none where it is no UTC instant ending `Z`."""
    match = SPELLING.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    *fields, fraction = match.groups()
    try:
        whole = datetime(*(int(part) for part in fields), tzinfo=UTC)  # type: ignore[arg-type, misc]
    except ValueError:
        return None
    return (whole - EPOCH) // timedelta(milliseconds=1) + int((fraction or "").ljust(3, "0")[:3])


def span_ms(text: object) -> int | None:
    """The milliseconds of `90s`, `15m`, `6h` or `7d`, or none where `text` is no length of time."""
    match = SPAN.fullmatch(text) if isinstance(text, str) else None
    return None if match is None else int(match[1]) * SPAN_MS[match[2]]
