"""connector.source.http-class: what a server's answer says about the attempt, by its status alone."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from contextful.kernel.failure import Failure
from contextful.kernel.instant import EPOCH
from contextful_contract.shapes import FailureTag

DELAY_MS_MAX = 365 * 24 * 3_600_000  # a server that asks for more has said nothing usable
SECONDS = re.compile(r"\d{1,12}(?:\.\d{1,9})?", re.ASCII)


def failure(status: int, url: str, *, retry_after: str | None, now_ms: int) -> Failure | None:
    """The failure that a status stands for; none where the answer can be read."""
    if 200 <= status <= 299:
        return None
    says = f"{url} answered {status}"
    ##= connector.source.http-class
    match status:
        case 401 | 403:
            return Failure(FailureTag.AUTH_EXPIRED, says)
        case 429:
            return Failure(FailureTag.RATE_LIMITED, says, wait_ms(retry_after, now_ms=now_ms))
        case _ if 400 <= status <= 499:
            return Failure(FailureTag.CONFIG, says)
        case _ if status >= 500:
            return Failure(FailureTag.TRANSIENT, says)
        case _:
            return Failure(FailureTag.PERMANENT, f"{says}, which is no answer to a read")


def wait_ms(retry_after: str | None, *, now_ms: int) -> int | None:
    """The wait that a `Retry-After` asks for, in seconds or until a date; none where it says neither.

    Of several, as a proxy that adds its own leaves them, the longest: nobody is called earlier than anybody asked. The
    day of the week, which has a comma after it too, says nothing about either.
    """
    waits = [_one_ms(text, now_ms) for text in (retry_after or "").split(",")]
    asked = [wait for wait in waits if wait is not None]
    return max(asked) if asked and max(asked) <= DELAY_MS_MAX else None


def _one_ms(text: str, now_ms: int) -> int | None:
    if SECONDS.fullmatch(text.strip()):
        return math.ceil(float(text) * 1_000)
    at = _date(text)
    return None if at is None else max(0, int((at - EPOCH).total_seconds() * 1_000) - now_ms)


def _date(text: str) -> datetime | None:
    """The instant of a date in any of HTTP's three forms, one of which has no zone: all of them are in GMT."""
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
