"""run.retry, decided: whether another attempt follows."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getclosurevars
from itertools import product
from types import FunctionType

import pytest

from contextful.kernel.failure import Failure
from contextful.run import retry
from contextful.run.retry import DEFAULT, Again, Decision, GiveUp, Schedule  # noqa: F401 (conditions name them)
from contextful_contract.errors import RunRetryTagUnretryable
from contextful_contract.shapes import Backoff, FailureTag
from proofs.theorem import theorem

TRANSIENT, RATE_LIMITED = FailureTag.TRANSIENT, FailureTag.RATE_LIMITED


@theorem(
    "run.retry.retryable-classes",
    "run.retry.deterministic-verdict",
    of=retry.decide,
    mutants=[
        ("if failure.deterministic:", "if False:"),
        ("failure.tag not in RETRYABLE or ", ""),
        (" or failure.tag not in schedule.retry_on", ""),
        ("failure.tag not in RETRYABLE or", "failure.tag not in RETRYABLE and"),
        ("attempt >= schedule.attempts", "attempt + 1 >= schedule.attempts"),
    ],
    leaves_open="a retry_on of several tags, and delays other than a fixed one",
)
def test_another_attempt_follows_exactly_where_one_may_help(
    attempts: int,
    named: bool,
    attempt: int,
    tag: FailureTag,
    deterministic: bool,
    retry_after_ms: int | None,
    jitter_raw: int,
) -> bool:
    """Another attempt follows exactly where the tag is retryable and named, the verdict is not a pure check's, and an
    attempt is left.

    pre: 1 <= attempts <= retry.ATTEMPTS_MAX and attempt >= 1
    post: __return__
    """
    schedule = Schedule(Backoff.FIXED, attempts=attempts, retry_on=(tag,) if named else ())
    failure = Failure(tag, "no luck", retry_after_ms, deterministic)
    may_help = (tag is TRANSIENT or tag is RATE_LIMITED) and named and not deterministic and attempt < attempts
    return isinstance(retry.decide(schedule, attempt, failure, jitter_raw), Again) == may_help


@theorem(
    "run.retry.schedule",
    "run.retry.single-attempt",
    of=retry.decide,
    mutants=[("attempt >= schedule.attempts", "attempt > schedule.attempts")],
)
def test_nothing_follows_the_last_attempt(
    exponential: bool,
    base_ms: int,
    factor: int,
    attempts: int,
    max_delay_ms: int,
    jitter_ms: int,
    attempt: int,
    rate_limited: bool,
    retry_after_ms: int | None,
    jitter_raw: int,
) -> Decision:
    """Once a schedule's attempts are gone, the first one counted, the failure is the answer, whatever the delays and
    whatever wait a server asked for.

    pre: all(0 <= delay_ms <= retry.DELAY_MS_MAX for delay_ms in (base_ms, max_delay_ms, jitter_ms))
    pre: 1 <= factor <= retry.FACTOR_MAX and 1 <= attempts <= retry.ATTEMPTS_MAX and attempt >= attempts
    post: __return__ == GiveUp()
    """
    backoff = Backoff.EXPONENTIAL if exponential else Backoff.FIXED
    schedule = Schedule(backoff, base_ms, factor, attempts, max_delay_ms, jitter_ms)
    failure = Failure(RATE_LIMITED if rate_limited else TRANSIENT, "no luck", retry_after_ms)
    return retry.decide(schedule, attempt, failure, jitter_raw)


@theorem(
    "run.retry.deterministic-verdict",
    of=retry.spent,
    mutants=[("attempt - 1 if failure.deterministic", "attempt if failure.deterministic")],
)
def test_a_pure_check_spends_no_attempt(attempt: int, tag: FailureTag, deterministic: bool) -> int:
    """The verdict of a pure check leaves as many attempts as there were; any other failure has spent its own.

    pre: attempt >= 1
    post: __return__ == (attempt - 1 if deterministic else attempt)
    """
    return retry.spent(attempt, Failure(tag, "no luck", deterministic=deterministic))


@theorem(
    "run.retry.decision-is-pure",
    "run.retry.failure-taxonomy",
    of=retry.decide,
    mutants=[
        ("attempt >= schedule.attempts", "attempt >= schedule.attempts or 'never' in failure.message"),
        ("jitter_raw % schedule.jitter_ms", "hash(failure.message) % schedule.jitter_ms"),
    ],
    leaves_open="whatever is no argument: the names that the decision reads are a test of their own",
)
def test_the_message_decides_nothing(
    attempts: int, attempt: int, rate_limited: bool, retry_after_ms: int | None, jitter_raw: int
) -> bool:
    """The same attempt, tag, wait and seed give the same decision, whatever the failure's message says and whatever
    was decided meanwhile.

    pre: 1 <= attempts <= retry.ATTEMPTS_MAX and attempt >= 1
    post: __return__
    """
    schedule, tag = Schedule(attempts=attempts), RATE_LIMITED if rate_limited else TRANSIENT
    first = retry.decide(schedule, attempt, Failure(tag, "no luck", retry_after_ms), jitter_raw)
    retry.decide(DEFAULT, 1, Failure(FailureTag.PERMANENT, "no luck"), 0)
    return first == retry.decide(schedule, attempt, Failure(tag, "Permanent: never again", retry_after_ms), jitter_raw)


@pytest.mark.clause("run.retry.decision-is-pure")
def test_the_decision_reads_nothing_that_could_change() -> None:
    read = [getclosurevars(function) for function in (retry.decide, retry.backoff_ms)]

    names = {name for variables in read for name in variables.builtins} | {"RETRYABLE"}
    globals_read = {name: value for variables in read for name, value in variables.globals.items()}
    assert names == {"RETRYABLE", "max", "min", "range"}
    assert all(isinstance(value, type | FunctionType | tuple) for value in globals_read.values()), globals_read


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.retry.unretryable-tag")
def test_a_schedule_is_admitted_exactly_where_it_names_retryable_tags(record_walk: Callable[..., None]) -> None:
    """A schedule is refused exactly where its retry_on names a tag that is not retryable; the refusal says which."""
    cases = [named for length in range(3) for named in product(FailureTag, repeat=length)]
    for named in cases:
        incurable = [tag.value for tag in named if tag not in (TRANSIENT, RATE_LIMITED)]
        assert refused(named) == (incurable[0] if incurable else None)

    assert len(cases) == 1 + 10 + 10**2
    record_walk(domain="every retry_on of at most 2 of the 10 tags", cases=len(cases))


def refused(named: tuple[FailureTag, ...]) -> str | None:
    """The tag for which a schedule is refused that names these."""
    try:
        retry.admit(Schedule(retry_on=named), "fetch")
    except RunRetryTagUnretryable as refusal:
        return refusal.named
    return None
