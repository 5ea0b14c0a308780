"""run.retry, decided: how long until the next attempt."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from contextful.kernel.failure import Failure
from contextful.run import retry
from contextful.run.retry import DEFAULT, Again, Decision, GiveUp, Schedule
from contextful_contract.shapes import Backoff, FailureTag
from proofs.theorem import theorem

TRANSIENT, RATE_LIMITED = FailureTag.TRANSIENT, FailureTag.RATE_LIMITED
GROWN_MAX = 6


@theorem(
    "run.retry.schedule",
    of=retry.backoff_ms,
    mutants=[
        ("min(schedule.base_ms, schedule.max_delay_ms)", "schedule.base_ms"),
        ("if schedule.backoff is Backoff.FIXED:", "if False:"),
        ("range(attempt - 1)", "range(attempt)"),
    ],
)
def test_a_backoff_begins_at_its_base_and_a_fixed_one_stays_there(
    exponential: bool, base_ms: int, factor: int, max_delay_ms: int, attempt: int
) -> int:
    """The first delay is the base, or the clamp where that is less; so is every delay of a fixed backoff.

    pre: all(0 <= delay_ms <= retry.DELAY_MS_MAX for delay_ms in (base_ms, max_delay_ms))
    pre: 1 <= factor <= retry.FACTOR_MAX and (attempt == 1 or (attempt > 1 and not exponential))
    post: __return__ == min(base_ms, max_delay_ms)
    """
    backoff = Backoff.EXPONENTIAL if exponential else Backoff.FIXED
    return retry.backoff_ms(Schedule(backoff, base_ms, factor, max_delay_ms=max_delay_ms), attempt)


@theorem(
    "run.retry.schedule",
    of=retry.backoff_ms,
    mutants=[
        ("delay_ms *= schedule.factor", "delay_ms += schedule.factor"),
        ("delay_ms >= schedule.max_delay_ms", "delay_ms > schedule.factor * schedule.max_delay_ms"),
        ("range(attempt - 1)", "range(min(attempt - 1, 2))"),
    ],
    leaves_open=f"attempts past number {GROWN_MAX}, which go through the same loop",
)
def test_each_delay_is_the_one_before_times_the_factor(
    base_ms: int, factor: int, max_delay_ms: int, attempt: int
) -> tuple[int, int]:
    """An exponential delay is the one before it times the factor, or the clamp where that is less: so none is below
    the one before it, and none above the clamp.

    pre: all(0 <= delay_ms <= retry.DELAY_MS_MAX for delay_ms in (base_ms, max_delay_ms))
    pre: 1 <= factor <= retry.FACTOR_MAX and 1 <= attempt < GROWN_MAX
    post: __return__[1] == min(__return__[0] * factor, max_delay_ms)
    post: __return__[0] <= __return__[1] <= max_delay_ms
    """
    schedule = Schedule(base_ms=base_ms, factor=factor, max_delay_ms=max_delay_ms)
    return retry.backoff_ms(schedule, attempt), retry.backoff_ms(schedule, attempt + 1)


@theorem(
    "run.retry.schedule",
    of=retry.decide,
    mutants=[
        ("jitter_raw % schedule.jitter_ms", "jitter_raw % (schedule.jitter_ms + 1)"),
        ("if schedule.jitter_ms > 0 else 0", "if schedule.jitter_ms > 0 else 1"),
        ("backoff_ms(schedule, attempt) + jitter_ms", "backoff_ms(schedule, attempt + 1) + jitter_ms"),
        ("backoff_ms(schedule, attempt) + jitter_ms", "backoff_ms(schedule, attempt) - jitter_ms"),
    ],
    leaves_open="attempts past the fourth: how the backoff grows is a theorem of its own",
)
def test_jitter_adds_less_than_its_ceiling(
    exponential: bool, base_ms: int, factor: int, max_delay_ms: int, jitter_ms: int, attempt: int, jitter_raw: int
) -> int:
    """On top of the backoff comes less than the jitter's ceiling, and nothing where that is 0.

    pre: all(0 <= delay_ms <= retry.DELAY_MS_MAX for delay_ms in (base_ms, max_delay_ms, jitter_ms))
    pre: 1 <= factor <= retry.FACTOR_MAX and 1 <= attempt <= 4
    post: 0 <= __return__ < max(1, jitter_ms)
    """
    backoff = Backoff.EXPONENTIAL if exponential else Backoff.FIXED
    schedule = Schedule(backoff, base_ms, factor, 5, max_delay_ms, jitter_ms)
    decision = retry.decide(schedule, attempt, Failure(TRANSIENT, "no luck"), jitter_raw)
    assert isinstance(decision, Again)
    return decision.delay_ms - retry.backoff_ms(schedule, attempt)


@theorem(
    "run.retry.default-policy",
    of=retry.decide,
    mutants=[
        ("jitter_raw % schedule.jitter_ms", "jitter_raw % 251"),
        ("delay_ms *= schedule.factor", "delay_ms *= 3"),
        ("range(attempt - 1)", "range(attempt)"),
        ("attempt >= schedule.attempts", "attempt >= 4"),
    ],
)
def test_the_default_policy_to_the_millisecond(attempt: int, rate_limited: bool, jitter_raw: int) -> bool:
    """Its four delays are 100, 200, 400 and 800 ms, each with less than 250 ms of jitter on top; the fifth attempt is
    the last.

    pre: attempt >= 1
    post: __return__
    """
    failure = Failure(RATE_LIMITED if rate_limited else TRANSIENT, "no luck")
    decision = retry.decide(DEFAULT, attempt, failure, jitter_raw)
    if attempt >= 5:
        return decision == GiveUp()
    return decision == Again((100, 200, 400, 800)[attempt - 1] + jitter_raw % 250)


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.retry.default-policy")
def test_no_default_delay_is_above_30_s_and_its_jitter(record_walk: Callable[..., None]) -> None:
    """With attempts to spare, the default delays double from 100 ms until they stay at 30 s, each with its jitter."""
    schedule, failure = Schedule(attempts=retry.ATTEMPTS_MAX), Failure(TRANSIENT, "no luck")
    drawn = list(product(range(1, retry.ATTEMPTS_MAX), range(250)))
    for attempt, jitter_raw in drawn:
        delay_ms = min(100 * 2 ** (attempt - 1), 30_000) + jitter_raw
        assert retry.decide(schedule, attempt, failure, jitter_raw) == Again(delay_ms)

    assert len(drawn) == 99 * 250
    record_walk(domain="every attempt that a schedule may have but its last, every jitter", cases=len(drawn))


@theorem(
    "run.retry.retry-after",
    of=retry.decide,
    mutants=[
        ("if failure.retry_after_ms is not None:", "if failure.retry_after_ms:"),
        ("max(0, failure.retry_after_ms)", "failure.retry_after_ms"),
        ("max(0, failure.retry_after_ms)", "max(backoff_ms(schedule, attempt), failure.retry_after_ms)"),
        ("max(0, failure.retry_after_ms)", "min(failure.retry_after_ms, schedule.max_delay_ms)"),
    ],
)
def test_a_retry_after_takes_the_place_of_the_computed_delay(
    exponential: bool,
    base_ms: int,
    factor: int,
    attempts: int,
    max_delay_ms: int,
    jitter_ms: int,
    attempt: int,
    rate_limited: bool,
    retry_after_ms: int,
    jitter_raw: int,
) -> Decision:
    """Where a server says how long, that is the delay: it knows no backoff, clamp or jitter. What is past is now.

    pre: all(0 <= delay_ms <= retry.DELAY_MS_MAX for delay_ms in (base_ms, max_delay_ms, jitter_ms))
    pre: 1 <= factor <= retry.FACTOR_MAX and 1 <= attempt < attempts <= retry.ATTEMPTS_MAX
    post: __return__ == Again(max(0, retry_after_ms))
    """
    backoff = Backoff.EXPONENTIAL if exponential else Backoff.FIXED
    schedule = Schedule(backoff, base_ms, factor, attempts, max_delay_ms, jitter_ms)
    failure = Failure(RATE_LIMITED if rate_limited else TRANSIENT, "no luck", retry_after_ms)
    return retry.decide(schedule, attempt, failure, jitter_raw)


@theorem(
    "run.retry.retry-after",
    of=retry.sleeps_in_process,
    mutants=[("remaining_ms <= limits", "remaining_ms < limits")],
    leaves_open="that the attempt closes where this says no, which the machine and the differential test watch",
)
def test_at_most_300_s_are_slept_in_process(remaining_ms: int) -> bool:
    """A step sleeps in process exactly while at most 300 s remain.

    post: __return__ == (remaining_ms <= 300_000)
    """
    return retry.sleeps_in_process(remaining_ms)
