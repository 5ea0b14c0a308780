"""run.retry: whether a failed attempt is followed by another, and when.

attempt --returns--> recorded
   |  ^
   |  +-- the instant passes -- sleeping (at most 300 s left) or waiting (more: the attempt closes)
   |                                ^
   +-- fails, retryable, not spent -+
   +-- fails otherwise --> StepFailed
"""

from __future__ import annotations

from dataclasses import dataclass

from contextful.kernel.failure import Failure
from contextful_contract import limits
from contextful_contract.errors import RunRetryTagUnretryable
from contextful_contract.shapes import Backoff, FailureTag

FACTOR = 2  ##= run.retry.default-policy
RETRYABLE = (FailureTag.TRANSIENT, FailureTag.RATE_LIMITED)  ##= run.retry.retryable-classes
ATTEMPTS_MAX = 100
FACTOR_MAX = 1_000
DELAY_MS_MAX = 7 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often a step is tried, and how long it waits between attempts. Delays are in milliseconds."""

    backoff: Backoff = Backoff.EXPONENTIAL
    base_ms: int = limits.RETRY_BASE_DELAY_MS
    factor: int = FACTOR
    attempts: int = limits.RETRY_DEFAULT_ATTEMPTS
    max_delay_ms: int = limits.RETRY_MAX_DELAY_MS
    jitter_ms: int = limits.RETRY_JITTER_CEILING_MS
    retry_on: tuple[FailureTag, ...] = RETRYABLE

    def __post_init__(self) -> None:
        if not isinstance(self.backoff, Backoff):
            raise ValueError(
                f"backoff is {self.backoff!r}, and must be one of {', '.join(map(repr, map(str, Backoff)))}"
            )
        if not isinstance(self.retry_on, tuple) or not all(isinstance(tag, FailureTag) for tag in self.retry_on):
            raise ValueError(f"retry_on is {self.retry_on!r:.80}, and must be a tuple of failure tags")
        for name, given, least, most in (
            ("attempts", self.attempts, 1, ATTEMPTS_MAX),
            ("factor", self.factor, 1, FACTOR_MAX),
            ("base_ms", self.base_ms, 0, DELAY_MS_MAX),
            ("max_delay_ms", self.max_delay_ms, 0, DELAY_MS_MAX),
            ("jitter_ms", self.jitter_ms, 0, DELAY_MS_MAX),
        ):
            if not isinstance(given, int) or not least <= given <= most:
                raise ValueError(f"{name} is {given!r:.80}, and must be a whole number from {least} to {most}")


DEFAULT = Schedule()


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The failure is the step's answer."""


@dataclass(frozen=True, slots=True)
class Again:
    """Another attempt follows after this delay."""

    delay_ms: int


Decision = GiveUp | Again


def admit(schedule: Schedule, label: str) -> Schedule:
    """The schedule, if it retries nothing that another attempt cannot cure."""
    if not isinstance(schedule, Schedule):
        raise TypeError(f"retry is {schedule!r:.80}, and must be a Schedule")
    for tag in schedule.retry_on:
        if tag not in RETRYABLE:
            raise RunRetryTagUnretryable(label=label, named=tag.value)  ##= run.retry.unretryable-tag
    return schedule


def decide(schedule: Schedule, attempt: int, failure: Failure, jitter_raw: int) -> Decision:
    """What follows once attempt number `attempt` has failed; `jitter_raw` is any whole number from the seed."""
    if failure.deterministic:
        return GiveUp()  ##= run.retry.deterministic-verdict
    if failure.tag not in RETRYABLE or failure.tag not in schedule.retry_on:
        return GiveUp()
    if attempt >= schedule.attempts:
        return GiveUp()  ##= run.retry.single-attempt
    if failure.retry_after_ms is not None:
        return Again(max(0, failure.retry_after_ms))  ##= run.retry.retry-after
    jitter_ms = jitter_raw % schedule.jitter_ms if schedule.jitter_ms > 0 else 0
    return Again(backoff_ms(schedule, attempt) + jitter_ms)


def backoff_ms(schedule: Schedule, attempt: int) -> int:
    """The delay after attempt number `attempt`, clamped, before jitter."""
    delay_ms = min(schedule.base_ms, schedule.max_delay_ms)
    if schedule.backoff is Backoff.FIXED:
        return delay_ms
    for _ in range(attempt - 1):  ##= run.retry.schedule
        delay_ms *= schedule.factor
        if delay_ms >= schedule.max_delay_ms:
            return schedule.max_delay_ms
    return delay_ms


def remaining_ms(schedule: Schedule, failure: Failure | None, not_before_ms: int, now_ms: int) -> int:
    """The milliseconds until a stored instant. Where the schedule computed it, they are no more than it computes.

    The instant may have been written by a clock that was ahead. What a server asked for has no such bound.
    """
    left_ms = max(0, not_before_ms - now_ms)
    if failure is None or failure.retry_after_ms is not None:
        return left_ms
    return min(left_ms, schedule.max_delay_ms + schedule.jitter_ms)


def sleeps_in_process(remaining_ms: int) -> bool:
    """Whether a wait of this length keeps its slot; a longer one closes the attempt."""
    return remaining_ms <= limits.RETRY_AFTER_CEILING_MS


def spent(attempt: int, failure: Failure) -> int:
    """How many attempts of the budget are gone once this one has failed."""
    return attempt - 1 if failure.deterministic else attempt
