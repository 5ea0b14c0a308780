"""What a run's record says, and how its history is asked for."""

from __future__ import annotations

import pytest

from contextful.errors import HistoryBoundSpelling
from contextful.run import history, record
from contextful.run.record import Run
from contextful_contract.shapes import RunStatus

RUNS = [Run(f"r-{n}", f"exec-{n}", None, "here", RunStatus.SUCCESS, started_ms=n) for n in (3, 2, 1)]


@pytest.mark.clause("run.record.error-cap")
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("401 for key sk_live_4242", "401 for key [REDACTED:credential]"),
        ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[REDACTED:credential]"),
        ("https://ada:hunter2@db.example/x", "https://[REDACTED:credential]@db.example/x"),
        ("Bearer eyJhbGciOi.e30.x-y", "Bearer [REDACTED:credential]"),
        ("GET /x?key=abc&page=2", "GET /x?key=[REDACTED:credential]&page=2"),
        ("GET /x?access_token=abc&page=2", "GET /x?access_token=[REDACTED:credential]&page=2"),
        ("https://ghp4token@github.example/x", "https://[REDACTED:credential]@github.example/x"),
        ("postgresql://ada:p@ss@db/x", "postgresql://[REDACTED:credential]@db/x"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED:credential]"),
        ("{'authorization': 'Bearer abc'}", "{'authorization': 'Bearer [REDACTED:credential]'}"),
        ('{"api_key": "abc", "n": 1}', '{"api_key": "[REDACTED:credential]", "n": 1}'),
        ("X-Api-Key: 5f3e9a77c1, again", "X-Api-Key: [REDACTED:credential], again"),
        ("api-key='abc'", "api-key='[REDACTED:credential]'"),
        ("AKIAIOSFODNN7EXAMPLE is not known", "[REDACTED:credential] is not known"),
        ("aws_secret_access_key = wJalrXUt/K7", "aws_secret_access_key = [REDACTED:credential]"),
        ("/x?X-Amz-Signature=f00&page=2", "/x?X-Amz-Signature=[REDACTED:credential]&page=2"),
        ("Cookie: session=abc; theme=dark", "Cookie: [REDACTED:credential]"),
        ("jwt eyJhbGciOiJI.eyJzdWIi.c2ln", "jwt [REDACTED:credential]"),
        ("basic authentication failed", "basic authentication failed"),
        ("the bearer token is gone", "the bearer token is gone"),
        ("password: must have 8 characters", "password: must have 8 characters"),
        ("primary_key=id", "primary_key=id"),
        ("duplicate key in pk_orders_customer", "duplicate key in pk_orders_customer"),
        ("the token was not accepted", "the token was not accepted"),
    ],
)
def test_what_looks_like_a_credential_is_masked_and_nothing_else(message: str, shown: str) -> None:
    assert record.capped(message) == shown


@pytest.mark.clause("run.record.bound-spelling")
@pytest.mark.parametrize(
    ("bound", "since_ms"),
    [("2026-03-01", 1_772_323_200_000), ("2026-03-01T00:00:00Z", 1_772_323_200_000), ("1970-01-01", 0)],
)
def test_a_bound_is_a_day_or_an_instant(bound: str, since_ms: int) -> None:
    assert history.since_ms(bound) == since_ms


@pytest.mark.clause("run.record.bound-spelling")
@pytest.mark.parametrize("bound", ["2026-03-06T08:00:00+08:00", "2026-02-30", "yesterday", "2026-3-1", "", "20260301"])
def test_any_other_bound_is_refused(bound: str) -> None:
    with pytest.raises(HistoryBoundSpelling) as refusal:
        history.since_ms(bound)

    assert refusal.value.bound == bound


@pytest.mark.clause("run.record.truncation-flag")
@pytest.mark.parametrize(("ceiling", "count", "truncated"), [(2, 2, True), (3, 3, False), (4, 3, False)])
def test_a_page_says_whether_its_window_holds_more(ceiling: int, count: int, truncated: bool) -> None:
    page = history.page(None, ceiling, RUNS)

    assert (page.runs, page.truncated) == (RUNS[:count], truncated)
