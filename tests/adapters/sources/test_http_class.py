"""What a status says, as a table."""

import httpx
import pytest

from contextful.adapters.sources import http_class
from contextful.kernel.failure import Failure
from contextful_contract.shapes import FailureTag

URL = "http://vendor/rows"
NOW_MS = 1_772_323_200_000  # 2026-03-01T00:00:00Z


@pytest.mark.clause("connector.source.http-class")
@pytest.mark.parametrize(
    ("status", "tag"),
    [
        (301, FailureTag.PERMANENT),
        (400, FailureTag.CONFIG),
        (401, FailureTag.AUTH_EXPIRED),
        (403, FailureTag.AUTH_EXPIRED),
        (404, FailureTag.CONFIG),
        (408, FailureTag.CONFIG),
        (429, FailureTag.RATE_LIMITED),
        (499, FailureTag.CONFIG),
        (500, FailureTag.TRANSIENT),
        (503, FailureTag.TRANSIENT),
        (599, FailureTag.TRANSIENT),
    ],
)
def test_a_status_has_one_tag(status: int, tag: FailureTag) -> None:
    failure = http_class.failure(status, URL, retry_after=None, now_ms=NOW_MS)

    assert failure is not None
    assert failure.tag is tag
    assert failure.message.startswith(f"{URL} answered {status}")


@pytest.mark.parametrize("status", [200, 206, 299])
def test_an_answer_is_no_failure(status: int) -> None:
    assert http_class.failure(status, URL, retry_after="7", now_ms=NOW_MS) is None


@pytest.mark.clause("connector.source.http-class")
def test_a_throttle_carries_its_wait() -> None:
    failure = http_class.failure(429, URL, retry_after="7", now_ms=NOW_MS)

    assert failure == Failure(FailureTag.RATE_LIMITED, f"{URL} answered 429", retry_after_ms=7_000)


def test_only_a_throttle_carries_a_wait() -> None:
    failure = http_class.failure(503, URL, retry_after="7", now_ms=NOW_MS)

    assert failure == Failure(FailureTag.TRANSIENT, f"{URL} answered 503")


YEAR_MS = 365 * 86_400_000
WAITS = {
    "nothing": (None, None),
    "an empty one": ("", None),
    "seconds": ("7", 7_000),
    "seconds with spaces around": (" 120 ", 120_000),
    "zero": ("0", 0),
    "negative": ("-1", None),
    "fractional": ("1.5", 1_500),
    "a fraction of a millisecond": ("0.0001", 1),
    "with an exponent": ("1e3", None),
    "a year, and no more": ("31536000", YEAR_MS),
    "huge": ("9" * 12, None),
    "longer than any number": ("9" * 4_000, None),
    "no number": ("NaN", None),
    "infinite": ("Infinity", None),
    "words": ("soon", None),
    "digits of another script": ("\u0663", None),
    "a raised two": ("\u00b2", None),
    "the date of today's servers": ("Sun, 01 Mar 2026 00:00:30 GMT", 30_000),
    "the date of RFC 850": ("Sunday, 01-Mar-26 00:00:30 GMT", 30_000),
    "the date of asctime": ("Sun Mar  1 00:00:30 2026", 30_000),
    "a date without its zone": ("Sun, 01 Mar 2026 00:00:30", 30_000),
    "a date in another zone": ("Sun, 01 Mar 2026 01:00:30 +0100", 30_000),
    "a past date": ("Sat, 28 Feb 2026 23:59:00 GMT", 0),
    "the year 9999": ("Fri, 31 Dec 9999 23:59:59 GMT", None),
    "a year with five digits": ("Fri, 31 Dec 99999 23:59:59 GMT", None),
    "no date": ("Fri, 99 Xyz 2026 00:00:00 GMT", None),
    "seconds twice": ("7, 7", 7_000),
    "two waits": ("7, 9", 9_000),
    "a wait and words": ("soon, 7", 7_000),
    "a date twice": ("Sun, 01 Mar 2026 00:00:30 GMT, Sun, 01 Mar 2026 00:00:30 GMT", 30_000),
    "a date of RFC 850 and seconds": ("Sunday, 01-Mar-26 00:00:30 GMT, 7", 30_000),
    "seconds and a date": ("7, Sun, 01 Mar 2026 00:00:30 GMT", 30_000),
    "a wait and a huge one": ("7, 999999999999", None),
}


@pytest.mark.clause("run.retry.retry-after")
@pytest.mark.parametrize(("retry_after", "wait_ms"), WAITS.values(), ids=WAITS)
def test_a_wait_is_in_seconds_or_until_a_date(retry_after: str | None, wait_ms: int | None) -> None:
    assert http_class.wait_ms(retry_after, now_ms=NOW_MS) == wait_ms


@pytest.mark.clause("run.retry.retry-after")
def test_of_two_header_lines_the_longer_wait_counts() -> None:
    answer = httpx.Response(429, headers=[("Retry-After", "7"), ("Retry-After", "9")])

    assert http_class.wait_ms(answer.headers.get("Retry-After"), now_ms=NOW_MS) == 9_000


@pytest.mark.clause("run.retry.retry-after")
def test_a_header_that_is_no_text_asks_for_nothing() -> None:
    answer = httpx.Response(429, headers=[(b"Retry-After", b"\xff7")])

    assert http_class.wait_ms(answer.headers.get("Retry-After"), now_ms=NOW_MS) is None
