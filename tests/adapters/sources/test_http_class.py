"""What a status says, as a table."""

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


@pytest.mark.parametrize(
    ("retry_after", "wait_ms"),
    [
        (None, None),
        ("", None),
        ("0", 0),
        (" 120 ", 120_000),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("٣", None),
        ("9" * 12, None),
        ("9" * 4_000, None),
        ("Sun, 01 Mar 2026 00:00:30 GMT", 30_000),
        ("Sat, 28 Feb 2026 23:59:00 GMT", 0),
        ("Sun, 01 Mar 2026 00:00:30", None),
        ("Fri, 99 Xyz 2026 00:00:00 GMT", None),
    ],
)
def test_a_wait_is_in_seconds_or_until_a_date(retry_after: str | None, wait_ms: int | None) -> None:
    assert http_class.wait_ms(retry_after, now_ms=NOW_MS) == wait_ms
