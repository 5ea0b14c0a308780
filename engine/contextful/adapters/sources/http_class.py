"""connector.source.http-class: what a server's answer says about the attempt, by its status alone."""

from __future__ import annotations

from datetime import datetime
from email.utils import parsedate_to_datetime

from contextful.kernel.failure import Failure
from contextful.kernel.instant import EPOCH
from contextful_contract.shapes import FailureTag

DELAY_MS_MAX = 365 * 24 * 3_600_000  # a server that asks for more has said nothing usable


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
    """The wait that a `Retry-After` asks for, in seconds or until a date; none where it says neither."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) <= 12:
        delay_ms = int(text) * 1_000
    else:
        at = _date(text)
        if at is None:
            return None
        delay_ms = max(0, int((at - EPOCH).total_seconds() * 1_000) - now_ms)
    return delay_ms if delay_ms <= DELAY_MS_MAX else None


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None else None
